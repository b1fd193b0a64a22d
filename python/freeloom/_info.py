"""What `python -m freeloom info` tells."""

import platform
import sys
import sysconfig
from typing import Any

import numpy as np

from freeloom import _native

# The features that decide how wide and how clever generated code is.
_NOTABLE = ("avx2", "fma", "bmi2", "f16c", "avx512f", "avx512bw", "avx512vbmi2", "avx512fp16")


def info() -> dict[str, Any]:
    """Facts about this installation, as plain data."""
    facts: dict[str, Any] = _native._native_info()
    interpreter = {
        "implementation": platform.python_implementation(),
        "version": platform.python_version(),
        "free_threaded_build": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "gil_enabled": gil_enabled(),
    }
    return {
        "version": facts["version"],
        "interpreter": interpreter,
        "numpy": np.__version__,
        "platform": f"{platform.system()} {platform.machine()}",
        "cpu": {"name": facts["cpu"], "features": facts["cpu_features"]},
        "threads": facts["threads"],
        "llvm": facts["llvm"],
        "backends": ["cpu"],
        "cache": facts["cache"],
    }


def gil_enabled() -> bool:
    """Is the GIL on in this process?"""
    enabled = getattr(sys, "_is_gil_enabled", None)
    return True if enabled is None else bool(enabled())


def describe(facts: dict[str, Any]) -> str:
    """The same facts for people."""
    interpreter = facts["interpreter"]
    build = "free-threaded build" if interpreter["free_threaded_build"] else "ordinary build"
    gil = "on" if interpreter["gil_enabled"] else "off"
    notable = [feature for feature in _NOTABLE if feature in facts["cpu"]["features"]]
    cache = facts["cache"]
    lines = {
        "freeloom": facts["version"],
        "Python": f"{interpreter['implementation']} {interpreter['version']}, {build}, GIL {gil}",
        "NumPy": facts["numpy"],
        "platform": facts["platform"],
        "processor": f"{facts['cpu']['name']} ({' '.join(notable) or 'no vector extensions'})",
        "threads": str(facts["threads"]),
        "LLVM": facts["llvm"],
        "back ends": ", ".join(facts["backends"]),
        "cache": f"{cache['wrappers']} wrappers in {cache['threads']} threads, {cache['plans']} plans, "
        f"{cache['objects']} objects ({cache['compiled']} compiled in {cache['compile_ms']:.1f} ms)",
    }
    width = max(map(len, lines))
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in lines.items())

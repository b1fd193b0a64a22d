"""What the figures were measured on."""

import importlib.metadata
import os
import platform
from pathlib import Path

PACKAGES = ("freeloom", "numpy", "numba", "polars")


def describe() -> dict[str, str]:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return {
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores available",
        "memory": f"{_memory() / 2**30:.0f} GiB",
        "system": f"{_distribution()}, {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": versions,
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or "unknown processor"


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")

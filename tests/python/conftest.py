"""Settings of the whole suite: which interpreter it is meant for is asserted, not assumed."""

import os
import sys
import sysconfig

import pytest

import freeloom


def gil_enabled() -> bool:
    return getattr(sys, "_is_gil_enabled", lambda: True)()


def require_expected_gil() -> None:
    # Importing one extension that is not declared free-threaded turns the GIL on for the whole process, and
    # every test of concurrency would pass without having tested anything.
    if os.environ.get("FREELOOM_EXPECT_GIL") == "off" and gil_enabled():
        pytest.exit("this run must not have a GIL, but it is enabled", returncode=1)


def pytest_report_header() -> str:
    build = "free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else "ordinary"
    state = "on" if gil_enabled() else "off"
    return f"freeloom {freeloom.__version__} from {freeloom.__path__[0]}; {build} build, GIL {state}"


def pytest_collection_finish() -> None:
    require_expected_gil()


def pytest_sessionfinish() -> None:
    require_expected_gil()

"""Signals, fork, subinterpreters, the command line: each in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

pytestmark = pytest.mark.parallel_threads(1)


def program(tmp_path, text):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return [sys.executable, str(path)]


def run(tmp_path, text):
    done = subprocess.run(program(tmp_path, text), capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "body",
    ["while x > -1:\n                x = x ^ 1", "for i in range(1 << 60):\n                x = x ^ i"],
)
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_interrupt(tmp_path, body, size):
    text = f"""
        import numpy as np
        from freeloom.compute import unary_transform
        def op(x):
            {body}
            return x
        out = np.zeros({size}, np.int64)
        print("ready", flush=True)
        try:
            unary_transform(d_in=np.arange({size}), d_out=out, op=op, num_items={size})
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        unary_transform(d_in=np.arange({size}), d_out=out, op=lambda x: x + 1, num_items={size})
        print(out[0], flush=True)
    """
    with subprocess.Popen(program(tmp_path, text), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() - begin < 10
            assert process.stdout.readline() == "1\n"
        finally:
            process.kill()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork(tmp_path):
    text = """
        import os
        import warnings
        import numpy as np
        from freeloom.compute import OpKind, reduce_into, inclusive_scan
        warnings.simplefilter("ignore")
        n = 2_000_000
        items, out = np.ones(n, np.int64), np.zeros(1, np.int64)
        def check():
            reduce_into(d_in=items, d_out=out, num_items=n, op=OpKind.PLUS)
            assert out[0] == n
            reduce_into(d_in=items, d_out=out, num_items=n, op=lambda a, b: a + b)
            assert out[0] == n
            k = os.getpid()
            reduce_into(d_in=items, d_out=out, num_items=n, op=lambda a, b: max(a, b) + k - k)
            assert out[0] == 1
        check()
        child = os.fork()
        if child == 0:
            check()
            grandchild = os.fork()
            if grandchild == 0:
                check()
                os._exit(7)
            os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        check()
        print("right")
    """
    assert run(tmp_path, text) == "right\n"


def test_multiprocessing(tmp_path):
    text = """
        import multiprocessing
        import numpy as np
        from freeloom.compute import OpKind, reduce_into
        def total(n):
            out = np.zeros(1, np.int64)
            reduce_into(d_in=np.arange(n), d_out=out, num_items=n, op=OpKind.PLUS)
            return int(out[0])
        if __name__ == "__main__":
            total(10)
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                print(pool.map(total, [10, 1000]))
    """
    assert run(tmp_path, text) == "[45, 499500]\n"


def test_subinterpreters_are_refused(tmp_path):
    text = """
        import freeloom
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        lines = ["try:", "    import freeloom", "    print('imported')"]
        lines += ["except ImportError as error:", "    print('refused:', error)"]
        interpreters.run_string(interpreters.create(), "\\n".join(lines))
    """
    out = run(tmp_path, text)
    assert out.startswith("refused: ")
    assert "interpreter" in out


def test_threads_that_live_at_exit(tmp_path):
    text = """
        import threading, time
        import numpy as np
        from freeloom.compute import OpKind, reduce_into
        def work():
            out = np.zeros(1)
            while True:
                reduce_into(d_in=np.ones(100_000), d_out=out, num_items=100_000, op=OpKind.PLUS)
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("leaving")
    """
    assert run(tmp_path, text) == "leaving\n"


def test_import_is_light(tmp_path):
    text = """
        import sys
        import numpy
        before = set(sys.modules)
        import freeloom.compute
        heavy = {"inspect", "ast", "argparse", "tokenize", "doctest", "dataclasses", "ctypes"}
        print(sorted(heavy & (set(sys.modules) - before)))
    """
    assert run(tmp_path, text) == "[]\n"


def info(*arguments):
    command = [sys.executable, "-m", "freeloom", "info", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_info():
    text = info()
    for word in ("freeloom", "Python", "GIL", "LLVM", "processor", "threads", "cache"):
        assert word in text


def test_info_as_json():
    facts = json.loads(info("--json"))
    assert facts["interpreter"]["version"] == sys.version.split()[0].rstrip("+")
    assert facts["interpreter"]["gil_enabled"] == getattr(sys, "_is_gil_enabled", lambda: True)()
    assert facts["threads"] >= 1
    assert facts["llvm"].startswith("22.")
    assert facts["cache"]["plans"] == 0
    assert isinstance(facts["cpu"]["features"], list)


def test_command_line_explains_itself():
    command = [sys.executable, "-m", "freeloom"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "info" in done.stderr


@pytest.mark.parametrize("pause", [0.02, 0.05, 0.07])
def test_exit_while_a_thread_compiles(tmp_path, pause):
    text = f"""
        import linecache, threading, time
        import numpy as np
        from freeloom.compute import unary_transform
        lines = ["def f(v):\\n"]
        lines += [f"    v = v * {{i}}.5 + np.sin(v) if v > {{i}} else v - {{i}}\\n" for i in range(400)]
        text = "".join(lines) + "    return v\\n"
        linecache.cache["<big>"] = (len(text), None, text.splitlines(True), "<big>")
        exec(compile(text, "<big>", "exec"))
        x = np.arange(1000.0)
        call = lambda: unary_transform(d_in=x, d_out=x, op=f, num_items=x.size)
        threading.Thread(target=call, daemon=True).start()
        time.sleep({pause})
    """
    assert run(tmp_path, text) == ""


def test_exit_while_threads_call(tmp_path):
    text = """
        import threading, time
        import numpy as np
        from freeloom.compute import clear_all_caches, inclusive_scan
        def work(i):
            x, out = np.arange(1000.0), np.zeros(1000)
            for k in range(i << 20, 1 << 60):
                op = lambda a, b, k=k: a + b * k
                inclusive_scan(d_in=x, d_out=out, op=op, init_value=None, num_items=1000)
                if k % 7 == 0:
                    clear_all_caches()
        for i in range(6):
            threading.Thread(target=work, args=(i,), daemon=True).start()
        time.sleep(0.2)
    """
    for _ in range(5):
        assert run(tmp_path, text) == ""

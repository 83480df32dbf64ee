"""show() opens the real window and leaves no file behind."""

import os
import shutil
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import ROOT, wait_until

import headscope

TOKENS = ["a", " b", " c"]
LAYERS = [np.tril(np.full((2, 3, 3), 0.3))]
SLEEPS = 'echo "$@" > "$TMPDIR/arguments"; exec sleep 100'


@pytest.fixture
def display(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":none")


@pytest.fixture
def sleeper(script, tmp_path, monkeypatch):
    """Stands for a window that stays open."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return script(SLEEPS)


def test_without_a_display_it_says_what_to_do(monkeypatch, temporary):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(headscope.HeadscopeError, match=r"DISPLAY.*save\(path\)"):
        headscope.show(LAYERS, TOKENS)
    assert list(temporary.iterdir()) == []


def test_it_waits_until_the_window_is_closed(display, script, temporary):
    window = headscope.show(LAYERS, TOKENS, wait=True, executable=script("sleep 0.7"))
    assert not window.is_open and list(temporary.iterdir()) == []


def test_it_need_not_wait(display, sleeper, temporary, tmp_path):
    with headscope.show(LAYERS, TOKENS, wait=False, model="org/My model", page="heads", executable=sleeper) as window:
        assert window.is_open and not window.wait(0.01)
        [path] = temporary.glob("*/*")
        assert path.name == "My model.safetensors" and headscope.load(path).tokens == TOKENS
        wait_until(lambda: (tmp_path / "arguments").is_file())
        assert (tmp_path / "arguments").read_text().split()[-1] == "--page=heads"
    assert not window.is_open and window.wait() and list(temporary.iterdir()) == []
    window.close()


def test_ctrl_c_closes_it(display, sleeper, temporary, tmp_path):
    def interrupt():
        wait_until(lambda: (tmp_path / "arguments").is_file())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        headscope.show(LAYERS, TOKENS, wait=True, executable=sleeper)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("wait", [True, False])
def test_a_window_that_fails_is_an_error(display, script, temporary, wait):
    failing = script("echo 'headscope: error: no such thing (here). Do that' >&2; exit 1")
    with pytest.raises(headscope.HeadscopeError, match=r"^no such thing \(here\). Do that$"):
        headscope.show(LAYERS, TOKENS, wait=wait, executable=failing)
    assert list(temporary.iterdir()) == []


def test_it_closes_with_python(sleeper, tmp_path):
    program = f"""
import sys; sys.path.insert(0, {str(ROOT / 'app' / 'python')!r})
import numpy as np, headscope
window = headscope.show([np.tril(np.full((2, 3, 3), 0.3))], ["a", " b", " c"], wait=False, executable={str(sleeper)!r})
print(window.pid)
"""
    environment = {**os.environ, "DISPLAY": ":none", "TMPDIR": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout), 0)
    assert list(tmp_path.glob("headscope-*")) == []


@pytest.mark.skipif(not all(map(shutil.which, ("Xvfb", "xdotool"))), reason="Xvfb and xdotool are not installed")
def test_the_real_window_shows_it(executable, tmp_path, monkeypatch, temporary):
    reading, writing = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x768x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            monkeypatch.setenv("DISPLAY", ":" + number.readline().strip())
        monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
            monkeypatch.setenv(name, str(tmp_path))
        tmp_path.chmod(0o700)
        with headscope.show(LAYERS, TOKENS, model="small", wait=False) as window:
            wait_until(lambda: window.wait(0.1) or "small" in titles(), 60)
            assert window.is_open
        assert not window.is_open and list(temporary.iterdir()) == []
    finally:
        screen.terminate()
        screen.wait()


def titles():
    search = ["xdotool", "search", "--onlyvisible", "--class", "headscope", "getwindowname", "%@"]
    return subprocess.run(search, capture_output=True, text=True).stdout

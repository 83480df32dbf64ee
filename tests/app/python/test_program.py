"""The executable is found, its failures become sentences, and it is never left running."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import ROOT, wait_until

import headscope


def test_the_argument_goes_before_the_environment(executable, monkeypatch, script):
    other = script("exit 0")
    assert headscope.find_program(other) == other
    monkeypatch.setenv("HEADSCOPE", str(other))
    assert headscope.find_program() == other
    assert headscope.find_program(executable) == executable


def test_it_is_found_on_the_path(monkeypatch, script, tmp_path):
    shutil.copy(script("exit 0"), tmp_path / "headscope")
    monkeypatch.delenv("HEADSCOPE")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert headscope.find_program() == tmp_path / "headscope"


def test_it_is_found_in_the_source_tree(monkeypatch, tmp_path):
    package = tmp_path / "tree" / "app" / "python"
    shutil.copytree(ROOT / "app" / "python" / "headscope", package / "headscope")
    (tmp_path / "tree" / "CMakePresets.json").touch()
    program = tmp_path / "tree" / "build" / "dev" / "bin" / "headscope"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    environment = {name: value for name, value in os.environ.items() if name not in ("HEADSCOPE", "PATH")}
    environment["PYTHONPATH"] = str(package)
    found = subprocess.run(
        [sys.executable, "-c", "import headscope; print(headscope.find_program())"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == str(program)


@pytest.mark.parametrize("path", ["/nowhere/headscope", __file__])
def test_what_is_no_program_is_refused(path):
    with pytest.raises(headscope.HeadscopeError, match="is not a program"):
        headscope.find_program(path)


def test_a_missing_program_is_explained(monkeypatch, tmp_path):
    monkeypatch.delenv("HEADSCOPE")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("headscope.program._usual_places", lambda: [])
    with pytest.raises(headscope.HeadscopeError, match="HEADSCOPE"):
        headscope.find_program()


def test_a_failure_is_the_sentence_of_the_executable():
    with pytest.raises(headscope.HeadscopeError) as failure:
        headscope.trace("builtin:storiez", "x")
    assert str(failure.value).endswith('Did you mean "builtin:stories"?')
    assert "headscope: error" not in str(failure.value)
    assert failure.value.status == 1


def test_a_crash_is_named(script):
    with pytest.raises(headscope.HeadscopeError, match="SIGSEGV.*: last words") as failure:
        headscope.trace("m", "x", executable=script("echo last words >&2; kill -SEGV $$"))
    assert failure.value.status == -signal.SIGSEGV


def test_notes_become_warnings():
    with pytest.warns(headscope.HeadscopeWarning, match="403 tokens"):
        headscope.trace("builtin:stories", "the cat " * 200, sites="hook_embed")


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "word " * 100_000])
def test_texts_that_cannot_be_passed_are_refused(text):
    with pytest.raises(headscope.HeadscopeError):
        headscope.trace("builtin:stories", text)


def test_the_time_limit_ends_it(script, tmp_path, temporary):
    stand_in = script(f"echo $$ > {tmp_path}/pid; exec sleep 100")
    with pytest.raises(headscope.TimeLimitError, match="0.5 s"):
        headscope.trace("m", "x", timeout=0.5, executable=stand_in)
    assert not is_alive(tmp_path / "pid")
    assert list(temporary.iterdir()) == []


def test_ctrl_c_ends_it(script, tmp_path, temporary):
    stand_in = script(f"echo $$ > {tmp_path}/pid; exec sleep 100")
    threading.Thread(target=interrupt_when, args=[tmp_path / "pid"]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        headscope.scores("m", "x", executable=stand_in)
    assert time.monotonic() - begun < 30  # it was asked to end, not killed after the time to save
    assert not is_alive(tmp_path / "pid")
    assert list(temporary.iterdir()) == []


def test_ctrl_c_waits_until_a_process_is_known():
    steps = []
    with pytest.raises(KeyboardInterrupt):
        with headscope.program.ctrl_c_postponed():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("started")
        steps.append("went on")
    assert steps == ["started"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def interrupt_when(path):
    wait_until(lambda: path.is_file() and path.read_text().strip())
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)


def is_alive(path):
    try:
        os.kill(int(path.read_text()), 0)
    except ProcessLookupError:
        return False
    return True

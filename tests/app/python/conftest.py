"""What the tests of the Python package share: the executable, a short training run."""

import os
import sys
import time
from pathlib import Path

import pytest

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "app" / "python"))

import headscope  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def executable():
    """The executable: $HEADSCOPE, as ctest sets it, or the build of this source tree."""
    try:
        program = headscope.find_program()
    except headscope.HeadscopeError as error:
        if "HEADSCOPE" in os.environ:
            raise
        pytest.skip(str(error))
    os.environ["HEADSCOPE"] = str(program)
    return program


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A short run of the repeat task, and the lines of progress that it reported."""
    lines = []
    trained = headscope.train("repeat", tmp_path_factory.mktemp("runs") / "repeat", steps=40, progress=lines.append)
    return trained, lines


@pytest.fixture
def script(tmp_path):
    """Makes a stand-in for the executable out of a shell script."""

    def make(text):
        path = tmp_path / "stand-in"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """An empty folder in which this process makes its temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)

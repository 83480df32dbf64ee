"""Finds the executable and runs it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Callable, Iterable, Iterator, List, Optional, Union

from .errors import HeadscopeError, HeadscopeWarning, TimeLimitError

StrPath = Union[str, "os.PathLike[str]"]

_NAME = "headscope"
_PREFIX = "headscope: "
_ERROR_PREFIX = "headscope: error: "
_SECONDS_TO_SAVE = 60.0
_BUILDS = ("release", "dev", "no-opencl", "console")


def find_program(executable: Optional[StrPath] = None) -> Path:
    """Path of the executable.

    The first of: `executable`, the environment variable ``HEADSCOPE``, ``PATH``, the ``bin`` folder of this
    Python, and the builds of the source tree that this package lies in. Raises HeadscopeError.
    """
    for origin, given in (("executable", executable), ("$HEADSCOPE", os.environ.get("HEADSCOPE"))):
        if given:
            found = shutil.which(os.path.expanduser(os.fspath(given)))
            if not found:
                raise HeadscopeError(f"{given} is not a program ({origin}). Give the path of the executable headscope")
            return Path(found).absolute()
    on_path = shutil.which(_NAME)
    if on_path:
        return Path(on_path).absolute()
    for place in _usual_places():
        if os.access(place, os.X_OK) and place.is_file():
            return place
    raise HeadscopeError(
        "the executable headscope was not found (PATH). Install Headscope, or give its path in the environment "
        "variable HEADSCOPE or as executable=..."
    )


def _usual_places() -> Iterable[Path]:
    yield Path(sys.prefix) / "bin" / _NAME
    for folder in Path(__file__).resolve().parents:
        if (folder / "CMakePresets.json").is_file():
            yield from (folder / "build" / build / "bin" / _NAME for build in _BUILDS)


def option(name: str, value: Optional[object]) -> List[str]:
    """``["--name=value"]``, so that a value may begin with a dash; nothing for None."""
    if value is None:
        return []
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    return [f"--{name}={text}"] if text else [f"--{name}", ""]  # "--text=" would take the next word


def start(
    arguments: Iterable[str],
    executable: Optional[StrPath],
    *,
    stdout: int,
    stderr: IO[bytes],
) -> "subprocess.Popen[bytes]":
    """Starts the executable in a session of its own: Ctrl+C reaches this process alone, which passes it on."""
    program = find_program(executable)
    try:
        command = [os.fsencode(program), *(argument.encode("utf-8") for argument in arguments)]
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
        )
    except UnicodeEncodeError as error:
        raise HeadscopeError("the text is not valid Unicode: it contains a lone surrogate") from error
    except ValueError as error:
        raise HeadscopeError(f"the text cannot be passed to the executable: {error}") from error
    except OSError as error:
        raise HeadscopeError(f"{program} cannot be started: {error.strerror or error}") from error


@contextmanager
def ctrl_c_postponed() -> Iterator[None]:
    """Ctrl+C inside the block acts at its end, so that no process is started and then forgotten."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    pressed: List[Any] = []
    signal.signal(signal.SIGINT, lambda *arguments: pressed.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed:
        handler(*pressed[0])


def stop(process: "subprocess.Popen[bytes]", seconds: float = _SECONDS_TO_SAVE) -> None:
    """Asks the process to end and waits; a training run saves first. Kills it after `seconds`."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        pass
    finally:  # also when Ctrl+C was pressed again
        if process.poll() is None:
            process.kill()
            process.wait()


def run(
    arguments: Iterable[str],
    *,
    executable: Optional[StrPath] = None,
    timeout: Optional[float] = None,
    each_line: Optional[Callable[[str], None]] = None,
) -> str:
    """Runs the executable to its end and returns its standard output.

    `each_line` receives the lines as they are written; then the result is empty. Notes of the executable become
    HeadscopeWarning. Raises HeadscopeError with its sentence when it fails and TimeLimitError when `timeout`
    seconds have passed. KeyboardInterrupt, and whatever `each_line` raises, stops it first.
    """
    lines: List[str] = []
    with tempfile.TemporaryFile() as messages:
        process = None
        limit = None
        try:
            with ctrl_c_postponed():
                process = start(arguments, executable, stdout=subprocess.PIPE, stderr=messages)
            limit = _TimeLimit(process, timeout)
            assert process.stdout is not None
            for line in process.stdout:
                (each_line or lines.append)(line.decode("utf-8", "replace"))
            process.wait()
        except BaseException:
            if process:
                stop(process)
            raise
        finally:
            if limit:
                limit.cancel()
            if process and process.stdout:
                process.stdout.close()
        if limit.has_passed:
            raise TimeLimitError(f"stopped after the time limit of {timeout:g} s", process.returncode)
        check(process.returncode, messages)
    return "".join(lines)


class _TimeLimit:
    """Stops a process after some seconds, unless it is cancelled before."""

    def __init__(self, process: "subprocess.Popen[bytes]", seconds: Optional[float]) -> None:
        self.has_passed = False
        self._process = process
        self._timer = None if seconds is None else threading.Timer(seconds, self._expire)
        if self._timer:
            self._timer.daemon = True
            self._timer.start()

    def cancel(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _expire(self) -> None:
        self.has_passed = True
        self._process.terminate()
        try:
            self._process.wait(_SECONDS_TO_SAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()


def check(status: int, messages: IO[bytes]) -> None:
    """Raises the error that the executable wrote if it failed; warns of its notes."""
    messages.seek(0)
    lines = messages.read().decode("utf-8", "replace").splitlines()
    lines = [line.rsplit("\r", 1)[-1] for line in lines if line.strip()]
    if status != 0:
        raise HeadscopeError(failure_text(status, lines), status)
    for line in lines:
        if line.startswith(_PREFIX):
            warnings.warn(line[len(_PREFIX) :], HeadscopeWarning, stacklevel=4)


def failure_text(status: int, lines: List[str]) -> str:
    """The sentence of a failure, from what was written to standard error."""
    for line in reversed(lines):
        if line.startswith(_ERROR_PREFIX):
            return line[len(_ERROR_PREFIX) :]
    how = f"exit status {status}"
    if status < 0:
        try:
            how = signal.Signals(-status).name
        except ValueError:  # a real-time signal
            how = f"signal {-status}"
    return f"the executable headscope failed ({how})" + (f": {lines[-1]}" if lines else "")

"""The window of Headscope, opened on attention that Python holds."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, List, Optional, Set, Type

from .captured import capture
from .errors import HeadscopeError
from .program import StrPath, ctrl_c_postponed, failure_text, option, start, stop

_SECONDS_TO_CLOSE = 5.0
_SECONDS_TO_FAIL = 0.5
_open_windows: Set["Window"] = set()


class Window:
    """A window that show() opened. It closes with the Python process at the latest; as a context manager, at the
    end of the ``with`` block."""

    def __init__(self, arguments: List[str], folder: Path, executable: Optional[StrPath]) -> None:
        self._folder = folder
        self._messages = tempfile.TemporaryFile()
        self._closed = threading.Event()
        self._is_asked_to_close = False
        self._failure: Optional[HeadscopeError] = None
        try:
            self._process = start(arguments, executable, stdout=subprocess.DEVNULL, stderr=self._messages)
        except BaseException:
            self._clean_up()
            raise
        _open_windows.add(self)
        threading.Thread(target=self._watch, name="headscope-window", daemon=True).start()

    def __repr__(self) -> str:
        return f"<headscope.Window, {'open' if self.is_open else 'closed'}>"

    def __enter__(self) -> "Window":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        return not self._closed.is_set()

    @property
    def pid(self) -> int:
        """Process id of the window."""
        return self._process.pid

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until the person closes the window; False if it is still open after `timeout` seconds.

        Raises HeadscopeError if the window failed.
        """
        closed = self._closed.wait(timeout)
        if self._failure:
            raise self._failure
        return closed

    def close(self) -> None:
        """Closes the window; nothing happens if it is closed."""
        self._is_asked_to_close = True
        stop(self._process, _SECONDS_TO_CLOSE)
        self._closed.wait(_SECONDS_TO_CLOSE)

    def _watch(self) -> None:
        status = self._process.wait()
        if status != 0 and not self._is_asked_to_close:
            self._messages.seek(0)
            lines = [line for line in self._messages.read().decode("utf-8", "replace").splitlines() if line.strip()]
            self._failure = HeadscopeError(failure_text(status, lines), status)
        self._clean_up()
        _open_windows.discard(self)
        self._closed.set()

    def _clean_up(self) -> None:
        self._messages.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def show(
    attentions: Any,
    tokens: Any = None,
    *,
    text: Optional[str] = None,
    source_tokens: Any = None,
    source_text: Optional[str] = None,
    model: Optional[str] = None,
    batch: Optional[int] = None,
    page: Optional[str] = None,
    theme: Optional[str] = None,
    wait: Optional[bool] = None,
    executable: Optional[StrPath] = None,
) -> Window:
    """Opens the window on attention computed in Python.

    attentions, tokens, text, source_tokens, source_text, model, batch: as for capture(); a Trace needs no tokens.
    page: the page to begin with, as "heads" or "arcs". theme: "light" or "dark".
    wait: return when the person has closed the window. By default a script waits, and an interactive session or a
        notebook goes on; the Window that is returned can be waited for and closed.

    Ctrl+C while it waits closes the window. Raises HeadscopeError, for example where there is no display:
    ``capture(...).save(path)`` then writes a file to open elsewhere.
    """
    trace = capture(
        attentions,
        tokens,
        text=text,
        source_tokens=source_tokens,
        source_text=source_text,
        model=model,
        batch=batch,
    )
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise HeadscopeError(
            "there is no display to open a window on (DISPLAY is not set). Write the attention with "
            "headscope.capture(...).save(path) and open that file with Headscope where there is one"
        )
    folder = Path(tempfile.mkdtemp(prefix="headscope-"))
    window = None
    try:
        path = trace.save(folder / f"{_file_name(trace.model)}.safetensors")
        with ctrl_c_postponed():
            window = Window([str(path), *option("page", page), *option("theme", theme)], folder, executable)
        window.wait(None if wait or (wait is None and not _is_interactive()) else _SECONDS_TO_FAIL)
    except BaseException:
        if window:
            window.close()
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return window


def _file_name(model: str) -> str:
    return re.sub(r"[^\w. -]+", "-", model.rstrip("/").rsplit("/", 1)[-1]).strip(".-") or "attention"


def _is_interactive() -> bool:
    ipython = sys.modules.get("IPython")
    return hasattr(sys, "ps1") or bool(sys.flags.interactive) or bool(ipython and ipython.get_ipython())


@atexit.register
def _close_all() -> None:
    for window in list(_open_windows):
        window.close()

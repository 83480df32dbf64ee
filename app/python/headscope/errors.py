"""The errors and warnings that this package raises."""

from __future__ import annotations

from typing import Optional


class HeadscopeError(RuntimeError):
    """Something failed; the message says what, where, and what to do.

    For a failure of the executable it is the executable's own sentence.
    """

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status
        """Exit status of the executable: 1 failed, 2 wrong usage; None if it was not started."""


class TimeLimitError(HeadscopeError, TimeoutError):
    """The executable was stopped because its time limit had passed."""


class HeadscopeWarning(UserWarning):
    """A note of the executable, such as that a text was truncated, or an activation left out."""

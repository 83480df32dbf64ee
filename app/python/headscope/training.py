"""Training."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .program import StrPath, option, run
from .runs import Run


def train(
    task: Union[StrPath, Mapping[str, Any]],
    out: StrPath,
    *,
    steps: Optional[int] = None,
    seed: Optional[int] = None,
    text: Optional[StrPath] = None,
    resume: bool = False,
    fork: Optional[int] = None,
    device: Optional[str] = None,
    progress: Optional[Callable[[Dict[str, Any]], None]] = None,
    timeout: Optional[float] = None,
    executable: Optional[StrPath] = None,
) -> Run:
    """Trains a model into the folder `out` and returns the run.

    task: a task that is built in ("repeat", "stories", ...), the path of a training configuration, or one as a
        dict; with `fork`, the Run to fork.
    steps: stop after so many updates in all. seed: instead of the configuration's.
    text: a file to learn from, instead of the configuration's data.
    resume: go on from the newest checkpoint in `out`. fork: go on from this step of the run `task`.
    progress: receives each line of the log as a dict, {"step": 10, "loss": 5.8, ...}, as it is written.
    timeout: in seconds. When it has passed, the run is saved and TimeLimitError raised.

    Ctrl+C, or an exception from `progress`, saves the run and stops it; ``resume=True`` goes on from there. Raises
    HeadscopeError with the sentence of the executable.
    """
    with tempfile.TemporaryDirectory(prefix="headscope-") as folder:
        arguments = ["train", _configuration(task, Path(folder)), "--json", *option("out", Path(out))]
        arguments += option("steps", steps) + option("seed", seed) + option("fork", fork)
        arguments += option("device", device) + option("text", None if text is None else Path(text))
        arguments += ["--resume"] if resume else []

        def report(line: str) -> None:
            if progress and line.strip():
                progress(json.loads(line))

        run(arguments, executable=executable, timeout=timeout, each_line=report)
    return Run(out)


def _configuration(task: Union[StrPath, Mapping[str, Any]], folder: Path) -> str:
    if isinstance(task, Mapping):
        path = folder / "config.json"
        path.write_text(json.dumps(task), "utf-8")
        return str(path)
    name = os.fspath(task)
    is_builtin_name = isinstance(task, str) and os.sep not in name and not name.endswith(".json") and ":" not in name
    return f"builtin:{name}" if is_builtin_name and not os.path.exists(name) else name

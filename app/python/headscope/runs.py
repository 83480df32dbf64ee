"""Training runs on disk: their log, the scores of their heads, their snapshots."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from .errors import HeadscopeError
from .program import StrPath


class Snapshot(Mapping[str, "NDArray[np.float32]"]):
    """The weights of one step, by name. Each array is read when it is asked for.

    A Snapshot is also a path: trace(), scores() and ``--model`` take it as a model.
    """

    def __init__(self, path: StrPath, step: int) -> None:
        self.path = Path(path)
        self.step = step
        try:
            with safe_open(os.fspath(self.path), framework="numpy") as file:
                self._names: List[str] = list(file.keys())
                self.metadata: Dict[str, str] = dict(file.metadata() or {})
        except (OSError, SafetensorError) as error:
            raise HeadscopeError(f"the snapshot cannot be read: {error} ({self.path})") from error

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        if name not in self._names:
            raise KeyError(name)
        with safe_open(os.fspath(self.path), framework="numpy") as file:
            array: NDArray[np.float32] = file.get_tensor(name)
            return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<headscope.Snapshot of step {self.step}: {len(self)} arrays>"

    @property
    def config(self) -> Dict[str, Any]:
        """The configuration of the model."""
        config: Dict[str, Any] = json.loads(self.metadata.get("config", "{}"))
        return config

    @property
    def optimizer(self) -> Optional["Snapshot"]:
        """Adam's moments, "first.NAME" and "second.NAME"; None where they were not kept."""
        path = self.path.with_name(f"optimizer-{self.step}.safetensors")
        return Snapshot(path, self.step) if path.is_file() else None


class HeadCurves(Mapping[str, "NDArray[np.float64]"]):
    """Scores of all heads while a run learned, by name, each [measurements, heads]; NaN where not defined."""

    def __init__(self, points: List[Mapping[str, Any]]) -> None:
        self.steps: NDArray[np.int64] = np.array([point["step"] for point in points], np.int64)
        """Step of each measurement."""
        self.heads: List[str] = list(points[0]["places"]) if points else []
        """"L0H3": layer 0, head 3; of an encoder-decoder "E0H3", "D0H3", "C0H3" (cross-attention)."""
        names = dict.fromkeys(name for point in points for name in point if name not in ("step", "places"))
        self._arrays = {name: np.stack([self._row(point, name) for point in points]) for name in names}

    def _row(self, point: Mapping[str, Any], name: str) -> NDArray[np.float64]:
        values = dict(zip(point["places"], point.get(name) or ()))
        return np.array([_number(values.get(head)) for head in self.heads])

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def curve(self, name: str, head: str) -> NDArray[np.float64]:
        """One score of one head ("L1H1"), [measurements]."""
        if head not in self.heads:
            raise KeyError(head)
        return self[name][:, self.heads.index(head)]


class Run:
    """A training run on disk. Everything is read when it is asked for, so a run may be watched while it learns.

    A Run is also a path: trace() and scores() take it as a model, its newest snapshot.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = Path(path)
        if not (self.path / "config.json").is_file():
            raise HeadscopeError(f"this folder holds no training run: there is no config.json ({self.path})")

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def __repr__(self) -> str:
        return f"<headscope.Run {os.fspath(self.path)!r}>"

    @property
    def config(self) -> Dict[str, Any]:
        """The training configuration."""
        return _json(self.path / "config.json")

    @property
    def card(self) -> Dict[str, Any]:
        """Device, start and origin of the run; empty for runs of older versions."""
        path = self.path / "run.json"
        return _json(path) if path.is_file() else {}

    @property
    def log(self) -> Dict[str, NDArray[Any]]:
        """Columns of the log, each [lines]: "step" (int64), "loss", "val_loss", "lr", "grad_norm", "tokens_per_s",
        "layer_grad_norms.h.0", ... NaN where a line has no value."""
        lines: List[Mapping[str, Any]] = []
        for line in _json_lines(self.path / "log.jsonl"):
            if line.get("step", -1) > (lines[-1]["step"] if lines else -1):
                lines.append(_flat(line))
        names = dict.fromkeys(name for line in lines for name in line)
        columns: Dict[str, NDArray[Any]] = {
            name: np.array([_number(line.get(name)) for line in lines]) for name in names
        }
        columns["step"] = np.array([line["step"] for line in lines], np.int64)
        return columns

    @property
    def scores(self) -> HeadCurves:
        """Scores of all heads at the steps at which they were measured."""
        points: List[Mapping[str, Any]] = []
        for point in _json_lines(self.path / "scores.jsonl"):
            points = [earlier for earlier in points if earlier["step"] < point["step"]]
            points.append(point)
        return HeadCurves(points)

    @property
    def events(self) -> List[Dict[str, Any]]:
        """What happened, in order of steps: changed settings, jumps of a curve, divergence, resumed, forked."""
        return sorted(_json_lines(self.path / "events.jsonl"), key=lambda event: int(event.get("step", 0)))

    @property
    def notes(self) -> str:
        path = self.path / "notes.txt"
        return path.read_text("utf-8") if path.is_file() else ""

    @property
    def steps(self) -> List[int]:
        """Steps of the snapshots that are on disk, in order."""
        names = [re.fullmatch(r"step-(\d+)\.safetensors", path.name) for path in self._checkpoints.glob("step-*")]
        return sorted(int(name[1]) for name in names if name)

    @property
    def newest(self) -> Snapshot:
        """The last snapshot. Raises HeadscopeError where there is none yet."""
        steps = self.steps
        if not steps:
            raise HeadscopeError(f"the run has no snapshot yet ({self.path})")
        return self.snapshot(steps[-1])

    def snapshot(self, step: int) -> Snapshot:
        """The weights after `step`. Raises HeadscopeError if they were not kept."""
        path = self._checkpoints / f"step-{step}.safetensors"
        if not path.is_file():
            raise HeadscopeError(f"there is no snapshot of step {step} ({self.path}). See Run.steps")
        return Snapshot(path, step)

    @property
    def _checkpoints(self) -> Path:
        return self.path / "checkpoints"


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else float("nan")


def _flat(line: Mapping[str, Any]) -> Dict[str, Any]:
    """Names of nested objects joined by a dot; lists, such as events, are left out."""
    flat: Dict[str, Any] = {}
    for name, value in line.items():
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": number for inner, number in value.items()})
        elif not isinstance(value, list):
            flat[name] = value
    return flat


def _json(path: Path) -> Dict[str, Any]:
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise HeadscopeError(f"the file cannot be read: {error} ({path})") from error
    if not isinstance(value, dict):
        raise HeadscopeError(f"the file holds no JSON object ({path})")
    return value


def _json_lines(path: Path) -> List[Dict[str, Any]]:
    """The objects of a file of JSON lines; a last line that is still being written is left out."""
    if not path.is_file():
        return []
    objects: List[Dict[str, Any]] = []
    for line in path.read_text("utf-8", "replace").split("\n")[:-1]:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            objects.append(value)
    return objects

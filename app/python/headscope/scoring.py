"""Scores of every head."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .captured import capture
from .errors import HeadscopeError
from .program import StrPath, option, run

_MAIN_PARTS = ("", "decoder", "encoder", "cross")


class Scores(Mapping[str, "NDArray[np.float64]"]):
    """Scores of all heads by name ("entropy", "previous_token", "induction_on_text", ...), each [layers, heads].

    NaN where a score is not defined; `undefined` says why.
    """

    def __init__(self, report: Mapping[str, Any], part: Optional[str] = None) -> None:
        self.report = dict(report)
        """All that ``headscope inspect --json`` reported, such as "lens", "labels" and "attribution"."""
        available = list(dict.fromkeys(str(head.get("part", "")) for head in report["heads"]))
        self.parts: List[str] = [name for name in available if name]
        """Of an encoder-decoder: "encoder", "decoder", "cross"; see of()."""
        self.part = next(name for name in _MAIN_PARTS if name in available) if part is None else part
        if self.part not in available:
            raise KeyError(part)
        self._arrays = _arrays([head for head in report["heads"] if head.get("part", "") == self.part])
        self.tokens: List[str] = list(report["tokens"])
        self.model = str(report["model"])
        self.sink_rate = float("nan") if report.get("sink_rate") is None else float(report["sink_rate"])
        """Fraction of heads that attend mostly to the first token."""
        self.undefined: Dict[str, str] = dict(report.get("undefined", {}).get(self.part, {}))
        """Why a score is NaN, by its name."""

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        layers, heads = next(iter(self._arrays.values())).shape
        return f"<headscope.Scores of {self.model}: {len(self)} scores of {layers} × {heads} heads>"

    def of(self, part: str) -> "Scores":
        """The scores of another part of an encoder-decoder. Raises KeyError."""
        return Scores(self.report, part)

    def best(self, name: str, count: int = 1) -> List[Tuple[int, int, float]]:
        """(layer, head, value) of the heads with the highest score, highest first; undefined values are left out."""
        array = self[name]
        order = np.argsort(-array, axis=None, kind="stable")[: int(np.isfinite(array).sum())][:count]
        places = [np.unravel_index(int(index), array.shape) for index in order]
        return [(int(layer), int(head), float(array[layer, head])) for layer, head in places]


def _arrays(heads: List[Mapping[str, Any]]) -> Dict[str, NDArray[np.float64]]:
    shape = (1 + max(head["layer"] for head in heads), 1 + max(head["head"] for head in heads))
    names = sorted({name for head in heads for name in head} - {"layer", "head", "part"})
    arrays = {name: np.full(shape, np.nan) for name in names}
    for head in heads:
        for name in names:
            if head.get(name) is not None:
                arrays[name][head["layer"], head["head"]] = head[name]
    return arrays


def scores(
    model: Any,
    text: Any = None,
    *,
    labels: bool = False,
    lens: bool = False,
    attribution: bool = False,
    target: Optional[str] = None,
    against: Optional[str] = None,
    position: Optional[int] = None,
    device: Optional[str] = None,
    timeout: Optional[float] = None,
    executable: Optional[StrPath] = None,
) -> Scores:
    """Scores every head on a text.

    model, text: a model as for trace() and a text; or attention and tokens, as for capture(); or a Trace alone.
    labels, lens, attribution: also report what each head does, the logit lens, and direct logit attribution, for
        the token `target` (default: the most likely one) less the token `against`, predicted after the token number
        `position`. They are in Scores.report. timeout: in seconds.

    Raises HeadscopeError with the sentence of the executable.
    """
    arguments = ["inspect", "--json", *option("device", device)]
    for name, wanted in (("labels", labels), ("lens", lens), ("attribution", attribution)):
        arguments += [f"--{name}"] if wanted else []
    arguments += option("target", target) + option("against", against) + option("position", position)
    with tempfile.TemporaryDirectory(prefix="headscope-") as folder:
        if _names_a_model(model):
            if not isinstance(text, str):
                raise HeadscopeError("text is missing: a model is scored on a text")
            arguments += option("model", model) + option("text", text)
        else:
            arguments += option("trace", capture(model, text).save(Path(folder) / "trace.safetensors"))
        output = run(arguments, executable=executable, timeout=timeout)
    return Scores(json.loads(output))


def _names_a_model(model: Any) -> bool:
    return isinstance(model, str) or hasattr(model, "__fspath__")

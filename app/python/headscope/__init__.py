"""Headscope from Python.

The package starts the executable ``headscope`` and exchanges files with it; it needs numpy and safetensors.

>>> import headscope
>>> trace = headscope.trace("builtin:stories", "The cat sat on the mat")
>>> trace["blocks.1.attn.hook_pattern"].shape  # [heads, queries, keys]
(8, 7, 7)
>>> headscope.show(outputs, inputs)  # outputs of Transformers, or a cache of TransformerLens
"""

from .captured import capture
from .errors import HeadscopeError, HeadscopeWarning, TimeLimitError
from .program import find_program
from .runs import HeadCurves, Run, Snapshot
from .scoring import Scores, scores
from .tokens import TokenizedText
from .traces import Trace, load, trace
from .training import train
from .windows import Window, show

__version__ = "0.1.0"

__all__ = [
    "HeadCurves",
    "HeadscopeError",
    "HeadscopeWarning",
    "Run",
    "Scores",
    "Snapshot",
    "TimeLimitError",
    "TokenizedText",
    "Trace",
    "Window",
    "capture",
    "find_program",
    "load",
    "scores",
    "show",
    "trace",
    "train",
]

"""Traces: what every layer did in one forward pass."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from .errors import HeadscopeError
from .program import StrPath, option, run
from .tokens import TokenizedText

Heads = Union[str, Iterable[Union[str, Tuple[int, int]]]]
"""``"L0H3,L1H2"``, or (layer, head) pairs counted from 0; of encoder-decoders "E0H3", "D0H3", "C0H3"."""

_FORMAT = "headscope-trace"
_PREFIXES = {"self": "blocks.{}.attn", "encoder": "encoder.{}.attn", "decoder": "decoder.{}.attn",
             "cross": "decoder.{}.cross_attn"}  # fmt: skip


class Trace(Mapping[str, "NDArray[np.float32]"]):
    """The activations of one text, by their TransformerLens names.

    With n tokens, h heads (h_kv of keys and values), m keys:

    ``blocks.0.attn.hook_pattern``, ``hook_attn_scores``  [h, n, m]
    ``blocks.0.attn.hook_q``, ``hook_z`` [n, h, d_head]; ``hook_k``, ``hook_v`` [n, h_kv, d_head]
    ``blocks.0.hook_resid_pre``, ``hook_attn_out``, ``hook_resid_mid``, ``hook_mlp_out``, ``hook_resid_post`` [n, d]
    ``blocks.0.mlp.hook_pre``, ``hook_post`` [n, d_mlp]
    ``hook_embed``, ``hook_pos_embed``, ``ln_final.hook_normalized`` [n, d]; ``logits`` [n, vocabulary]

    Encoder-decoders have ``encoder.0.…``, ``decoder.0.…`` and ``decoder.0.cross_attn.hook_pattern``.
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[np.float32]],
        sequence: TokenizedText,
        *,
        source: Optional[TokenizedText] = None,
        model: str = "",
        settings: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._arrays = dict(arrays)
        self.sequence = sequence
        """The text; of an encoder-decoder what its decoder reads."""
        self.source = source
        """What the encoder of an encoder-decoder reads, else None."""
        self.model = model
        self.settings: Dict[str, Any] = dict(settings or {})
        """Mask, ablated heads and device of the forward pass, as far as they are known."""

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<headscope.Trace of {self.model or 'a model'}: {len(self.tokens)} tokens, {len(self)} activations>"

    @property
    def tokens(self) -> List[str]:
        """The tokens as the vocabulary spells them."""
        return self.sequence.tokens

    @property
    def ids(self) -> Optional[List[int]]:
        """Numbers of the tokens in the vocabulary."""
        return self.sequence.ids

    @property
    def turns(self) -> Optional[List[int]]:
        """Turn of a chat that each token is from, counted from 0; -1: the template's. None for a text."""
        return self.sequence.turns

    @property
    def roles(self) -> Optional[List[str]]:
        """Role of each turn of a chat: "system", "user", "assistant"."""
        return self.sequence.roles

    @property
    def text(self) -> Optional[str]:
        return self.sequence.text

    def patterns(self, kind: str = "self") -> NDArray[np.float32]:
        """Attention weights of all layers and heads, [layers, heads, queries, keys].

        `kind` is "self", or of an encoder-decoder "encoder", "decoder" or "cross".
        """
        if kind not in _PREFIXES:
            raise ValueError(f"kind is {kind!r}, expected one of {', '.join(_PREFIXES)}")
        name = _PREFIXES[kind] + ".hook_pattern"
        layers: List[NDArray[np.float32]] = []
        while name.format(len(layers)) in self._arrays:
            layers.append(self._arrays[name.format(len(layers))])
        if not layers:
            raise KeyError(name.format(0))
        return np.stack(layers)

    def save(self, path: StrPath) -> Path:
        """Writes a trace file (.safetensors), which Headscope opens. An existing file is replaced at the end."""
        goal = Path(path)
        metadata = {
            "format": _FORMAT,
            "version": "1",
            "model": self.model,
            "settings": json.dumps(self.settings),
            **self.sequence.metadata(),
        }
        if self.source is not None:
            metadata.update(self.source.metadata("source_"))
        arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in self._arrays.items()}
        unfinished = goal.with_name(f".{goal.name}.{os.getpid()}")
        try:
            save_file(arrays, unfinished, metadata)
            os.replace(unfinished, goal)
        except (OSError, SafetensorError) as error:
            raise HeadscopeError(f"the trace cannot be written: {error} ({goal})") from error
        finally:
            unfinished.unlink(missing_ok=True)
        return goal


def load(path: StrPath) -> Trace:
    """Reads a trace file. Raises HeadscopeError for a file that is none."""
    try:
        with safe_open(os.fspath(path), framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}
        sequence = TokenizedText.from_metadata(metadata)
        source = TokenizedText.from_metadata(metadata, "source_")
        settings = json.loads(metadata.get("settings") or "{}")
    except (OSError, SafetensorError, ValueError, TypeError) as error:
        raise HeadscopeError(f"the trace cannot be read: {error} ({os.fspath(path)})") from error
    if metadata.get("format") != _FORMAT or sequence is None:
        raise HeadscopeError(f"this file is not a Headscope trace ({os.fspath(path)})")
    return Trace(arrays, sequence, source=source, model=metadata.get("model", ""), settings=settings)


def trace(
    model: StrPath,
    text: Optional[str] = None,
    *,
    ids: Optional[Sequence[int]] = None,
    text_pair: Optional[str] = None,
    target: Optional[str] = None,
    target_ids: Optional[Sequence[int]] = None,
    mask: Union[str, ArrayLike, None] = None,
    positions: Optional[str] = None,
    ablate: Optional[Heads] = None,
    sites: Union[str, Iterable[str], None] = None,
    device: Optional[str] = None,
    timeout: Optional[float] = None,
    executable: Optional[StrPath] = None,
) -> Trace:
    """Runs a text through a model once and returns what every layer did.

    model: "builtin:NAME", a GGUF file, a folder in the Hugging Face layout, a checkpoint, a Run or a Snapshot.
    text, or ids: what the model reads (of an encoder-decoder its encoder). text_pair: a second segment (BERT).
    target, or target_ids (start token included): what the decoder of an encoder-decoder reads.
    mask: "causal", "none", "window:W", or booleans [n, n], true where a query may attend to a key.
    positions: "learned", "sinusoidal", "none", "rope", "alibi" or "relative" instead of the model's own.
    ablate: heads whose output is replaced by zero, "L0H3,L1H2" or [(0, 3), (1, 2)].
    sites: globs over names, as "blocks.*.attn.hook_pattern"; all activations by default.
    device: "auto", "cpu", "opencl" or "opencl:INDEX". timeout: in seconds.

    Raises HeadscopeError with the sentence of the executable.
    """
    if (text is None) == (ids is None):
        raise HeadscopeError("give either text or ids")
    with tempfile.TemporaryDirectory(prefix="headscope-") as folder:
        output = Path(folder) / "trace.safetensors"
        arguments = ["trace", *option("model", model), *option("out", output), *option("device", device)]
        arguments += option("text", text) + option("ids", _numbers(ids)) + option("text-pair", text_pair)
        arguments += option("target", target) + option("target-ids", _numbers(target_ids))
        arguments += option("mask", _mask(mask, Path(folder))) + option("positions", positions)
        arguments += option("ablate", heads_text(ablate))
        arguments += option("sites", sites if sites is None or isinstance(sites, str) else ",".join(sites))
        run(arguments, executable=executable, timeout=timeout)
        return load(output)


def _numbers(ids: Optional[Sequence[int]]) -> Optional[str]:
    return None if ids is None else ",".join(str(int(number)) for number in ids)


def _mask(mask: Union[str, ArrayLike, None], folder: Path) -> Union[str, Path, None]:
    if mask is None or isinstance(mask, str):
        return mask
    cells = np.asarray(mask)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise HeadscopeError(f"the mask has the shape {list(cells.shape)}, expected [n, n] for n tokens")
    path = folder / "mask.txt"
    np.savetxt(path, cells.astype(bool), fmt="%d")
    return path


def heads_text(heads: Optional[Heads]) -> Optional[str]:
    """Heads as the command line takes them."""
    if heads is None or isinstance(heads, str):
        return heads
    return ",".join(head if isinstance(head, str) else f"L{head[0]}H{head[1]}" for head in heads) or None

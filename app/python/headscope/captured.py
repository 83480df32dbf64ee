"""Attention that was computed elsewhere: outputs of Transformers, caches of TransformerLens."""

from __future__ import annotations

import re
import warnings
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import HeadscopeError, HeadscopeWarning
from .tokens import TokenizedText, tokenized
from .traces import Trace

Arrays = Dict[str, Any]

_PER_HEAD = r"(?:cross_)?attn\.hook_(?:q|k|v|rot_q|rot_k|z|attn_scores|pattern)"
_PER_TOKEN = (
    r"hook_(?:resid_pre|attn_out|resid_mid|cross_attn_out|resid_mid_cross|mlp_out|resid_post)"
    r"|mlp\.hook_(?:pre|pre_linear|post)"
)
_KNOWN = re.compile(
    rf"(?P<layer>(?:blocks|encoder|decoder)\.\d+)\.(?:(?P<per_head>{_PER_HEAD})|{_PER_TOKEN})"
    r"|(?:encoder\.)?(?:hook_embed|hook_pos_embed|ln_final\.hook_normalized)|logits"
)
_PATTERN = re.compile(r".*attn\.hook_pattern")
_SCORES = re.compile(r".*attn\.hook_(?:pattern|attn_scores)")
_SOURCE_ROWS = re.compile(r"encoder\..*|.*\.cross_attn\.hook_[kv]")


def capture(
    attentions: Any,
    tokens: Any = None,
    *,
    text: Optional[str] = None,
    source_tokens: Any = None,
    source_text: Optional[str] = None,
    model: Optional[str] = None,
    batch: Optional[int] = None,
) -> Trace:
    """The attention of one text, as a Trace to show, score or save.

    attentions: outputs of a Transformers model that was called with ``output_attentions=True`` (hidden states are
        taken along where they are there); their ``attentions`` alone, a tuple over layers of [batch, heads, n, n];
        an ActivationCache of TransformerLens or any mapping of its names to arrays, with or without a batch; a Trace.
        Arrays may be of PyTorch, NumPy or whatever ``numpy.asarray`` takes, on any device, in any float type.
    tokens: n strings (``tokenizer.convert_ids_to_tokens(ids)``, ``model.to_str_tokens(text)``), or what a fast
        tokenizer of Transformers returned, whose padding is then removed.
    text: the text that such a tokenizer read, which places its tokens exactly.
    source_tokens, source_text: the same of the encoder, for an encoder-decoder.
    model: a name for the model. batch: which text of a batch, counted from 0.

    Raises HeadscopeError. Activations that do not fit the tokens, or are not finite, are left out with a
    HeadscopeWarning; patterns must fit.
    """
    if isinstance(attentions, Trace):
        return attentions
    found = _named_arrays(attentions)
    number = _sequence_number(found, batch)
    sequence, places = tokenized(tokens, text, number)
    source, source_places = None, []  # type: Optional[TokenizedText], List[int]
    if source_tokens is not None:
        source, source_places = tokenized(source_tokens, source_text, number)
    elif any(_SOURCE_ROWS.fullmatch(name) for name in found):
        raise HeadscopeError("source_tokens are missing: this is the attention of an encoder-decoder")
    arrays = {name: _one_text(name, array, number) for name, array in found.items()}
    arrays = _checked(arrays, len(sequence), len(source) if source else 0)
    for name, array in arrays.items():
        arrays[name] = _without_padding(name, array, places, source_places)
    return Trace(
        arrays,
        sequence.kept(places),
        source=source.kept(source_places) if source else None,
        model=model or "attention from Python",
        settings=_settings(arrays),
    )


def _named_arrays(attentions: Any) -> Arrays:
    """Arrays by their TransformerLens names."""
    found: Arrays = {}
    stacks = {"attentions": "blocks", "encoder_attentions": "encoder", "decoder_attentions": "decoder"}
    for field, stack in stacks.items():
        _add_layers(found, _field(attentions, field), stack + ".{}.attn.hook_pattern")
    _add_layers(found, _field(attentions, "cross_attentions"), "decoder.{}.cross_attn.hook_pattern")
    if found:
        for field, stack in stacks.items():
            _add_states(found, _field(attentions, field.replace("attentions", "hidden_states")), stack)
    elif isinstance(attentions, (tuple, list)):
        _add_layers(found, attentions, "blocks.{}.attn.hook_pattern")
    elif callable(getattr(attentions, "items", None)):
        found = {str(name): array for name, array in attentions.items() if _KNOWN.fullmatch(str(name))}
    if not any(_PATTERN.fullmatch(name) for name in found):
        raise HeadscopeError(
            "there are no attention patterns. With Transformers load the model with "
            'attn_implementation="eager" and call it with output_attentions=True; with TransformerLens keep '
            "blocks.*.attn.hook_pattern in the cache"
        )
    return found


def _field(outputs: Any, name: str) -> Any:
    if isinstance(outputs, (tuple, list)) and not hasattr(outputs, name):
        return None
    value = getattr(outputs, name, None)
    if value is None and isinstance(outputs, dict):
        value = outputs.get(name)
    return value


def _add_layers(found: Arrays, layers: Any, name: str) -> None:
    for layer, array in enumerate(layers if layers is not None else ()):
        if array is None:  # a layer without attention, or a fused kernel that keeps no pattern
            continue
        if isinstance(array, (tuple, list)):
            raise HeadscopeError(
                "these attentions are of single steps, as generate() returns them. Call the model once with all "
                "tokens: model(sequences, output_attentions=True)"
            )
        found[name.format(layer)] = array


def _add_states(found: Arrays, states: Any, stack: str) -> None:
    """Hidden states before each layer; the last has been through the final norm in most models, so it is not kept."""
    states = list(states if states is not None else ())
    for layer, state in enumerate(states[:-1]):
        found[f"{stack}.{layer}.hook_resid_pre"] = state
        if layer > 0:
            found[f"{stack}.{layer - 1}.hook_resid_post"] = state


def _rank(name: str) -> int:
    match = _KNOWN.fullmatch(name)
    return 3 if match and match["per_head"] else 2


def _sequence_number(found: Arrays, batch: Optional[int]) -> int:
    sizes = [
        array.shape[0]
        for name, array in found.items()
        if _PATTERN.fullmatch(name) and len(array.shape) == _rank(name) + 1
    ]
    size = max(sizes, default=1)
    if batch is None and size > 1:
        raise HeadscopeError(f"this is the attention of {size} texts. Choose one with batch=0 to batch={size - 1}")
    if batch is not None and not 0 <= batch < size:
        raise HeadscopeError(f"there is no text {batch} in a batch of {size} (counted from 0)")
    return batch or 0


def _one_text(name: str, array: Any, number: int) -> NDArray[np.float32]:
    """The array without its batch, as float32."""
    if len(array.shape) == _rank(name) + 1:
        array = array[min(number, array.shape[0] - 1)]
    if hasattr(array, "detach"):  # PyTorch; NumPy does not know bfloat16
        array = array.detach().float().cpu().numpy()
    return np.asarray(array, np.float32)


def _fits(name: str, shape: Sequence[int], length: int, source_length: int) -> bool:
    if len(shape) != _rank(name) or 0 in shape:
        return False
    rows = source_length if _SOURCE_ROWS.fullmatch(name) else length
    if not _SCORES.fullmatch(name):
        return shape[0] == rows
    keys = source_length if ".cross_attn." in name else rows
    return tuple(shape[1:]) == (rows, keys)


def _checked(arrays: Dict[str, NDArray[np.float32]], length: int, source_length: int) -> Dict[str, NDArray[np.float32]]:
    """Those that a trace can hold."""
    kept: Dict[str, NDArray[np.float32]] = {}
    left_out: List[str] = []
    shapes: Dict[str, Tuple[int, ...]] = {}
    for name, array in arrays.items():
        site = re.sub(r"\.\d+\.", ".*.", name)
        is_pattern = _PATTERN.fullmatch(name) is not None
        fits = _fits(name, array.shape, length, source_length)
        same = shapes.setdefault(site, array.shape) == array.shape if fits else False
        if is_pattern and not fits:
            tokens = f"{length} tokens" + (f" and {source_length} source tokens" if source_length else "")
            raise HeadscopeError(f"{name} has the shape {list(array.shape)}, which does not fit {tokens}")
        if is_pattern and not same:
            raise HeadscopeError(f"{name} has the shape {list(array.shape)}, an earlier layer {list(shapes[site])}")
        masked = array[array != -np.inf] if _SCORES.fullmatch(name) else array
        if is_pattern or (fits and same and bool(np.isfinite(masked).all())):
            kept[name] = array
        else:
            left_out.append(name)
    if left_out:
        more = f" and {len(left_out) - 3} more" if len(left_out) > 3 else ""
        names = ", ".join(left_out[:3]) + more
        warnings.warn(f"left out, because shapes do not fit or values are not finite: {names}", HeadscopeWarning, 4)
    return kept


def _without_padding(
    name: str, array: NDArray[np.float32], places: List[int], source_places: List[int]
) -> NDArray[np.float32]:
    rows = source_places if _SOURCE_ROWS.fullmatch(name) else places
    if not _SCORES.fullmatch(name):
        return array if len(rows) == array.shape[0] else array[rows]
    keys = source_places if ".cross_attn." in name else rows
    if array.shape[1:] == (len(rows), len(keys)):
        return array
    return array[:, rows][:, :, keys]


def _settings(arrays: Dict[str, NDArray[np.float32]]) -> Dict[str, str]:
    """The mask, which is causal unless a query attends to a later key."""
    own = [a for name, a in arrays.items() if _PATTERN.fullmatch(name) and name.startswith(("blocks.", "decoder."))]
    own = [a for a in own if a.shape[1] == a.shape[2]]
    if not own:
        return {}
    return {"mask": "none" if any(np.triu(pattern, 1).any() for pattern in own) else "causal"}

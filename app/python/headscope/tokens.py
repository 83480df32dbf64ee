"""The tokens of a text, as a trace names them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import HeadscopeError

_HOW = "Give a list of strings, as tokenizer.convert_ids_to_tokens(ids) or model.to_str_tokens(text) returns"


@dataclass(frozen=True)
class TokenizedText:
    """A text and its tokens. Lists have one entry per token."""

    tokens: List[str]
    """The tokens as the vocabulary spells them."""
    ids: Optional[List[int]] = None
    """Their numbers in the vocabulary."""
    text: Optional[str] = None
    """The text, if it is known apart from its tokens."""
    offsets: Optional[List[Tuple[int, int]]] = None
    """Byte range of each token in the UTF-8 text; (0, 0) for a special token."""
    turns: Optional[List[int]] = None
    """Turn of a chat that each token is from, counted from 0; -1 for what the chat template wrote."""
    roles: Optional[List[str]] = None
    """Role of each turn: "system", "user", "assistant"."""

    def __len__(self) -> int:
        return len(self.tokens)

    def kept(self, places: Sequence[int]) -> "TokenizedText":
        """The same text with the tokens at `places` alone."""
        return TokenizedText(
            [self.tokens[i] for i in places],
            None if self.ids is None else [self.ids[i] for i in places],
            self.text,
            None if self.offsets is None else [self.offsets[i] for i in places],
            None if self.turns is None else [self.turns[i] for i in places],
            self.roles,
        )

    def metadata(self, prefix: str = "") -> Dict[str, str]:
        """The entries of a trace file's metadata."""
        entries = {prefix + "tokens": json.dumps(self.tokens)}
        if self.ids is not None:
            entries[prefix + "ids"] = json.dumps(self.ids)
        if self.text is not None and self.offsets is not None:
            entries[prefix + "text"] = self.text
            entries[prefix + "offsets"] = json.dumps(self.offsets)
        if self.turns is not None:
            entries[prefix + "turns"] = json.dumps(self.turns)
        if self.roles is not None:
            entries[prefix + "roles"] = json.dumps(self.roles)
        return entries

    @staticmethod
    def from_metadata(metadata: Mapping[str, str], prefix: str = "") -> Optional["TokenizedText"]:
        """The text of a trace file; None where it names neither tokens nor ids."""

        def entry(name: str) -> Any:
            value = metadata.get(prefix + name)
            return None if value is None else json.loads(value)

        ids = entry("ids")
        tokens = entry("tokens")
        if tokens is None:
            if ids is None:
                return None
            tokens = [f"#{number}" for number in ids]
        offsets = entry("offsets")
        return TokenizedText(
            tokens,
            ids,
            metadata.get(prefix + "text"),
            None if offsets is None else [(begin, end) for begin, end in offsets],
            entry("turns"),
            entry("roles"),
        )


def tokenized(tokens: Any, text: Optional[str], batch: int) -> Tuple[TokenizedText, List[int]]:
    """What `tokens` says of sequence `batch`, and the places of the tokens that are no padding.

    `tokens` is a list of strings, a list of such lists, or what a fast tokenizer of Transformers returns.
    """
    if isinstance(tokens, TokenizedText):
        return tokens, list(range(len(tokens)))
    if tokens is None:
        raise HeadscopeError("tokens are missing. " + _HOW)
    if isinstance(tokens, (str, bytes)):
        raise HeadscopeError(f"tokens is one text, not its tokens. {_HOW}")
    if hasattr(tokens, "input_ids"):
        return _encoded(tokens, text, batch)
    rows = list(tokens)
    if rows and all(isinstance(row, (list, tuple)) for row in rows):
        rows = list(rows[batch]) if batch < len(rows) else []
    if not rows or not all(isinstance(token, str) for token in rows):
        raise HeadscopeError(f"tokens must be strings, one per token. {_HOW}")
    return TokenizedText([str(token) for token in rows]), list(range(len(rows)))


def _encoded(encoding: Any, text: Optional[str], batch: int) -> Tuple[TokenizedText, List[int]]:
    rows = getattr(encoding, "encodings", None)
    if not rows:
        raise HeadscopeError(f"this tokenizer does not name its tokens (it is a slow one). {_HOW}")
    if batch >= len(rows):
        raise HeadscopeError(f"the tokenizer encoded {len(rows)} texts, there is no number {batch} (counted from 0)")
    row = rows[batch]
    places = [place for place, attended in enumerate(row.attention_mask) if attended]
    offsets = None
    if text is not None and 1 not in row.sequence_ids:
        offsets = _byte_offsets(text, row.offsets)
    return TokenizedText(list(row.tokens), list(row.ids), text if offsets else None, offsets), places


def _byte_offsets(text: str, ranges: Sequence[Tuple[int, int]]) -> List[Tuple[int, int]]:
    """Ranges of bytes of the UTF-8 text, from ranges of characters."""
    byte = [0]
    for character in text:
        byte.append(byte[-1] + len(character.encode("utf-8", "surrogatepass")))
    if any(end >= len(byte) for _, end in ranges):
        raise HeadscopeError("text is not the text that the tokenizer read: its tokens lie outside it")
    return [(byte[begin], byte[end]) for begin, end in ranges]

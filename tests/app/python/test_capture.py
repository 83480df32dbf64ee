"""capture() takes attention as others hold it; the executable opens what it made of it."""

import dataclasses
import warnings

import numpy as np
import pytest

import headscope

TOKENS = ["<s>", "a", " b", " c"]


def pattern(heads=2, queries=4, keys=None, causal=True, batch=None, seed=0):
    """Random attention weights, [heads, queries, keys], or with a batch."""
    keys = keys or queries
    weights = np.random.default_rng(seed).random((*([batch] if batch else []), heads, queries, keys)) + 0.1
    weights = np.tril(weights) if causal else weights
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def opened(trace, tmp_path):
    """What the executable made of it."""
    return headscope.scores(headscope.load(trace.save(tmp_path / "trace.safetensors")))


def test_a_tuple_over_layers(tmp_path):
    layers = tuple(pattern(batch=1, seed=layer) for layer in range(3))
    trace = headscope.capture(layers, TOKENS)
    np.testing.assert_array_equal(trace.patterns(), np.concatenate(layers))
    assert trace.tokens == TOKENS and trace.settings == {"mask": "causal"}
    scores = opened(trace, tmp_path)
    assert scores["first_token"].shape == (3, 2) and scores.tokens == TOKENS
    np.testing.assert_allclose(scores["self"][1], np.diagonal(layers[1][0], axis1=1, axis2=2).mean(-1), atol=1e-6)


def test_names_of_transformer_lens(tmp_path):
    cache = {
        "blocks.0.attn.hook_pattern": pattern(),
        "blocks.0.attn.hook_attn_scores": np.where(np.tri(4), 1.0, -np.inf)[None].repeat(2, 0),
        "blocks.0.attn.hook_z": np.ones((4, 2, 8), np.float16),
        "blocks.0.hook_resid_post": np.ones((1, 4, 16)),
        "blocks.0.ln1.hook_scale": np.ones((4, 1)),
        "hook_tokens": np.ones((4, 4)),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trace = headscope.capture(cache, TOKENS, model="mine")
    assert len(trace) == 4 and all(array.dtype == np.float32 for array in trace.values())
    assert trace["blocks.0.hook_resid_post"].shape == (4, 16)
    scores = opened(trace, tmp_path)
    assert scores.model == "mine"


def test_what_attends_to_later_tokens_has_no_mask():
    assert headscope.capture([pattern(causal=False)], TOKENS).settings == {"mask": "none"}


def test_a_batch_needs_a_choice():
    layers = [pattern(batch=3)]
    with pytest.raises(headscope.HeadscopeError, match="3 texts.*batch=0 to batch=2"):
        headscope.capture(layers, TOKENS)
    with pytest.raises(headscope.HeadscopeError, match="no text 3"):
        headscope.capture(layers, TOKENS, batch=3)
    chosen = headscope.capture(layers, [TOKENS, TOKENS, ["x", "y", "z", "w"]], batch=2)
    np.testing.assert_array_equal(chosen.patterns()[0], layers[0][2])
    assert chosen.tokens == ["x", "y", "z", "w"]


def test_an_encoder_decoder(tmp_path):
    outputs = {
        "encoder_attentions": (pattern(queries=3, causal=False, batch=1),),
        "decoder_attentions": (pattern(batch=1),),
        "cross_attentions": (pattern(queries=4, keys=3, causal=False, batch=1),),
        "encoder_hidden_states": (np.zeros((1, 3, 5)), np.ones((1, 3, 5))),
    }
    with pytest.raises(headscope.HeadscopeError, match="source_tokens"):
        headscope.capture(outputs, TOKENS)
    trace = headscope.capture(outputs, TOKENS, source_tokens=["x", "y", "z"])
    assert trace.patterns("cross").shape == (1, 2, 4, 3) and trace.source.tokens == ["x", "y", "z"]
    assert "encoder.0.hook_resid_pre" in trace and trace.settings == {"mask": "causal"}
    assert opened(trace, tmp_path).parts == ["encoder", "decoder", "cross"]


def test_patterns_must_fit_the_tokens():
    with pytest.raises(headscope.HeadscopeError, match=r"\[2, 4, 4\], which does not fit 3 tokens"):
        headscope.capture([pattern()], TOKENS[:3])
    with pytest.raises(headscope.HeadscopeError, match="an earlier layer"):
        headscope.capture([pattern(heads=2), pattern(heads=3)], TOKENS)


def test_other_activations_are_left_out_where_they_do_not_fit(tmp_path):
    cache = {
        "blocks.0.attn.hook_pattern": pattern(),
        "blocks.0.attn.hook_z": np.ones((4, 16)),
        "blocks.0.hook_resid_pre": np.full((4, 16), np.inf),
        "hook_embed": np.ones((3, 16)),
    }
    with pytest.warns(headscope.HeadscopeWarning, match="hook_z, blocks.0.hook_resid_pre, hook_embed"):
        trace = headscope.capture(cache, TOKENS)
    assert list(trace) == ["blocks.0.attn.hook_pattern"]
    opened(trace, tmp_path)


@pytest.mark.parametrize("nothing", [(), (None, None), {}, {"logits": np.ones((4, 9))}, object()])
def test_no_patterns_says_how_to_get_them(nothing):
    with pytest.raises(headscope.HeadscopeError, match="output_attentions=True"):
        headscope.capture(nothing, TOKENS)


def test_attentions_of_single_steps_are_refused():
    with pytest.raises(headscope.HeadscopeError, match="generate"):
        headscope.capture(((pattern(batch=1),), (pattern(queries=1, keys=5, batch=1),)), TOKENS)


@pytest.mark.parametrize("tokens", [None, "a b c d", [1, 2, 3, 4], np.arange(4), []])
def test_tokens_are_strings(tokens):
    with pytest.raises(headscope.HeadscopeError, match="convert_ids_to_tokens"):
        headscope.capture([pattern()], tokens)


def test_a_trace_is_itself():
    trace = headscope.capture([pattern()], TOKENS)
    assert headscope.capture(trace) is trace


def test_turns_of_a_chat_stay_with_their_tokens(tmp_path):
    trace = headscope.capture([pattern()], TOKENS)
    trace.sequence = dataclasses.replace(trace.sequence, turns=[-1, 0, 0, 1], roles=["user", "assistant"])
    loaded = headscope.load(trace.save(tmp_path / "chat.safetensors"))
    assert loaded.turns == [-1, 0, 0, 1] and loaded.roles == ["user", "assistant"]
    assert loaded.sequence.kept([1, 3]).turns == [0, 1]
    assert headscope.scores(loaded).tokens == TOKENS
    assert headscope.capture([pattern()], TOKENS).turns is None


def test_turns_that_are_no_numbers_are_refused(tmp_path):
    trace = headscope.capture([pattern()], TOKENS)
    trace.sequence = dataclasses.replace(trace.sequence, turns=[-1, 0, 0, "assistant"])
    with pytest.raises(headscope.HeadscopeError, match="turn"):
        headscope.scores(headscope.load(trace.save(tmp_path / "chat.safetensors")))

"""trace() returns what the command line writes."""

import numpy as np
import pytest
from conftest import ROOT

import headscope

TEXT = "The cat sat on the mat"


@pytest.fixture(scope="module")
def trace():
    return headscope.trace("builtin:stories", TEXT)


def test_arrays_have_their_names_and_shapes(trace):
    n, heads, width = len(trace.tokens), 8, 128
    assert trace.tokens[1:3] == ["The", "Ġcat"] and len(trace.ids) == n and trace.text == TEXT
    assert trace["blocks.3.attn.hook_pattern"].shape == (heads, n, n)
    assert trace["blocks.0.attn.hook_q"].shape == (n, heads, width // heads)
    assert trace["blocks.0.hook_resid_post"].shape == (n, width)
    assert trace["logits"].shape[0] == n
    assert trace.patterns().shape == (4, heads, n, n)
    assert trace.model == "builtin:stories" and trace.settings["mask"] == "causal"


def test_rows_of_patterns_sum_to_one(trace):
    np.testing.assert_allclose(trace.patterns().sum(-1), 1, atol=1e-5)
    assert not np.triu(trace.patterns(), 1).any()


def test_the_residual_stream_adds_up(trace):
    after = trace["blocks.0.hook_resid_pre"] + trace["blocks.0.hook_attn_out"]
    np.testing.assert_allclose(after, trace["blocks.0.hook_resid_mid"], atol=1e-4)


def test_it_can_be_written_and_read(trace, tmp_path):
    (tmp_path / "cat.safetensors").write_text("an earlier one")
    path = trace.save(tmp_path / "cat.safetensors")
    again = headscope.load(path)
    assert set(again) == set(trace) and again.sequence == trace.sequence
    assert again.settings == trace.settings and again.model == trace.model
    np.testing.assert_array_equal(again.patterns(), trace.patterns())
    assert [entry.name for entry in tmp_path.iterdir()] == ["cat.safetensors"]
    assert headscope.scores(again)["entropy"].shape == (4, 8)  # the executable opens it too


def test_a_folder_that_is_missing_is_an_error(trace, tmp_path):
    with pytest.raises(headscope.HeadscopeError, match="cannot be written"):
        trace.save(tmp_path / "missing" / "cat.safetensors")


def test_ids_and_sites(trace):
    again = headscope.trace("builtin:stories", ids=trace.ids, sites=["blocks.1.attn.hook_pattern"])
    assert list(again) == ["blocks.1.attn.hook_pattern"]
    np.testing.assert_allclose(again["blocks.1.attn.hook_pattern"], trace["blocks.1.attn.hook_pattern"], atol=1e-6)
    assert again.ids == trace.ids


def test_ablated_heads_and_masks(trace):
    n = len(trace.tokens)
    mask = np.eye(n, dtype=bool)
    alone = headscope.trace("builtin:stories", TEXT, mask=mask, ablate=[(0, 3), "L1H2"])
    np.testing.assert_array_equal(alone["blocks.0.attn.hook_pattern"], np.broadcast_to(np.eye(n), (8, n, n)))
    assert alone.settings["ablate"] == ["L0H3", "L1H2"]
    assert not alone["blocks.0.attn.hook_z"][:, 3].any()
    with pytest.raises(headscope.HeadscopeError, match=r"\[n, n\]"):
        headscope.trace("builtin:stories", TEXT, mask=[True])


def test_an_encoder_decoder_has_three_kinds():
    trace = headscope.trace("builtin:dates", "march 5, 1987", target="1987")
    n, m = len(trace.tokens), len(trace.source)
    assert trace.patterns("cross").shape == (1, 4, n, m)
    assert trace.patterns("encoder").shape == (1, 4, m, m) and trace.patterns("decoder").shape == (1, 4, n, n)
    assert trace.source.text == "march 5, 1987"
    with pytest.raises(KeyError):
        trace.patterns()


@pytest.mark.parametrize("text", ["", "-x", "--help", "[a, b]", "naïve 🙂", "two\nlines", 'say "hi" $HOME'])
def test_every_text_arrives_as_it_is(text):
    trace = headscope.trace("builtin:stories", text, sites="hook_embed")
    assert trace.text == text


@pytest.mark.parametrize("name", ["gpt2", "bert"])
def test_traces_that_others_wrote(name):
    trace = headscope.load(ROOT / "tests" / "data" / "captured" / f"{name}.safetensors")
    assert trace.patterns().shape[:2] == (2, 4) and trace.text.startswith("The naïve cat")
    begin, end = trace.sequence.offsets[-2 if name == "bert" else -1]
    assert trace.text.encode()[begin:end].decode().strip() == "tired"[-(end - begin) :]


def test_either_a_text_or_ids():
    for arguments in ({}, {"text": "a", "ids": [1]}):
        with pytest.raises(headscope.HeadscopeError, match="either text or ids"):
            headscope.trace("builtin:stories", **arguments)


def test_other_files_are_refused(tmp_path, run):
    (tmp_path / "damaged.safetensors").write_bytes(b"1234")
    for path in (tmp_path / "damaged.safetensors", tmp_path / "none", run[0].newest.path):
        with pytest.raises(headscope.HeadscopeError):
            headscope.load(path)

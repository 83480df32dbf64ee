"""Caches of TransformerLens become traces; names and numbers are the same."""

import numpy as np
import pytest
from tiny_models import TEXT, byte_tokenizer, gpt2, torch

import headscope

lens = pytest.importorskip("transformer_lens", reason="TransformerLens is not installed")


def older(name):
    """What TransformerLens had before version 4."""
    try:
        return getattr(lens, name)
    except (ImportError, AttributeError):
        pytest.skip(f"TransformerLens {name} is not in this version")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("gpt2")


@pytest.fixture(scope="module")
def bridge(folder):
    if not hasattr(lens, "TransformerBridge"):
        pytest.skip("TransformerLens has no TransformerBridge in this version")
    tokenizer = byte_tokenizer(folder)
    model = gpt2(vocabulary=len(tokenizer))
    model.save_pretrained(folder)
    return lens.TransformerBridge.boot_transformers("gpt2", hf_model=model, tokenizer=tokenizer, device="cpu")


def test_a_cache_of_a_bridge(bridge, tmp_path):
    _, cache = bridge.run_with_cache(TEXT)
    trace = headscope.capture(cache, bridge.to_str_tokens(TEXT))
    np.testing.assert_array_equal(
        trace["blocks.1.attn.hook_pattern"], cache["blocks.1.attn.hook_pattern"][0].detach().numpy()
    )
    n = len(trace.tokens)
    assert trace["blocks.0.attn.hook_q"].shape == (n, 4, 8) and trace["blocks.0.mlp.hook_post"].shape == (n, 128)
    scores = headscope.scores(headscope.load(trace.save(tmp_path / "trace.safetensors")))
    assert scores["entropy"].shape == (2, 4)


def test_headscope_computes_the_same(bridge, folder):
    tokens = bridge.to_tokens(TEXT)
    _, cache = bridge.run_with_cache(tokens)
    theirs = headscope.capture(cache, bridge.to_str_tokens(TEXT))
    ours = headscope.trace(folder, ids=tokens[0].tolist())
    for name in ("attn.hook_pattern", "attn.hook_q", "attn.hook_z", "hook_resid_mid", "mlp.hook_post", "hook_resid_post"):
        np.testing.assert_allclose(
            ours[f"blocks.1.{name}"], theirs[f"blocks.1.{name}"], atol=2e-4, rtol=1e-4, err_msg=name
        )


def test_part_of_a_cache_without_its_batch(bridge):
    _, cache = bridge.run_with_cache(TEXT, names_filter=lambda name: name.endswith("hook_pattern"))
    tokens = bridge.to_str_tokens(TEXT)
    whole = headscope.capture(cache, tokens)
    assert len(whole) == 2
    cache.remove_batch_dim()
    np.testing.assert_array_equal(headscope.capture(cache, tokens).patterns(), whole.patterns())


def test_a_cache_of_a_hooked_transformer(tmp_path):
    configuration = older("HookedTransformerConfig")(
        n_layers=2, d_model=16, n_heads=4, d_head=4, n_ctx=32, d_vocab=50, act_fn="gelu", seed=0, device="cpu"
    )
    model = older("HookedTransformer")(configuration)
    _, cache = model.run_with_cache(torch.arange(5)[None])
    trace = headscope.capture(cache, list("abcde"))
    assert trace["blocks.0.attn.hook_attn_scores"].min() == -np.inf  # of masked cells
    scores = headscope.scores(headscope.load(trace.save(tmp_path / "trace.safetensors")))
    assert scores["entropy"].shape == (2, 4) and scores.tokens == list("abcde")


def test_a_cache_of_a_hooked_encoder_decoder_has_source_tokens(tmp_path):
    encoder_decoder = older("HookedEncoderDecoder")
    configuration = older("HookedTransformerConfig")(
        n_layers=2, d_model=16, n_heads=4, d_head=4, d_mlp=32, n_ctx=32, d_vocab=50, act_fn="gelu", seed=0, device="cpu",
        model_name="tiny", tie_word_embeddings=True, use_attn_scale=False, normalization_type="RMS",
        positional_embedding_type="relative_positional_bias", relative_attention_max_distance=32,
        relative_attention_num_buckets=8, attention_dir="bidirectional", decoder_start_token_id=0,
    )  # fmt: skip
    model = encoder_decoder(configuration, move_to_device=False)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    with torch.no_grad():
        _, cache = model.run_with_cache(torch.arange(6)[None], torch.arange(4)[None])
    trace = headscope.capture(cache, list("abcd"), source_tokens=list("uvwxyz"))
    assert trace.patterns("cross").shape == (2, 4, 4, 6)
    scores = headscope.scores(headscope.load(trace.save(tmp_path / "trace.safetensors")))
    assert scores.parts == ["encoder", "decoder", "cross"]

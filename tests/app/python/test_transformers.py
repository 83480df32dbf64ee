"""Outputs of Transformers become traces that Headscope opens and agrees with."""

import re

import numpy as np
import pytest
from conftest import ROOT
from tiny_models import END, TEXT, bert, byte_tokenizer, gpt2, llama, t5, torch, transformers, word_tokenizer

import headscope


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("gpt2")


@pytest.fixture(scope="module")
def tokenizer(folder):
    return byte_tokenizer(folder)


def outputs_of(model, inputs, **options):
    with torch.no_grad():
        return model(**inputs, output_attentions=True, output_hidden_states=True, **options)


def opened(trace, tmp_path):
    return headscope.scores(headscope.load(trace.save(tmp_path / "trace.safetensors")))


@pytest.mark.parametrize("make", [gpt2, llama], ids=["GPT-2", "Llama"])
def test_a_causal_model(make, tokenizer, tmp_path):
    inputs = tokenizer(TEXT, return_tensors="pt")
    outputs = outputs_of(make(), {"input_ids": inputs["input_ids"]})
    trace = headscope.capture(outputs, inputs, text=TEXT)
    np.testing.assert_array_equal(trace.patterns(), torch.cat(outputs.attentions).numpy())
    np.testing.assert_array_equal(trace["blocks.1.hook_resid_pre"], outputs.hidden_states[1][0].numpy())
    assert "blocks.1.hook_resid_post" not in trace and trace.settings == {"mask": "causal"}
    assert trace.tokens == tokenizer.convert_ids_to_tokens(trace.ids) and trace.text == TEXT
    assert trace.sequence.offsets[6] == (6, 8)  # the first byte of ï
    scores = opened(trace, tmp_path)
    assert scores["entropy"].shape == (2, 4) and scores.report["text"] == TEXT


def test_headscope_computes_the_same(folder, tokenizer):
    model = gpt2(vocabulary=len(tokenizer))
    model.save_pretrained(folder)
    inputs = tokenizer(TEXT, return_tensors="pt")
    theirs = headscope.capture(outputs_of(model, {"input_ids": inputs["input_ids"]}), inputs)
    ours = headscope.trace(folder, TEXT)
    assert ours.ids == theirs.ids
    np.testing.assert_allclose(ours.patterns(), theirs.patterns(), atol=1e-5)
    np.testing.assert_allclose(ours["blocks.0.hook_resid_post"], theirs["blocks.0.hook_resid_post"], atol=1e-4)


def test_attentions_alone_in_half_precision(tokenizer, tmp_path):
    inputs = tokenizer(TEXT, return_tensors="pt")
    attentions = outputs_of(gpt2().to(torch.bfloat16), {"input_ids": inputs["input_ids"]}).attentions
    assert attentions[0].dtype == torch.bfloat16
    trace = headscope.capture(attentions, tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]))
    assert trace["blocks.0.attn.hook_pattern"].dtype == np.float32
    opened(trace, tmp_path)


def test_gradients_need_not_be_off(tokenizer):
    inputs = tokenizer(TEXT, return_tensors="pt")
    outputs = gpt2()(input_ids=inputs["input_ids"], output_attentions=True)
    assert outputs.attentions[0].requires_grad
    assert headscope.capture(outputs, inputs).patterns().shape[:2] == (2, 4)


@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_of_a_batch_is_removed(tokenizer, side, tmp_path):
    model = gpt2()
    tokenizer.padding_side = side
    inputs = tokenizer(["a cat", TEXT], return_tensors="pt", padding=True)
    arguments = {name: inputs[name] for name in ("input_ids", "attention_mask")}
    outputs = outputs_of(model, arguments)
    trace = headscope.capture(outputs, inputs, batch=0, text="a cat")
    assert END not in trace.tokens and len(trace.tokens) == 5 and trace.text == "a cat"
    np.testing.assert_allclose(trace.patterns().sum(-1), 1, atol=1e-5)
    if side == "right":  # positions are the same without the padding
        alone = outputs_of(model, {"input_ids": inputs["input_ids"][:1, :5]})
        np.testing.assert_allclose(trace.patterns(), torch.cat(alone.attentions).numpy(), atol=1e-5)
    opened(trace, tmp_path)


def test_an_encoder_sees_later_tokens(tmp_path):
    inputs = word_tokenizer()("the cats sat", return_tensors="pt")
    trace = headscope.capture(outputs_of(bert(), {"input_ids": inputs["input_ids"]}), inputs, text="the cats sat")
    assert trace.tokens == ["[CLS]", "the", "cat", "##s", "sat", "[SEP]"] and trace.settings == {"mask": "none"}
    assert opened(trace, tmp_path).report["text"] == "the cats sat"


def test_an_encoder_decoder_has_source_tokens(tokenizer, tmp_path):
    source = tokenizer(TEXT, return_tensors="pt")
    target = tokenizer("chat", return_tensors="pt")
    arguments = {"input_ids": source["input_ids"], "decoder_input_ids": target["input_ids"]}
    outputs = outputs_of(t5(), arguments)
    trace = headscope.capture(outputs, target, source_tokens=source, source_text=TEXT)
    n, m = 4, len(TEXT.encode())
    assert trace.patterns("cross").shape == (2, 4, n, m)
    assert trace.patterns("encoder").shape == (2, 4, m, m) and trace.patterns("decoder").shape == (2, 4, n, n)
    assert trace["encoder.1.hook_resid_pre"].shape == (m, 32) and trace["decoder.1.hook_resid_pre"].shape == (n, 32)
    assert opened(trace, tmp_path).parts == ["encoder", "decoder", "cross"]


def test_fused_attention_says_what_to_do(tokenizer):
    inputs = tokenizer(TEXT, return_tensors="pt")
    with torch.no_grad():
        outputs = gpt2()(input_ids=inputs["input_ids"])
    with pytest.raises(headscope.HeadscopeError, match='attn_implementation="eager"'):
        headscope.capture(outputs, inputs)


def test_generated_steps_are_refused(tokenizer):
    inputs = tokenizer("a", return_tensors="pt")
    generated = gpt2().generate(
        inputs["input_ids"], max_new_tokens=3, return_dict_in_generate=True, output_attentions=True, do_sample=False
    )
    with pytest.raises(headscope.HeadscopeError, match="generate"):
        headscope.capture(generated, inputs)


def test_a_text_that_was_not_read_is_refused(tokenizer):
    inputs = tokenizer(TEXT, return_tensors="pt")
    outputs = outputs_of(gpt2(), {"input_ids": inputs["input_ids"]})
    with pytest.raises(headscope.HeadscopeError, match="not the text"):
        headscope.capture(outputs, inputs, text="The")


def test_the_recipe_of_the_readme(folder, tokenizer, tmp_path, monkeypatch):
    """The Python of "Attention captured elsewhere", word for word, on the tiny model."""
    gpt2(vocabulary=len(tokenizer)).save_pretrained(folder)
    readme = (ROOT / "app" / "python" / "README.md").read_text("utf-8")
    section = readme.split("## Attention captured elsewhere")[1].split("\n## ")[0]
    recipes = re.findall("```python\n(.*?)```", section, re.DOTALL)
    shown = []
    monkeypatch.setattr(headscope, "show", lambda *arguments, **options: shown.append((arguments, options)))
    monkeypatch.chdir(tmp_path)
    names = {"name": str(folder), "text": TEXT}
    preparation, call, *others = recipes
    exec(preparation, names)
    exec(call, names)
    trace = headscope.capture(*shown[0][0], **shown[0][1])
    assert trace.text == TEXT and trace.patterns().shape[:2] == (2, 4)
    exec(others[0], names)
    assert headscope.load("animal.safetensors").tokens == trace.tokens
    assert len(call.strip().splitlines()) == 3

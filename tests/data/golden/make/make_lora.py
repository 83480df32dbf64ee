"""LoRA adapters for models of hf/, as PEFT saves them and as llama.cpp's convert_lora_to_gguf.py writes them.

PEFT itself applies them; the logits are checked against W + scale * B A merged here by hand.
"""
import json, math, os, pathlib, shutil
import gguf
import numpy as np
import torch
import peft
import transformers as tr
from safetensors.torch import load_file
from common import args_, gen, Case

a = args_()
os.environ["HF_HUB_OFFLINE"] = "1"
OUT = pathlib.Path(a.out)
T = 9


def merged(model, folder, config):
    """The base model with every update added to its weight."""
    weights = load_file(str(folder / "adapter_model.safetensors"))
    parameters = dict(model.named_parameters())
    for name, left in weights.items():
        if "lora_A" not in name and "lora_embedding_A" not in name:
            continue
        right = weights[name.replace("_A", "_B")]
        module = name.removeprefix("base_model.model.").split(".lora_")[0]
        rank = left.shape[0]
        alpha = next((v for k, v in config.alpha_pattern.items() if module.endswith("." + k)), config.lora_alpha)
        delta = (alpha / (math.sqrt(rank) if config.use_rslora else rank)) * (right @ left)
        weight = parameters[module + ".weight"]
        weight.data += delta.T if "lora_embedding" in name or config.fan_in_fan_out else delta
    return model


def adapt(name, cls, vocab, doc, **kw):
    folder = OUT / "lora" / name
    if folder.exists():
        shutil.rmtree(folder)
    load = lambda: cls.from_pretrained(str(OUT / "hf" / name), dtype=torch.float32, attn_implementation="eager").eval()
    config = peft.LoraConfig(bias="none", **kw)
    model = peft.get_peft_model(load(), config).eval()
    g = gen(a.seed, "lora/" + name)
    with torch.no_grad():
        for n, p in model.named_parameters():
            if "lora_" in n:
                p.copy_(torch.randn(p.shape, generator=g) * (0.3 if "_A" in n else 0.5))
    model.save_pretrained(str(folder))
    (folder / "README.md").unlink(missing_ok=True)
    text = json.loads((folder / "adapter_config.json").read_text())
    text["base_model_name_or_path"] = name
    (folder / "adapter_config.json").write_text(json.dumps(text, indent=2, sort_keys=True) + "\n")
    for f in folder.iterdir():
        f.chmod(0o644)
    c = Case(a.out, "lora", name + ".expected", f"{doc}; adapter in lora/{name}/, base model in hf/{name}/", model_folder=name)
    ids = c.add("in.ids", torch.randint(5, vocab, (2, T), generator=g))
    with torch.no_grad():
        logits = c.add("out.logits", model(input_ids=ids).logits)
        base = load()(input_ids=ids).logits
        apart = (merged(load(), folder, config)(input_ids=ids).logits - logits).abs().max().item()
    assert apart < 1e-4, apart
    assert (base - logits).abs().max() > 0.1
    c.write()


def permute(w, heads):
    return w.reshape(heads, 2, w.shape[0] // heads // 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def convert(name, arch, heads, kv_heads, alpha):
    """B of queries and keys has its rows moved as the base model's."""
    names = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.down_proj": "ffn_down"}
    path = OUT / "lora" / f"{name}.gguf"
    w = gguf.GGUFWriter(str(path), arch)
    w.add_type(gguf.GGUFType.ADAPTER)
    w.add_string(gguf.Keys.Adapter.TYPE, "lora")
    w.add_float32(gguf.Keys.Adapter.LORA_ALPHA, alpha)
    for key, t in sorted(load_file(str(OUT / "lora" / name / "adapter_model.safetensors")).items()):
        _, _, _, _, layer, sub, part, kind, _ = key.split(".")
        target = names[sub + "." + part]
        if kind == "lora_B" and target in ("attn_q", "attn_k"):
            t = permute(t, heads if target == "attn_q" else kv_heads)
        w.add_tensor(f"blk.{layer}.{target}.weight.{kind.lower()}", np.ascontiguousarray(t.numpy()))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    path.chmod(0o644)


adapt("gpt2", tr.GPT2LMHeadModel, 512, "Conv1D with q, k and v in one matrix, fan_in_fan_out", r=3, lora_alpha=6, target_modules=["c_attn", "c_proj", "c_fc"], fan_in_fan_out=True)
adapt("llama", tr.LlamaForCausalLM, 512, "rsLoRA, ranks and alphas of some modules, embedding and unembedding", r=4, lora_alpha=2, use_rslora=True,
      rank_pattern={"q_proj": 2}, alpha_pattern={"down_proj": 5}, target_modules=["q_proj", "v_proj", "o_proj", "down_proj", "embed_tokens", "lm_head"])
adapt("gpt_neox", tr.GPTNeoXForCausalLM, 512, "q, k and v of head after head in one matrix", r=2, lora_alpha=3, target_modules=["query_key_value", "dense_4h_to_h"])
adapt("granite", tr.GraniteForCausalLM, 64, "rows of queries and keys in another order in GGUF files", r=2, lora_alpha=4, target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "down_proj"])
convert("granite", "granite", 4, 2, 4.0)

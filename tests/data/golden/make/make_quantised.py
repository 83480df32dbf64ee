"""Tiny models whose weights are stored in 8 bits (FP8) or 4 (MXFP4) with scales, with what the same weights compute in float32.

The floats are those of torch's float8 types times the scales, and of transformers' own reading of MXFP4. float8 has
every code of both 8-bit formats, and a matrix in blocks of 128 x 128.
"""
import json, pathlib, shutil
import numpy as np
import torch
from gguf import GGMLQuantizationType, quants
from safetensors.torch import load_file, save_file
from common import Case, gen
from tiny_models import G, HS, T, a, base, compute, inputs, randomise, rope
import transformers as tr
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

OUT = pathlib.Path(a.out) / "hf"
LARGEST = {torch.float8_e4m3fn: 448.0, torch.float8_e5m2: 57344.0}


def spread(scale, shape, block):
    """Every scale over its block of rows and columns."""
    return scale.repeat_interleave(block[0], 0).repeat_interleave(block[1], 1)[:shape[0], :shape[1]]


def in_blocks(w, block, kind=torch.float8_e4m3fn):
    rows, columns = -(-w.shape[0] // block[0]), -(-w.shape[1] // block[1])
    padded = torch.zeros(rows * block[0], columns * block[1])
    padded[:w.shape[0], :w.shape[1]] = w
    scale = padded.view(rows, block[0], columns, block[1]).abs().amax((1, 3)) / LARGEST[kind]
    return (w / spread(scale, w.shape, block)).to(kind), scale


def floats(codes, scale):
    return codes.to(torch.float32) * scale


def quantised(name, cls, config, doc, settings, change):
    """`change(key, weight)` returns what is stored for a weight and its values, or nothing."""
    torch.manual_seed(a.seed)
    m = randomise(cls(config), name)
    folder = OUT / name
    if folder.exists():
        shutil.rmtree(folder)
    m.save_pretrained(str(folder))
    (folder / "generation_config.json").unlink(missing_ok=True)
    stored, values = {}, {}
    for key, w in load_file(str(folder / "model.safetensors")).items():
        changed = change(key, w)
        if changed is None:
            stored[key] = w
            continue
        more, values[key] = changed
        stored.update(more)
    save_file({k: v.contiguous() for k, v in stored.items()}, str(folder / "model.safetensors"), metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = settings
    (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    for f in folder.iterdir():
        f.chmod(0o644)
    m.load_state_dict(values, strict=False)
    m.set_attn_implementation("eager")
    ids, mask = inputs(name, T)
    c = Case(a.out, "hf", name + ".expected", f"{doc}; weights in hf/{name}/. {HS}", model_class=cls.__name__, model_folder=name)
    c.add("in.ids", ids); c.add("in.attention_mask", mask)
    compute(m.eval(), c, ids, mask)
    c.params["files"] = {f.name: f.stat().st_size for f in sorted(folder.iterdir())}
    c.write()


def is_linear(key):
    return key.endswith("proj.weight")


BLOCK = (16, 16)


def blocks_of_16(key, w):
    if not is_linear(key):
        return None
    codes, scale = in_blocks(w, BLOCK)
    return {key: codes, key + "_scale_inv": scale}, floats(codes, spread(scale, w.shape, BLOCK))


def tensor_or_rows(key, w):
    """One scale for attention (as llm-compressor's strategy "tensor"), one for each row of the others ("channel")."""
    if not is_linear(key):
        return None
    kind = torch.float8_e5m2 if "k_proj" in key else torch.float8_e4m3fn
    scale = (w.abs().max().reshape(1) if "self_attn" in key else w.abs().amax(1, keepdim=True)) / LARGEST[kind]
    scale = scale.to(torch.bfloat16)
    codes = (w / scale.float()).to(kind)
    return {key: codes, key + "_scale": scale, key.replace("weight", "input_scale"): torch.ones(1)}, floats(codes, scale.float())


def mxfp4(key, w):
    """Experts are [experts, in, out] in memory, and their blocks run along the input."""
    if not key.endswith(("gate_up_proj", "down_proj")):
        return None
    rows = w.transpose(1, 2).contiguous()
    packed = quants.quantize(rows.numpy(), GGMLQuantizationType.MXFP4).reshape(*rows.shape[:2], -1, 17)
    scales, halves = packed[..., 0], packed[..., 1:]
    codes = np.concatenate([halves & 15, halves >> 4], -1)
    blocks = torch.from_numpy(np.ascontiguousarray(codes[..., 0::2] | codes[..., 1::2] << 4))
    scales = torch.from_numpy(np.ascontiguousarray(scales))
    return {key + "_blocks": blocks, key + "_scales": scales}, convert_moe_packed_tensors(blocks, scales, dtype=torch.float32)


quantised("qwen3_fp8", tr.Qwen3ForCausalLM, tr.Qwen3Config(**base(**G, head_dim=12, rope_parameters=rope(5000.0))),
          "Qwen3 in E4M3 with a scale for each block of 16 x 16, of which those at the edges are smaller",
          {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": list(BLOCK)}, blocks_of_16)
quantised("llama_fp8", tr.LlamaForCausalLM, tr.LlamaConfig(**base(**G, rope_parameters=rope(5000.0))),
          "Llama in E4M3, keys in E5M2, with scales of whole matrices and of rows",
          {"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head"]}, tensor_or_rows)
quantised("gpt_oss_mxfp4", tr.GptOssForCausalLM, tr.GptOssConfig(**base(**G, head_dim=12, num_local_experts=3, num_experts_per_tok=2, intermediate_size=32, sliding_window=3, layer_types=["sliding_attention", "full_attention"],
          rope_parameters=rope(5000.0))), "gpt-oss with experts in MXFP4", {"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]}, mxfp4)

c = Case(a.out, "hf", "float8", "in.KIND.codes: every code of an 8-bit float, out.KIND its value in float32; in.weight [140, 130] in E4M3 with in.scale for blocks of 128 x 128, out.weight their products")
every = torch.arange(256, dtype=torch.uint8)
for kind, name in ((torch.float8_e4m3fn, "e4m3"), (torch.float8_e5m2, "e5m2")):
    c.add(f"in.{name}.codes", every)
    c.add(f"out.{name}", every.view(kind).to(torch.float32))
w = torch.randn(140, 130, generator=gen(a.seed, "float8")) * torch.linspace(0.1, 30, 140)[:, None]
codes, scale = in_blocks(w, (128, 128))
c.add("in.weight", codes.view(torch.uint8)); c.add("in.scale", scale)
c.add("out.weight", floats(codes, spread(scale, w.shape, (128, 128))))
c.write()

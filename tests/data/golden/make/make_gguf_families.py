"""The tiny models of hf/ as GGUF files, with the names, keys, row orders and norms that llama.cpp's converter gives them.

Where a key is missing for what a model of hf/ does (score factors of Gemma 2 and 3) or the layers' pattern is that of
the architecture (SmolLM3, Gemma 3), there is a model of its own, with what it computes in gguf/NAME.expected.safetensors.

Of the architectures that from_pretrained(gguf_file=...) reads, one model each has what transformers makes of the file
itself. It takes sizes and settings that it finds no key for from its defaults, so such models have the defaults
(NAME_default). It does not read falcon_new, gemma, granite, olmo2, phi2 and smollm3, nor those with experts: their sizes
would be of megabytes (qwen2moe, qwen3moe), Mixtral is taken for a dense model, and YaRN's keys of gpt-oss stop it.
make_gguf_llama.py asks llama.cpp about all.
"""
import math, pathlib
import gguf
import numpy as np
import torch
from safetensors.torch import load_file
from common import Case
from tiny_models import EAGER, G, HS, T, V, a, base, compute, inputs, randomise, rope
import transformers as tr

OUT = pathlib.Path(a.out)
NORM_OFFSET = {"gemma", "gemma2", "gemma3"}
PERMUTED = {"llama", "granite", "smollm3"}


def permute(w, heads):
    """Rows (head, half, i) become (head, i, half), as LlamaModel.permute does it."""
    return w.reshape(heads, 2, w.shape[0] // heads // 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def stacked_experts(name, w):
    """Gate and up of all experts are one tensor in memory and two in the file."""
    stem = name.rsplit(".", 1)[0]
    if name.endswith("gate_up_proj"):
        gate, up = w.chunk(2, dim=1)
        return [(stem + ".gate_proj.weight", gate), (stem + ".up_proj.weight", up)]
    if name.endswith("experts.down_proj"):
        return [(name + ".weight", w)]
    return [(name, w)]


def joined_heads(w, heads, keys):
    """Groups of queries, their key and their value become all queries, all keys and all values, as FalconModel orders them."""
    groups = w.reshape(keys, heads // keys + 2, -1, *w.shape[1:])
    return torch.cat([part.reshape(-1, *w.shape[1:]) for part in (groups[:, :-2], groups[:, -2:-1], groups[:, -1:])])


def stacked_norms(state):
    """StableLM's norms of queries and of keys, head by head in memory, are one tensor each in the file."""
    result = {}
    for key, value in state.items():
        if ".norms." in key:
            stem = key.split(".norms.")[0] + ".weight"
            result[stem] = torch.cat([result[stem], value[None]]) if stem in result else value[None]
        else:
            result[key] = value
    return result


def key_heads(c):
    if c.model_type != "falcon":
        return c.num_key_value_heads
    return c.num_kv_heads if c.new_decoder_architecture else 1 if c.multi_query else c.num_attention_heads


def add_long_rope(w, c, ropes, width):
    original = ropes["original_max_position_embeddings"]
    w.add_rope_scaling_orig_ctx_len(original)
    w.add_rope_scaling_attn_factors(math.sqrt(1 + math.log(c.max_position_embeddings / original) / math.log(original)))
    for name in ("long", "short"):
        w.add_tensor(f"rope_factors_{name}.weight", np.array(ropes[name + "_factor"], dtype=np.float32)[:width // 2])


def add_keys_of_gpt2(w, c):
    w.add_context_length(c.n_positions); w.add_embedding_length(c.n_embd); w.add_block_count(c.n_layer); w.add_vocab_size(c.vocab_size)
    w.add_feed_forward_length(c.n_inner or 4 * c.n_embd); w.add_head_count(c.n_head); w.add_layer_norm_eps(c.layer_norm_epsilon)
    w.add_token_list([f"t{i}" for i in range(c.vocab_size)])  # transformers counts them


def add_keys(w, arch, c):
    if arch == "gpt2":
        return add_keys_of_gpt2(w, c)
    w.add_context_length(c.max_position_embeddings); w.add_embedding_length(c.hidden_size); w.add_block_count(c.num_hidden_layers)
    w.add_feed_forward_length(c.ffn_hidden_size if arch == "falcon" else c.intermediate_size)
    w.add_head_count(c.num_attention_heads); w.add_head_count_kv(key_heads(c))
    if hasattr(c, "rms_norm_eps"):
        w.add_layer_norm_rms_eps(c.rms_norm_eps)
    else:
        w.add_layer_norm_eps(c.layer_norm_epsilon if arch == "falcon" else c.layer_norm_eps)
    w.add_vocab_size(c.vocab_size)
    ropes = c.rope_parameters.get("full_attention", c.rope_parameters)
    w.add_rope_freq_base(ropes["rope_theta"])
    width = int((getattr(c, "head_dim", None) or c.hidden_size // c.num_attention_heads) * ropes.get("partial_rotary_factor", 1.0))
    if arch in ("phi2", "phi3", "stablelm"):
        w.add_rope_dimension_count(width)
    if ropes["rope_type"] == "longrope":
        add_long_rope(w, c, ropes, width)
    if ropes["rope_type"] == "yarn":
        w.add_rope_scaling_type(gguf.RopeScalingType.YARN); w.add_rope_scaling_factor(ropes["factor"])
        w.add_rope_scaling_orig_ctx_len(ropes["original_max_position_embeddings"])
    if ropes["rope_type"] == "linear":
        w.add_rope_scaling_type(gguf.RopeScalingType.LINEAR); w.add_rope_scaling_factor(ropes["factor"])
    head = getattr(c, "head_dim", None)
    if head and arch not in ("phi2", "phi3", "stablelm", "falcon"):
        w.add_key_length(head); w.add_value_length(head)
    if arch in PERMUTED:
        w.add_rope_dimension_count(head or c.hidden_size // c.num_attention_heads)
    if arch in ("gemma2", "gemma3", "llama", "phi3", "gpt-oss") and getattr(c, "sliding_window", None):
        w.add_sliding_window(c.sliding_window)
    if arch == "gemma2":
        w.add_attn_logit_softcapping(c.attn_logit_softcapping); w.add_final_logit_softcapping(c.final_logit_softcapping)
    if arch == "granite":
        w.add_attention_scale(c.attention_multiplier); w.add_embedding_scale(c.embedding_multiplier)
        w.add_residual_scale(c.residual_multiplier); w.add_logit_scale(c.logits_scaling)
    experts = getattr(c, "num_local_experts", None) or getattr(c, "num_experts", None)
    if experts:
        w.add_expert_count(experts); w.add_expert_used_count(c.num_experts_per_tok)
    if arch == "gpt-oss":
        w.add_expert_feed_forward_length(c.intermediate_size)
    if arch == "stablelm":
        w.add_parallel_residual(c.use_parallel_residual)
    if arch == "qwen2moe":
        w.add_expert_feed_forward_length(c.moe_intermediate_size); w.add_expert_shared_feed_forward_length(c.shared_expert_intermediate_size)
    if arch == "qwen3moe":
        w.add_expert_feed_forward_length(c.moe_intermediate_size)


def stored(ours, t, format):
    """The numbers of a matrix in `format`, where its rows are whole blocks; vectors and positions stay as they are."""
    block = gguf.GGML_QUANT_SIZES[format][0]
    if format == gguf.GGMLQuantizationType.F32 or t.dim() < 2 or t.shape[-1] % block or ours.startswith("position"):
        return t.contiguous().numpy(), None
    return gguf.quants.quantize(t.contiguous().numpy(), format), format


def round_to(m, format):
    """Gives a model the weights that its file will have."""
    with torch.no_grad():
        for key, p in m.named_parameters():
            numbers, kind = stored(key, p.data, format)
            if kind is not None:
                p.copy_(torch.from_numpy(gguf.quants.dequantize(numbers, kind).astype(np.float32)))


def convert(m, name, arch, format=gguf.GGMLQuantizationType.F32):
    c = m.config
    path = OUT / "gguf" / (name + ".gguf")
    path.parent.mkdir(parents=True, exist_ok=True)
    w = gguf.GGUFWriter(str(path), arch)
    add_keys(w, arch, c)
    number = next(k for k, v in gguf.MODEL_ARCH_NAMES.items() if v == arch)
    names = gguf.get_tensor_name_map(number, c.num_hidden_layers)
    if name.endswith("_default"):
        w.add_pad_token_id(0)
    for key, value in stacked_norms(m.state_dict()).items():
        if key == "lm_head.weight" and c.tie_word_embeddings:
            continue
        if arch == "gpt2" and key.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
            value = value.T
        for theirs, t in stacked_experts(key, value.float()):
            if arch in NORM_OFFSET and theirs.endswith("norm.weight"):
                t = t + 1
            if arch in PERMUTED and theirs.rsplit(".", 1)[0].endswith("q_proj"):
                t = permute(t, c.num_attention_heads)
            if arch in PERMUTED and theirs.rsplit(".", 1)[0].endswith("k_proj"):
                t = permute(t, c.num_key_value_heads)
            if arch == "falcon" and "query_key_value" in theirs:
                t = joined_heads(t, c.num_attention_heads, key_heads(c))
            ours = names.get_name(theirs, try_suffixes=(".weight", ".bias"))
            assert ours, theirs
            numbers, kind = stored(ours, t.squeeze() if theirs.endswith("shared_expert_gate.weight") else t, format)
            w.add_tensor(ours, numbers, raw_dtype=kind)
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    path.chmod(0o644)
    print(f"gguf/{path.name}  {path.stat().st_size} B", flush=True)


def of_folder(name, cls, arch):
    convert(cls.from_pretrained(str(OUT / "hf" / name), dtype=torch.float32, attn_implementation="eager").eval(), name, arch)


def experts_of_gpt_oss(folder):
    """Gate and up alternate in the rows of one tensor; blocks of MXFP4 keep their scale before their codes, the first half lowest."""
    codes = lambda b: np.stack([b & 15, b >> 4], -1).reshape(*b.shape[:-1], 32)
    for key, value in load_file(str(folder / "model.safetensors")).items():
        if key.endswith("_scales"):
            continue
        value = value if value.dtype == torch.uint8 else value.float()
        if key.endswith("_blocks"):
            c = codes(value.numpy())
            scales = load_file(str(folder / "model.safetensors"))[key.replace("_blocks", "_scales")].numpy()
            value = torch.from_numpy(np.concatenate([scales[..., None], c[..., :16] | c[..., 16:] << 4], -1).reshape(*scales.shape[:-1], -1))
            key = key.replace("_blocks", "")
        elif "experts" in key and not key.endswith("_bias"):
            value = value.transpose(1, 2)
        if "experts" not in key:
            yield key, value
            continue
        stem, kind = key.rsplit(".", 1)
        end = ".bias" if kind.endswith("_bias") else ".weight"
        kind = kind.removesuffix("_bias")
        if kind == "down_proj":
            yield stem + ".down_proj" + end, value
        else:
            yield stem + ".gate_proj" + end, value[:, 0::2]
            yield stem + ".up_proj" + end, value[:, 1::2]


def gpt_oss(name):
    folder = OUT / "hf" / name
    c = tr.GptOssConfig.from_pretrained(str(folder))
    path = OUT / "gguf" / (name + ".gguf")
    w = gguf.GGUFWriter(str(path), "gpt-oss")
    add_keys(w, "gpt-oss", c)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GPT_OSS, c.num_hidden_layers)
    for theirs, t in experts_of_gpt_oss(folder):
        ours = names.get_name(theirs, try_suffixes=(".weight", ".bias"))
        assert ours, theirs
        coded = t.dtype == torch.uint8
        w.add_tensor(ours if ours.endswith((".weight", ".bias")) else ours + ".weight", t.contiguous().numpy(), raw_dtype=gguf.GGMLQuantizationType.MXFP4 if coded else None)
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    path.chmod(0o644)
    print(f"gguf/{path.name}  {path.stat().st_size} B", flush=True)


def read_again(m, name, ids, mask):
    """What from_pretrained makes of the file, which must be what was written."""
    again = type(m).from_pretrained(str(OUT / "gguf"), gguf_file=name + ".gguf", dtype=torch.float32, attn_implementation="eager").eval()
    with torch.no_grad():
        before, after = (x(input_ids=ids, attention_mask=mask).logits[mask.bool()] for x in (m, again))
    difference = float((before - after).abs().max())
    assert difference < 1e-4, (name, difference)
    return again


def of_its_own(name, cls, config, arch, doc, format=gguf.GGMLQuantizationType.F32, reread=False):
    torch.manual_seed(a.seed)
    m = randomise(cls(config), "gguf/" + name)
    round_to(m, format)
    convert(m, name, arch, format)
    ids, mask = inputs("gguf/" + name, T)
    if reread:
        doc += "; transformers read the file"
        m = read_again(m, name, ids, mask)
    c = Case(a.out, "gguf", name + ".expected", f"{doc}; weights in gguf/{name}.gguf. {HS}", model_class=cls.__name__)
    c.add("in.ids", ids); c.add("in.attention_mask", mask)
    compute(m, c, ids, mask)
    c.write()


of_folder("qwen3", tr.Qwen3ForCausalLM, "qwen3")
of_folder("gemma", tr.GemmaForCausalLM, "gemma")
of_folder("olmo2", tr.Olmo2ForCausalLM, "olmo2")
of_folder("granite", tr.GraniteForCausalLM, "granite")
of_folder("mixtral", tr.MixtralForCausalLM, "llama")
of_folder("phi3", tr.Phi3ForCausalLM, "phi3")
of_folder("phi3_long", tr.Phi3ForCausalLM, "phi3")
of_folder("stablelm", tr.StableLmForCausalLM, "stablelm")
of_folder("stablelm_parallel", tr.StableLmForCausalLM, "stablelm")
of_folder("falcon", tr.FalconForCausalLM, "falcon")
of_folder("falcon_new", tr.FalconForCausalLM, "falcon")
gpt_oss("gpt_oss")
gpt_oss("gpt_oss_mxfp4")
NARROW = dict(intermediate_size=24)
of_its_own("gemma2", tr.Gemma2ForCausalLM, tr.Gemma2Config(**base(**G, **NARROW, head_dim=12, num_hidden_layers=3, sliding_window=4, query_pre_attn_scalar=12, attn_logit_softcapping=3.0, final_logit_softcapping=5.0,
           rope_parameters=rope(5000.0))), "gemma2", "Gemma 2: window in even layers, scores scaled by head_dim^-0.5")
of_its_own("gemma3", tr.Gemma3ForCausalLM, tr.Gemma3TextConfig(**base(**G, **NARROW, head_dim=12, num_hidden_layers=7, sliding_window=4, query_pre_attn_scalar=12,
           rope_parameters={"sliding_attention": rope(10000.0), "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 300.0}})), "gemma3",
           "Gemma 3: every sixth layer is global, with a base of its own and scaled")
of_its_own("smollm3", tr.SmolLM3ForCausalLM, tr.SmolLM3Config(**base(**G, **NARROW, num_hidden_layers=5, no_rope_layers=[1, 1, 1, 0, 1], rope_parameters=rope(5000.0))), "smollm3", "SmolLM3: every fourth layer without positions")
of_its_own("qwen3_moe", tr.Qwen3MoeForCausalLM, tr.Qwen3MoeConfig(**base(**G, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, mlp_only_layers=[], norm_topk_prob=True, rope_parameters=rope(5000.0))),
           "qwen3moe", "Qwen3-MoE: experts in all layers, weights normalised")
of_its_own("phi2", tr.PhiForCausalLM, tr.PhiConfig(**base(num_key_value_heads=4, rope_parameters=rope(5000.0, partial_rotary_factor=0.5))), "phi2", "Phi-2: parallel block behind one norm, biases everywhere, half of each head rotated")
of_its_own("qwen2_moe", tr.Qwen2MoeForCausalLM, tr.Qwen2MoeConfig(**base(**G, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=20, norm_topk_prob=False, rope_parameters=rope(5000.0))),
           "qwen2moe", "Qwen2-MoE: a shared expert behind a gate of its own, experts in all layers")

# What transformers reads: sizes and settings that it has no keys for are its defaults.
F16, Q4_0 = gguf.GGMLQuantizationType.F16, gguf.GGMLQuantizationType.Q4_0
of_its_own("llama", tr.LlamaForCausalLM, tr.LlamaConfig(**base(**G, rope_parameters=rope(5000.0))), "llama", "Llama: two key heads for four queries", reread=True)
of_its_own("qwen2", tr.Qwen2ForCausalLM, tr.Qwen2Config(**base(**G, rope_parameters=rope(5000.0))), "qwen2", "Qwen2: biases of queries, keys and values", reread=True)
of_its_own("gpt2", tr.GPT2LMHeadModel, tr.GPT2Config(vocab_size=V, n_embd=32, n_layer=2, n_head=4, n_positions=1024, **EAGER), "gpt2", "GPT-2: a table of positions", F16, reread=True)
of_its_own("falcon_default", tr.FalconForCausalLM, tr.FalconConfig(**base(ffn_hidden_size=128, rope_parameters=rope(5000.0))), "falcon", "Falcon-7B's block: one key head", reread=True)
of_its_own("falcon_groups", tr.FalconForCausalLM, tr.FalconConfig(**base(ffn_hidden_size=72, new_decoder_architecture=True, num_kv_heads=2, rope_parameters=rope(5000.0))), "falcon", "Falcon-40B's block: two norms, two key heads, no biases")
of_its_own("phi3_default", tr.Phi3ForCausalLM, tr.Phi3Config(**base(**G, rope_parameters=rope(5000.0))), "phi3", "Phi-3 without scaling and window", reread=True)
of_its_own("stablelm_default", tr.StableLmForCausalLM, tr.StableLmConfig(**{**base(rope_parameters=rope(10000.0, partial_rotary_factor=0.25)), "num_attention_heads": 2, "num_key_value_heads": 1}), "stablelm", "StableLM: a quarter of each head rotated", reread=True)
of_its_own("qwen3_default", tr.Qwen3ForCausalLM, tr.Qwen3Config(**{**base(rope_parameters=rope(5000.0)), "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 128}), "qwen3", "Qwen3 with heads of 128", F16, reread=True)
WIDE = {"num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": 256, "intermediate_size": 32}
of_its_own("gemma2_default", tr.Gemma2ForCausalLM, tr.Gemma2Config(**{**base(sliding_window=4, rope_parameters=rope(5000.0)), **WIDE}), "gemma2", "Gemma 2 with a head of 256", F16, reread=True)
of_its_own("gemma3_default", tr.Gemma3ForCausalLM, tr.Gemma3TextConfig(**{**base(sliding_window=4), **WIDE, "num_hidden_layers": 6}), "gemma3", "Gemma 3 with a head of 256, five layers of windows and one without", Q4_0, reread=True)

"""The tiny models of hf/ as GGUF files, with the names, keys, row orders and norms that llama.cpp's converter gives them.

Where a key is missing for what a model of hf/ does (score factors of Gemma 2 and 3) or the layers' pattern is that of
the architecture (SmolLM3, Gemma 3), there is a model of its own, with what it computes in gguf/NAME.expected.safetensors.
"""
import pathlib
import gguf
import torch
from common import Case
from tiny_models import G, HS, T, a, base, compute, inputs, randomise, rope
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


def add_keys(w, arch, c):
    w.add_context_length(c.max_position_embeddings); w.add_embedding_length(c.hidden_size); w.add_block_count(c.num_hidden_layers)
    w.add_feed_forward_length(c.intermediate_size); w.add_head_count(c.num_attention_heads); w.add_head_count_kv(c.num_key_value_heads)
    w.add_layer_norm_rms_eps(c.rms_norm_eps); w.add_vocab_size(c.vocab_size)
    ropes = c.rope_parameters.get("full_attention", c.rope_parameters)
    w.add_rope_freq_base(ropes["rope_theta"])
    if ropes["rope_type"] == "linear":
        w.add_rope_scaling_type(gguf.RopeScalingType.LINEAR); w.add_rope_scaling_factor(ropes["factor"])
    head = getattr(c, "head_dim", None)
    if head:
        w.add_key_length(head); w.add_value_length(head)
    if arch in PERMUTED:
        w.add_rope_dimension_count(head or c.hidden_size // c.num_attention_heads)
    if arch in ("gemma2", "gemma3", "llama") and getattr(c, "sliding_window", None):
        w.add_sliding_window(c.sliding_window)
    if arch == "gemma2":
        w.add_attn_logit_softcapping(c.attn_logit_softcapping); w.add_final_logit_softcapping(c.final_logit_softcapping)
    if arch == "granite":
        w.add_attention_scale(c.attention_multiplier); w.add_embedding_scale(c.embedding_multiplier)
        w.add_residual_scale(c.residual_multiplier); w.add_logit_scale(c.logits_scaling)
    experts = getattr(c, "num_local_experts", None) or getattr(c, "num_experts", None)
    if experts:
        w.add_expert_count(experts); w.add_expert_used_count(c.num_experts_per_tok)
    if arch == "qwen3moe":
        w.add_expert_feed_forward_length(c.moe_intermediate_size)


def convert(m, name, arch):
    c = m.config
    path = OUT / "gguf" / (name + ".gguf")
    path.parent.mkdir(parents=True, exist_ok=True)
    w = gguf.GGUFWriter(str(path), arch)
    add_keys(w, arch, c)
    number = next(k for k, v in gguf.MODEL_ARCH_NAMES.items() if v == arch)
    names = gguf.get_tensor_name_map(number, c.num_hidden_layers)
    for key, value in m.state_dict().items():
        if key == "lm_head.weight" and c.tie_word_embeddings:
            continue
        for theirs, t in stacked_experts(key, value.float()):
            if arch in NORM_OFFSET and theirs.endswith("norm.weight"):
                t = t + 1
            if arch in PERMUTED and theirs.rsplit(".", 1)[0].endswith("q_proj"):
                t = permute(t, c.num_attention_heads)
            if arch in PERMUTED and theirs.rsplit(".", 1)[0].endswith("k_proj"):
                t = permute(t, c.num_key_value_heads)
            ours = names.get_name(theirs, try_suffixes=(".weight", ".bias"))
            assert ours, theirs
            w.add_tensor(ours, t.contiguous().numpy())
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    path.chmod(0o644)
    print(f"gguf/{path.name}  {path.stat().st_size} B", flush=True)


def of_folder(name, cls, arch):
    convert(cls.from_pretrained(str(OUT / "hf" / name), dtype=torch.float32, attn_implementation="eager").eval(), name, arch)


def of_its_own(name, cls, config, arch, doc):
    torch.manual_seed(a.seed)
    m = randomise(cls(config), "gguf/" + name)
    convert(m, name, arch)
    ids, mask = inputs("gguf/" + name, T)
    c = Case(a.out, "gguf", name + ".expected", f"{doc}; weights in gguf/{name}.gguf. {HS}", model_class=cls.__name__)
    c.add("in.ids", ids); c.add("in.attention_mask", mask)
    compute(m, c, ids, mask)
    c.write()


of_folder("qwen3", tr.Qwen3ForCausalLM, "qwen3")
of_folder("gemma", tr.GemmaForCausalLM, "gemma")
of_folder("olmo2", tr.Olmo2ForCausalLM, "olmo2")
of_folder("granite", tr.GraniteForCausalLM, "granite")
of_folder("mixtral", tr.MixtralForCausalLM, "llama")
NARROW = dict(intermediate_size=24)
of_its_own("gemma2", tr.Gemma2ForCausalLM, tr.Gemma2Config(**base(**G, **NARROW, head_dim=12, num_hidden_layers=3, sliding_window=4, query_pre_attn_scalar=12, attn_logit_softcapping=3.0, final_logit_softcapping=5.0,
           rope_parameters=rope(5000.0))), "gemma2", "Gemma 2: window in even layers, scores scaled by head_dim^-0.5")
of_its_own("gemma3", tr.Gemma3ForCausalLM, tr.Gemma3TextConfig(**base(**G, **NARROW, head_dim=12, num_hidden_layers=7, sliding_window=4, query_pre_attn_scalar=12,
           rope_parameters={"sliding_attention": rope(10000.0), "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 300.0}})), "gemma3",
           "Gemma 3: every sixth layer is global, with a base of its own and scaled")
of_its_own("smollm3", tr.SmolLM3ForCausalLM, tr.SmolLM3Config(**base(**G, **NARROW, num_hidden_layers=5, no_rope_layers=[1, 1, 1, 0, 1], rope_parameters=rope(5000.0))), "smollm3", "SmolLM3: every fourth layer without positions")
of_its_own("qwen3_moe", tr.Qwen3MoeForCausalLM, tr.Qwen3MoeConfig(**base(**G, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, mlp_only_layers=[], norm_topk_prob=True, rope_parameters=rope(5000.0))),
           "qwen3moe", "Qwen3-MoE: experts in all layers, weights normalised")

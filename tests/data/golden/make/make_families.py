"""Tiny random models of current families in the transformers on-disk format with what they compute."""
import json, pathlib, shutil
import torch
from safetensors.torch import load_file, save_file
from common import Case
from tiny_models import EAGER, G, HS, T, V, a, base, compute, inputs, randomise, rope
import transformers as tr
from safetensors.torch import load_file
from transformers.models.falcon import modeling_falcon


def save(name, cls, config, doc, decoder=False, dtype=None, shape=T, layout=None):
    """`layout` rewrites the folder that a model was read from in the layout of a family without a class in transformers."""
    torch.manual_seed(a.seed)
    m = randomise(cls(config), name)
    folder = pathlib.Path(a.out) / "hf" / name
    if folder.exists():
        shutil.rmtree(folder)
    (m.to(dtype) if dtype else m).save_pretrained(str(folder))
    (folder / "generation_config.json").unlink(missing_ok=True)
    for f in folder.iterdir():
        f.chmod(0o644)
    m = cls.from_pretrained(str(folder), dtype=torch.float32, attn_implementation="eager").eval()
    ids, mask = inputs(name, shape)
    if layout:
        layout(folder)
    c = Case(a.out, "hf", name + ".expected", f"{doc}; weights in hf/{name}/. {HS}", model_class=cls.__name__, model_folder=name)
    c.add("in.ids", ids); c.add("in.attention_mask", mask)
    decoder_ids = None
    if decoder:
        decoder_ids = inputs(name + "-decoder", 6)[0]
        decoder_ids[decoder_ids == 0] = 7
        c.add("in.decoder_ids", decoder_ids)
    compute(m, c, ids, mask, decoder_ids)
    c.params["files"] = {f.name: f.stat().st_size for f in sorted(folder.iterdir())}
    c.write()


save("qwen3", tr.Qwen3ForCausalLM, tr.Qwen3Config(**base(**G, head_dim=12, rms_norm_eps=1e-5, rope_parameters=rope(5000.0))), "Qwen3: RMS norm of every head's queries and keys before the rotation, heads wider than d / heads")
save("qwen3_window", tr.Qwen3ForCausalLM, tr.Qwen3Config(**base(**G, head_dim=8, num_hidden_layers=3, use_sliding_window=True, sliding_window=3, max_window_layers=1, attention_bias=True, rope_parameters=rope(5000.0))),
     "Qwen3 whose layers from the second on see 3 tokens, with biases of attention", dtype=torch.bfloat16)
save("qwen3_moe", tr.Qwen3MoeForCausalLM, tr.Qwen3MoeConfig(**base(**G, head_dim=8, num_hidden_layers=3, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=24, mlp_only_layers=[1], norm_topk_prob=False, rope_parameters=rope(5000.0))),
     "Qwen3-MoE: experts of their own width, weights not normalised, layer 1 without experts")
save("gemma", tr.GemmaForCausalLM, tr.GemmaConfig(**base(num_key_value_heads=1, head_dim=12, rope_parameters=rope(5000.0))), "Gemma 1: RMS norm with 1 + weight, embeddings times sqrt(d), tanh GELU gate, tied head")
save("gemma2", tr.Gemma2ForCausalLM, tr.Gemma2Config(**base(**G, head_dim=12, num_hidden_layers=3, sliding_window=4, query_pre_attn_scalar=20, attn_logit_softcapping=3.0, final_logit_softcapping=5.0, rope_parameters=rope(5000.0))),
     "Gemma 2: norms before and after each sublayer, window in even layers, capped scores and logits, score factor 20^-0.5")
save("gemma3", tr.Gemma3ForCausalLM, tr.Gemma3TextConfig(**base(**G, head_dim=12, num_hidden_layers=4, sliding_window=4, query_pre_attn_scalar=20,
     layer_types=["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
     rope_parameters={"sliding_attention": rope(300.0), "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 20000.0}})),
     "Gemma 3 text: norms of queries and keys, local layers with a base of their own, scaled global rotation")
save("phi", tr.PhiForCausalLM, tr.PhiConfig(**base(**G, rope_parameters=rope(5000.0, partial_rotary_factor=0.5), qk_layernorm=True)), "Phi-2: parallel block behind one norm, biases everywhere, half of each head rotated, bias of the head, norms of queries and keys")
F = [1.0, 1.5, 2.0, 3.0]
save("phi3", tr.Phi3ForCausalLM, tr.Phi3Config(**base(**G, max_position_embeddings=64, original_max_position_embeddings=32, sliding_window=5,
     rope_parameters={"rope_type": "longrope", "rope_theta": 5000.0, "short_factor": F, "long_factor": [2.0, 4.0, 6.0, 9.0], "original_max_position_embeddings": 32})),
     "Phi-3: fused query-key-value and gate-up matrices, LongRoPE (short factors), window 5")
save("phi3_long", tr.Phi3ForCausalLM, tr.Phi3Config(**base(**G, hidden_size=64, original_max_position_embeddings=8, partial_rotary_factor=0.5,
     rope_parameters={"rope_type": "longrope", "rope_theta": 5000.0, "partial_rotary_factor": 0.5, "short_factor": F, "long_factor": [2.0, 4.0, 6.0, 9.0], "original_max_position_embeddings": 8})),
     "Phi-3: a text longer than the original length (long factors), half of each head rotated", shape=12, dtype=torch.bfloat16)
save("olmo2", tr.Olmo2ForCausalLM, tr.Olmo2Config(**base(**G, rope_parameters=rope(5000.0))), "OLMo 2: norms on sublayer outputs only, RMS norms over all channels of queries and of keys")
save("olmo3", tr.Olmo3ForCausalLM, tr.Olmo3Config(**base(**G, num_hidden_layers=3, sliding_window=4, layer_types=["sliding_attention", "full_attention", "sliding_attention"],
     rope_parameters={"sliding_attention": rope(5000.0), "full_attention": {"rope_type": "yarn", "rope_theta": 5000.0, "factor": 4.0, "original_max_position_embeddings": 16, "attention_factor": 1.2}})),
     "OLMo 3: OLMo 2 with local layers; YaRN in global layers alone")
save("granite", tr.GraniteForCausalLM, tr.GraniteConfig(**base(**G, embedding_multiplier=3.0, residual_multiplier=0.4, attention_multiplier=0.2, logits_scaling=2.5, attention_bias=True, rope_parameters=rope(5000.0))),
     "Granite: factors of embeddings, residuals, scores and logits")
save("smollm3", tr.SmolLM3ForCausalLM, tr.SmolLM3Config(**base(**G, num_hidden_layers=3, no_rope_layers=[1, 0, 1], rope_parameters=rope(5000.0))), "SmolLM3: layer 1 without positions, tied head")
save("stablelm", tr.StableLmForCausalLM, tr.StableLmConfig(**base(**G, use_qkv_bias=True, qk_layernorm=True, rope_parameters=rope(5000.0, partial_rotary_factor=0.25))),
     "StableLM 2: LayerNorm of every head's queries and keys with a weight for each head, a quarter of each head rotated")
save("stablelm_parallel", tr.StableLmForCausalLM, tr.StableLmConfig(**base(**G, use_parallel_residual=True, rope_parameters=rope(5000.0, partial_rotary_factor=0.5))),
     "StableLM 2 12B: parallel block behind one norm", dtype=torch.bfloat16)
FA = {k: v for k, v in base(ffn_hidden_size=72).items() if k != "intermediate_size"}
save("falcon", tr.FalconForCausalLM, tr.FalconConfig(**FA, multi_query=True, parallel_attn=True, new_decoder_architecture=False, rope_parameters=rope(5000.0)),
     "Falcon-7B: one key head, fused [all queries | key | value], parallel block behind one norm")
save("falcon_new", tr.FalconForCausalLM, tr.FalconConfig(**FA, num_kv_heads=2, new_decoder_architecture=True, bias=True, rope_parameters=rope(5000.0)),
     "Falcon-40B: fused [queries of a group | its key | its value] group by group, two norms before a parallel block, biases", dtype=torch.bfloat16)
save("opt", tr.OPTForCausalLM, tr.OPTConfig(vocab_size=V, hidden_size=32, ffn_dim=40, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=20, dropout=0.0, **{**EAGER, "pad_token_id": 1, "bos_token_id": 2}),
     "OPT: learned positions from row 2 of their table on, ReLU, tied head")
# Where it returns patterns, FalconModel adds ALiBi's terms twice: to the mask and to the scores. Half of them twice are what it adds without.
whole = modeling_falcon.build_alibi_tensor
modeling_falcon.build_alibi_tensor = lambda *args, **kw: whole(*args, **kw) / 2
save("falcon_rw", tr.FalconForCausalLM, tr.FalconConfig(**{**FA, "num_attention_heads": 4}, alibi=True, multi_query=False, parallel_attn=False, new_decoder_architecture=False, bias=True),
     "Falcon-RW: ALiBi times the factor of the scores, sequential blocks, fused [query | key | value] head by head, biases")
modeling_falcon.build_alibi_tensor = whole
folder = pathlib.Path(a.out) / "hf"
with torch.no_grad():
    e = load_file(str(folder / "falcon_rw.expected.safetensors"))
    o = tr.FalconForCausalLM.from_pretrained(str(folder / "falcon_rw"), dtype=torch.float32, attn_implementation="sdpa").eval()(input_ids=e["in.ids"], attention_mask=e["in.attention_mask"])
    assert torch.allclose(o.logits[e["in.attention_mask"].bool()], e["out.logits"][e["in.attention_mask"].bool()], atol=1e-5)
save("opt_post", tr.OPTForCausalLM, tr.OPTConfig(vocab_size=V, hidden_size=32, ffn_dim=40, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=20, dropout=0.0, word_embed_proj_dim=12, do_layer_norm_before=False, **{**EAGER, "pad_token_id": 1, "bos_token_id": 2}),
     "OPT-350M: norms after the residual, embeddings of 12 projected to 32 and hidden states back")
save("qwen2_moe", tr.Qwen2MoeForCausalLM, tr.Qwen2MoeConfig(**base(**G, num_hidden_layers=3, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=24, shared_expert_intermediate_size=28, mlp_only_layers=[1], norm_topk_prob=False, rope_parameters=rope(5000.0))),
     "Qwen2-MoE: a shared expert behind a gate of its own beside four experts, biases of queries, keys and values, layer 1 without experts")
save("mixtral", tr.MixtralForCausalLM, tr.MixtralConfig(**base(**G, num_local_experts=4, num_experts_per_tok=2, intermediate_size=24, sliding_window=5, rope_parameters=rope(5000.0))), "Mixtral: two of four experts, weights normalised")
save("gpt_oss", tr.GptOssForCausalLM, tr.GptOssConfig(**base(**G, head_dim=12, num_hidden_layers=2, num_local_experts=4, num_experts_per_tok=2, intermediate_size=24, sliding_window=3, layer_types=["sliding_attention", "full_attention"],
     rope_parameters={"rope_type": "yarn", "rope_theta": 5000.0, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False, "original_max_position_embeddings": 16})),
     "gpt-oss: attention sinks, router bias, clamped gate of experts stored column by column, YaRN without truncation")
E = dict(vocab_size=V, hidden_size=32, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=20, hidden_dropout_prob=0.0, attn_implementation="eager", pad_token_id=1)
save("roberta", tr.RobertaForMaskedLM, tr.RobertaConfig(**E, type_vocab_size=1), "RoBERTa: positions from row padding + 1 on, head lm_head.{dense,layer_norm,decoder}")
save("electra", tr.ElectraForMaskedLM, tr.ElectraConfig(**{**E, "pad_token_id": 0}, embedding_size=32, type_vocab_size=2), "ELECTRA generator whose embeddings are as wide as its layers")
save("electra_small", tr.ElectraForMaskedLM, tr.ElectraConfig(**{**E, "pad_token_id": 0}, embedding_size=12, type_vocab_size=2), "ELECTRA generator whose embeddings and head are narrower than its layers")
save("distilbert", tr.DistilBertForMaskedLM, tr.DistilBertConfig(vocab_size=V, dim=32, hidden_dim=40, n_layers=2, n_heads=4, max_position_embeddings=20, dropout=0.0, attn_implementation="eager"), "DistilBERT: no segments, no pooler")
save("modernbert", tr.ModernBertForMaskedLM, tr.ModernBertConfig(**base(num_hidden_layers=3, local_attention=6, layer_types=["full_attention", "sliding_attention", "full_attention"], cls_token_id=1, sep_token_id=2,
     rope_parameters={"sliding_attention": rope(300.0), "full_attention": rope(20000.0)})),
     "ModernBERT: two-sided windows, norms without bias, no norm before the first attention, gated feed-forward with exact GELU, two rotary bases")
save("marian", tr.MarianMTModel, tr.MarianConfig(vocab_size=V, d_model=32, encoder_layers=2, decoder_layers=3, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=40, decoder_ffn_dim=40, max_position_embeddings=24,
     activation_function="swish", scale_embedding=True, decoder_start_token_id=0, dropout=0.0, attn_implementation="eager", pad_token_id=0, eos_token_id=2, forced_eos_token_id=2),
     "Marian: sinusoidal positions (sines, then cosines), post-norm, SiLU, bias of the logits", decoder=True)


def relaid(model_type, rename, fuse, **changed):
    """Llama's weights under other names, its queries, keys and values in the one matrix that `fuse` makes."""
    def rewrite(folder):
        theirs = load_file(str(folder / "model.safetensors"))
        ours = {}
        for name, values in theirs.items():
            part = next((p for p in ("q", "k", "v") if f"self_attn.{p}_proj" in name), None)
            if part is None:
                for old, new in rename.items():
                    name = name.replace(old, new)
                ours[name] = values
            elif part == "q":
                layer = name.split("self_attn")[0]
                q, k, v = (theirs[f"{layer}self_attn.{p}_proj.weight"] for p in "qkv")
                ours[fuse[0].format(layer)] = fuse[1](q, k, v).contiguous()
        save_file(ours, str(folder / "model.safetensors"), metadata={"format": "pt"})
        config = json.loads((folder / "config.json").read_text())
        config.update(model_type=model_type, **changed)
        for key in ("attention_bias", "mlp_bias", "pretraining_tp"):
            config.pop(key, None)
        (folder / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
        for f in folder.iterdir():
            f.chmod(0o644)
    return rewrite


HALF = torch.bfloat16
J = dict(vocab_size=V, n_embd=32, n_layer=2, n_positions=24, n_inner=40, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, **EAGER)
save("gptj", tr.GPTJForCausalLM, tr.GPTJConfig(**J, n_head=4, rotary_dim=6), "GPT-J: parallel block behind one norm, 6 of 8 channels of a head rotated in neighbouring pairs, no biases of attention, bias of the head", dtype=HALF)
save("codegen", tr.CodeGenForCausalLM, tr.CodeGenConfig(**J, n_head=8, rotary_dim=2), "CodeGen: queries, values and keys of two heads after those of the two before in one matrix", dtype=HALF)
save("gpt_neo", tr.GPTNeoForCausalLM, tr.GPTNeoConfig(vocab_size=V, hidden_size=32, num_layers=3, num_heads=4, intermediate_size=40, max_position_embeddings=24, window_size=4, attention_types=[[["global", "local"], 1], [["global"], 1]], **EAGER),
     "GPT-Neo: window of 4 in layer 1, scores not scaled, biases of attention's output alone", dtype=HALF)
save("mpt", tr.MptForCausalLM, tr.MptConfig(vocab_size=V, d_model=36, n_heads=6, n_layers=2, max_seq_len=24, attn_config={"softmax_scale": 0.3}, **EAGER),
     "MPT: ALiBi for 6 heads, fused queries, keys and values, no biases, not in norms either, a score factor", dtype=HALF)
save("gpt_bigcode", tr.GPTBigCodeForCausalLM, tr.GPTBigCodeConfig(**J, n_head=4), "GPTBigCode (StarCoder): one key head, fused [all queries | key | value]", dtype=HALF)
save("gpt_bigcode_heads", tr.GPTBigCodeForCausalLM, tr.GPTBigCodeConfig(**J, n_head=4, multi_query=False), "GPTBigCode with keys for each head, fused head by head", dtype=HALF)
save("olmo", tr.OlmoForCausalLM, tr.OlmoConfig(**base(**G, attention_bias=True, rope_parameters=rope(5000.0))), "OLMo 1: LayerNorm without parameters, biases of attention", dtype=HALF)
save("olmoe", tr.OlmoeForCausalLM, tr.OlmoeConfig(**base(**G, num_experts=4, num_experts_per_tok=2, intermediate_size=24, rope_parameters=rope(5000.0))), "OLMoE: norms of all queries and of all keys together, weights of experts not normalised", dtype=HALF)
save("granitemoe", tr.GraniteMoeForCausalLM, tr.GraniteMoeConfig(**base(**G, num_local_experts=4, num_experts_per_tok=2, intermediate_size=24, embedding_multiplier=3.0, residual_multiplier=0.4, attention_multiplier=0.2, logits_scaling=2.5, rope_parameters=rope(5000.0))),
     "GraniteMoE: Granite's factors, experts in two tensors", dtype=HALF)
save("cohere", tr.CohereForCausalLM, tr.CohereConfig(**base(**G, use_qk_norm=True, logit_scale=0.3, layer_norm_eps=1e-4, rope_parameters=rope(5000.0))), "Cohere: parallel block behind one LayerNorm without bias, norms of each head's queries and keys, rotation in neighbouring pairs, factor of logits", dtype=HALF)
save("cohere2", tr.Cohere2ForCausalLM, tr.Cohere2Config(**base(**G, num_hidden_layers=3, attention_bias=True, logit_scale=0.5, sliding_window=4, layer_types=["sliding_attention", "full_attention", "sliding_attention"], rope_parameters=rope(5000.0))),
     "Cohere 2: window of 4 and rotation in layers 0 and 2, no positions in layer 1, biases of attention", dtype=HALF)
save("exaone4", tr.Exaone4ForCausalLM, tr.Exaone4Config(**base(**G, num_hidden_layers=3, sliding_window=4, layer_types=["sliding_attention", "full_attention", "sliding_attention"], rope_parameters=rope(5000.0))),
     "EXAONE 4: norms on sublayer outputs and of each head's queries and keys, no positions in the global layer", dtype=HALF)
save("starcoder2", tr.Starcoder2ForCausalLM, tr.Starcoder2Config(**base(**G, sliding_window=5, norm_epsilon=1e-4, rope_parameters=rope(5000.0))), "Starcoder2: LayerNorm, plain feed-forward network, biases, window of 5", dtype=HALF)
save("glm", tr.GlmForCausalLM, tr.GlmConfig(**base(**G, head_dim=12, rope_parameters=rope(5000.0, partial_rotary_factor=0.5))), "GLM: half of each head rotated in neighbouring pairs, biases of queries, keys and values, fused gate", dtype=HALF)
save("glm4", tr.Glm4ForCausalLM, tr.Glm4Config(**base(**G, head_dim=12, attention_bias=False, rope_parameters=rope(5000.0, partial_rotary_factor=0.5))), "GLM-4: GLM with norms before and after each sublayer", dtype=HALF)
save("ernie4_5", tr.Ernie4_5ForCausalLM, tr.Ernie4_5Config(**base(**G, head_dim=12, use_bias=True, rope_parameters=rope(5000.0))), "ERNIE 4.5: rotation in neighbouring pairs, biases", dtype=HALF)
save("seed_oss", tr.SeedOssForCausalLM, tr.SeedOssConfig(**base(**G, head_dim=12, rope_parameters=rope(5000.0))), "Seed-OSS: biases of queries, keys and values, heads wider than d / heads", dtype=HALF)
B = dict(vocab_size=V, d_model=32, encoder_layers=2, decoder_layers=3, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=40, decoder_ffn_dim=40, max_position_embeddings=24, decoder_start_token_id=2, forced_eos_token_id=2,
         dropout=0.0, **{**EAGER, "pad_token_id": 0})
save("bart", tr.BartForConditionalGeneration, tr.BartConfig(**B, activation_function="gelu"), "BART: positions from row 2 of their tables on, norm of embeddings, norms after the residual, bias of the logits", decoder=True, dtype=HALF)
save("mbart", tr.MBartForConditionalGeneration, tr.MBartConfig(**B, activation_function="relu", scale_embedding=True), "mBART: BART with norms before sublayers and after each stack, embeddings times sqrt(d)", decoder=True, dtype=HALF)
M = dict(vocab_size=V, d_model=32, d_kv=12, d_ff=40, num_layers=2, num_decoder_layers=3, num_heads=4, relative_attention_num_buckets=8, relative_attention_max_distance=12, dropout_rate=0.0, decoder_start_token_id=0, attn_implementation="eager", pad_token_id=0, eos_token_id=1)
save("mt5", tr.MT5ForConditionalGeneration, tr.MT5Config(**M), "mT5: gated feed-forward network, tied head without a factor", decoder=True, dtype=HALF)
save("internlm2", tr.LlamaForCausalLM, tr.LlamaConfig(**base(**G, rms_norm_eps=1e-5, rope_parameters=rope(5000.0))), "InternLM2: Llama with [queries of a group | its key | its value] group by group in one matrix", dtype=HALF,
     layout=relaid("internlm2", {"embed_tokens": "tok_embeddings", "self_attn.o_proj": "attention.wo", "mlp.gate_proj": "feed_forward.w1", "mlp.up_proj": "feed_forward.w3", "mlp.down_proj": "feed_forward.w2",
                                 "input_layernorm": "attention_norm", "post_attention_layernorm": "ffn_norm", "lm_head": "output"},
                   ("{}attention.wqkv.weight", lambda q, k, v: torch.cat([q.view(2, 2, 8, 32), k.view(2, 1, 8, 32), v.view(2, 1, 8, 32)], 1).view(-1, 32)),
                   architectures=["InternLM2ForCausalLM"], bias=False))
save("baichuan", tr.LlamaForCausalLM, tr.LlamaConfig(**base(rope_parameters=rope(10000.0))), "Baichuan 7B: Llama with [queries | keys | values] in one matrix", dtype=HALF,
     layout=relaid("baichuan", {}, ("{}self_attn.W_pack.weight", lambda q, k, v: torch.cat([q, k, v])), architectures=["BaichuanForCausalLM"]))

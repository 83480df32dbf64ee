#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets: small files that are right ("ok_"), and files with what has gone wrong in
parsers of these formats elsewhere ("bad_"). Found ones, with other names, are left as they are.

    tests/fuzz/make_corpus.py [FOLDER, otherwise tests/fuzz/corpus]
"""
import json, pathlib, shutil, struct, sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOLDEN = ROOT / "tests" / "data" / "golden"
OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus"


def seed(target, name, content):
    folder = OUT / target
    folder.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content, separators=(",", ":"), ensure_ascii=False)).encode()
    (folder / name).write_bytes(content)


def changed(value, **changes):
    result = json.loads(json.dumps(value))
    for key, change in changes.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = change
    return result


# ---------------------------------------------------------------------------------------------- safetensors
SIZES = {"F32": 4, "F64": 8, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}


def with_header(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def count(shape):
    result = 1
    for extent in shape:
        result *= extent
    return result


def safetensors(tensors, metadata=None):
    """tensors: {name: (dtype, shape, bytes, or None for small numbers)}"""
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (dtype, shape, raw) in tensors.items():
        if raw is None:
            raw = struct.pack(f"<{count(shape)}f", *(((i * 7 + 3) % 11 - 5) / 8 for i in range(count(shape))))
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    return with_header(header, data)


def one(dtype="F32", shape=(2, 2), begin=0, end=16, size=16, **more):
    return with_header({"a": {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end], **more}}, b"\1" * size)


def make_safetensors():
    put = lambda name, content: seed("safetensors", name, content)
    put("ok_types", safetensors({d: (d, [2, 1], bytes(2 * s)) for d, s in SIZES.items()}, {"format": "pt"}))
    put("ok_empty_and_scalar", safetensors({"e": ("F32", [0, 3], b""), "s": ("F32", [], bytes(4))}))
    put("ok_no_tensor", with_header({}))
    put("ok_unaligned", safetensors({"a": ("U8", [3], b"abc"), "b": ("F32", [1], bytes(4))}))
    put("bad_empty", b"")
    for name, length in (("zero", 0), ("more_than_the_file", 100), ("hundred_megabytes", 100_000_001), ("wraps", 2**64 - 1), ("wraps_with_8", 2**64 - 8)):
        put(f"bad_header_{name}", struct.pack("<Q", length) + b'{"a":1}')
    put("bad_header_utf8", with_header(b'{"\xff\xfe":{}}'))
    put("bad_header_list", with_header(b"[]      "))
    put("bad_header_text_behind", with_header(b"{} {}   "))
    put("bad_nested", with_header(b'{"a":' * 80 + b"1" + b"}" * 80))
    put("bad_twice", with_header(b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x"))
    put("bad_shape_wraps_to_4", one("U8", [4194305, 4194305, 211106198978564], 0, 4, 4))
    put("bad_shape_wraps_to_0", one("F32", [2**32, 2**32], 0, 0, 0))
    put("bad_shape_bytes_wrap", one("F64", [2**61], 0, 0, 0))
    put("bad_shape_zero_times_huge", one("F32", [2**64 - 1, 0], 0, 0, 0))
    put("bad_shape_negative", one("F32", [-2, -2]))
    put("bad_shape_fraction", one("F32", [2.5, 2]))
    put("bad_shape_text", one("F32", ["2", "2"]))
    put("bad_offset_negative", one(begin=-16, end=0))
    put("bad_offset_reversed", one(begin=16, end=0))
    put("bad_offset_beyond", one(begin=0, end=16, size=8))
    put("bad_offset_huge", one(begin=2**63, end=2**63 + 16))
    put("bad_offset_misfit", one(begin=0, end=12, size=12))
    put("bad_offset_1e400", with_header(b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1e400]}}', b"x"))
    put("bad_hole", with_header({"a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "b": {"dtype": "U8", "shape": [1], "data_offsets": [2, 3]}}, b"abc"))
    put("bad_overlap", with_header({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}, "b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}}, b"abc"))
    put("bad_bytes_behind", one(size=20))
    put("bad_type_unknown", one("F33"))
    put("bad_type_number", one(5))
    put("bad_key_unknown", one(more=1))
    put("bad_metadata_numbers", with_header({"__metadata__": {"a": 1}}))
    put("bad_truncated", safetensors({"a": ("F32", [2, 2], None)})[:-5])
    put("nan_and_infinite", safetensors({"a": ("F32", [3], struct.pack("<3f", float("nan"), float("inf"), -float("inf")))}))
    put("zero_size_shares", with_header({"a": {"dtype": "U8", "shape": [0], "data_offsets": [1, 1]}, "b": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}}, b"ab"))


# ----------------------------------------------------------------------------------------------------- GGUF
U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
PACK = {U8: "B", I8: "b", U16: "H", I16: "h", U32: "I", I32: "i", F32: "f", BOOL: "?", U64: "Q", I64: "q", F64: "d"}


def text(value):
    raw = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(raw)) + raw


def array(kind, values, claimed=None):
    items = b"".join(text(v) if kind == STRING else struct.pack("<" + PACK[kind], v) for v in values)
    return ARRAY, struct.pack("<IQ", kind, len(values) if claimed is None else claimed) + items


def entry(key, value):
    """value: text, float, whole number, flag, or (type, bytes)."""
    if isinstance(value, tuple):
        kind, raw = value
    elif isinstance(value, bool):
        kind, raw = BOOL, struct.pack("<?", value)
    elif isinstance(value, int):
        kind, raw = U32, struct.pack("<I", value)
    elif isinstance(value, float):
        kind, raw = F32, struct.pack("<f", value)
    else:
        kind, raw = STRING, text(value)
    return text(key) + struct.pack("<I", kind) + raw


def gguf(metadata, tensors=(), version=3, magic=b"GGUF", tensor_count=None, entry_count=None, alignment=32):
    """tensors: (name, dimensions row first, type, data or (offset, data))"""
    entries = list(metadata.items()) if isinstance(metadata, dict) else list(metadata)
    infos, data = b"", b""
    for name, dimensions, kind, raw in tensors:
        offset, raw = raw if isinstance(raw, tuple) else (len(data), raw)
        infos += text(name) + struct.pack("<I", len(dimensions)) + struct.pack(f"<{len(dimensions)}Q", *dimensions)
        infos += struct.pack("<IQ", kind, offset % 2**64)
        data += raw + bytes(-len(raw) % alignment)
    head = magic + struct.pack("<IQQ", version, len(tensors) if tensor_count is None else tensor_count, len(entries) if entry_count is None else entry_count)
    head += b"".join(entry(k, v) for k, v in entries) + infos
    return head + bytes(-len(head) % alignment) + data if tensors else head


def floats(n, value=None):
    return struct.pack(f"<{n}f", *(((i * 5 + 1) % 9 - 4) / 8 if value is None else value for i in range(n)))


V, D, FF, HEADS, KV = 12, 4, 6, 2, 1
LLAMA = {"general.architecture": "llama", "llama.block_count": 1, "llama.embedding_length": D, "llama.feed_forward_length": FF, "llama.context_length": 16,
         "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": KV, "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.dimension_count": D // HEADS}
PIECES = ["<unk>", "<s>", "</s>", "<0x41>", "\u2581", "a", "b", "\u2581a", "ab", "\u2581ab", "c", "T"]
SPM = {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": array(STRING, PIECES), "tokenizer.ggml.scores": array(F32, [-float(i) for i in range(V)]),
       "tokenizer.ggml.token_type": array(I32, [2, 3, 3, 6] + [1] * (V - 4)), "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2}


def llama_tensors():
    small = lambda name, rows, columns: (name, [columns, rows], 0, floats(rows * columns))
    norm = lambda name: (name, [D], 0, floats(D, 1.0))
    b = "blk.0."
    return [small("token_embd.weight", V, D), norm(b + "attn_norm.weight"), small(b + "attn_q.weight", D, D), small(b + "attn_k.weight", D // HEADS * KV, D), small(b + "attn_v.weight", D // HEADS * KV, D),
            small(b + "attn_output.weight", D, D), norm(b + "ffn_norm.weight"), small(b + "ffn_gate.weight", FF, D), small(b + "ffn_up.weight", FF, D), small(b + "ffn_down.weight", D, FF), norm("output_norm.weight")]


def make_gguf_families(put):
    """Files of Phi-3 (LongRoPE), Falcon, StableLM and gpt-oss (experts in MXFP4), and what does not fit."""
    keys = lambda arch, **more: {"general.architecture": arch, **{arch + key[5:]: value for key, value in LLAMA.items() if key.startswith("llama.")}, **{f"{arch}.{k.replace('__', '.')}": v for k, v in more.items()}}
    t = lambda name, *shape: (name, list(reversed(shape)), 0, floats(count(shape)))
    b = "blk.0."
    kv = D // HEADS * KV
    common = [t("token_embd.weight", V, D), t("output_norm.weight", D), t(b + "attn_norm.weight", D), t(b + "attn_output.weight", D, D), t(b + "ffn_down.weight", D, FF)]
    fused = [t(b + "attn_qkv.weight", D + 2 * kv, D)]
    factors = lambda n: [t("rope_factors_long.weight", n), ("rope_factors_short.weight", [n], 0, floats(n, 1.0))]
    phi3 = [*common, *fused, t(b + "ffn_norm.weight", D), t(b + "ffn_up.weight", 2 * FF, D)]
    long = {"rope__scaling__original_context_length": 8, "rope__scaling__attn_factor": 1.1}
    put("ok_phi3", gguf(keys("phi3"), phi3))
    put("phi3_long", gguf(keys("phi3", **long), [*phi3, ("rope_factors_long.weight", [1], 0, floats(1, 2.0)), ("rope_factors_short.weight", [1], 0, floats(1, 1.0))]))
    put("bad_phi3_factors", gguf(keys("phi3", **long), [*phi3, *factors(2)]))
    put("bad_phi3_factors_zero", gguf(keys("phi3", **long), [*phi3, ("rope_factors_long.weight", [1], 0, floats(1, 0.0)), ("rope_factors_short.weight", [1], 0, floats(1, 0.0))]))
    put("bad_phi3_long_alone", gguf(keys("phi3", **long), [*phi3, *factors(1)[:1]]))
    put("bad_phi3_context_zero", gguf(keys("phi3", rope__scaling__original_context_length=0), [*phi3, *factors(1)]))
    layer_norm = {"attention__layer_norm_epsilon": 1e-5}
    beta = lambda tensors: tensors + [t(n.replace("weight", "bias"), D) for n in ("output_norm.weight", b + "attn_norm.weight")]
    falcon = beta([*common, *fused, t(b + "ffn_up.weight", FF, D)])
    put("ok_falcon", gguf(keys("falcon", **layer_norm), falcon))
    put("ok_falcon_two_norms", gguf(keys("falcon", **layer_norm), [*falcon, t(b + "attn_norm_2.weight", D), t(b + "attn_norm_2.bias", D)]))
    put("bad_falcon_norm_without_bias", gguf(keys("falcon", **layer_norm), [*falcon, t(b + "attn_norm_2.weight", D)]))
    apart = [t(b + "attn_q.weight", D, D), t(b + "attn_k.weight", kv, D), t(b + "attn_v.weight", kv, D)]
    stable = beta([*common, *apart, t(b + "ffn_gate.weight", FF, D), t(b + "ffn_up.weight", FF, D)])
    put("ok_stablelm_parallel", gguf(keys("stablelm", **layer_norm), stable))
    put("bad_stablelm_norms", gguf(keys("stablelm", **layer_norm), [*stable, t(b + "attn_q_norm.weight", D), t(b + "attn_k_norm.weight", D)]))
    d, experts = 32, 2
    wide = {"embedding_length": d, "feed_forward_length": d, "attention__key_length": 16, "attention__value_length": 16, "rope__dimension_count": 16, "expert_count": experts, "expert_used_count": 1, "expert_feed_forward_length": d}
    coded = lambda name, fill=125: (name, [d, d, experts], 39, bytes(fill if i % 17 == 0 else i * 37 % 251 for i in range(17 * d * experts)))
    oss = [t("token_embd.weight", V, d), t("output_norm.weight", d), t(b + "attn_norm.weight", d), t(b + "post_attention_norm.weight", d), t(b + "attn_sinks.weight", 2), t(b + "attn_output.weight", d, d), t(b + "attn_output.bias", d),
           t(b + "ffn_gate_inp.weight", experts, d), t(b + "ffn_gate_inp.bias", experts), coded(b + "ffn_gate_exps.weight"), coded(b + "ffn_up_exps.weight"), coded(b + "ffn_down_exps.weight")]
    oss += [t(f"{b}attn_{p}.weight", rows, d) for p, rows in (("q", d), ("k", 16), ("v", 16))] + [t(f"{b}attn_{p}.bias", rows) for p, rows in (("q", d), ("k", 16), ("v", 16))] + [t(f"{b}ffn_{p}_exps.bias", experts, d) for p in ("gate", "up", "down")]
    put("ok_gpt_oss", gguf(keys("gpt-oss", **wide), oss))
    put("bad_gpt_oss_infinite", gguf(keys("gpt-oss", **wide), [coded(n, 255) if "ffn_up_exps.weight" in n else (n, s, k, raw) for n, s, k, raw in oss]))
    put("bad_gpt_oss_no_bias", gguf(keys("gpt-oss", **wide), [x for x in oss if x[0] != b + "ffn_up_exps.bias"]))
    put("bad_gpt_oss_no_experts", gguf(keys("gpt-oss", **{**wide, "expert_count": 0}), oss))
    for kind, name, values, size in ((16, "iq2_xxs", 256, 66), (17, "iq2_xs", 256, 74), (18, "iq3_xxs", 256, 98), (19, "iq1_s", 256, 50), (21, "iq3_s", 256, 110), (22, "iq2_s", 256, 82), (29, "iq1_m", 256, 56), (39, "mxfp4", 32, 17)):
        put(f"bad_tensor_of_{name}", gguf(LLAMA, [("a", [2 * values, 3], kind, bytes(i * 73 % 256 for i in range(6 * size)))]))


def make_gguf():
    put = lambda name, content: seed("gguf", name, content)
    put("ok_llama", gguf({**LLAMA, **SPM}, llama_tensors()))
    put("ok_llama_without_tokenizer", gguf({**LLAMA, "general.alignment": 32}, llama_tensors()))
    q8 = [("token_embd.weight", [32, V], 8, bytes(34 * V))] + [t for t in llama_tensors() if t[0] != "token_embd.weight"]
    put("bad_quantised_misfit", gguf(LLAMA, q8))
    wide = {**LLAMA, "llama.embedding_length": 32, "llama.rope.dimension_count": 16}
    byte_tokens = [chr(c) for c in range(ord("!"), ord("!") + V)]
    put("gpt2_tokens", gguf({**LLAMA, "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm", "tokenizer.ggml.tokens": array(STRING, byte_tokens), "tokenizer.ggml.merges": array(STRING, ["! \"", "no such"])}, llama_tensors()))
    put("bad_wide", gguf(wide, llama_tensors()))
    # containers
    put("bad_empty", b"")
    put("bad_magic_alone", b"GGUF")
    for version in (0, 1, 4, 2**31, 0x03000000):
        put(f"bad_version_{version}", gguf({}, version=version))
    for name, counts in (("2_63_tensors", {"tensor_count": 2**63}), ("2_63_entries", {"entry_count": 2**63}), ("tensors_wrap", {"tensor_count": 2**64 // 8 + 2}), ("all_ones", {"tensor_count": 2**64 - 1, "entry_count": 2**64 - 1})):
        put(f"bad_count_{name}", gguf({"a": 1}, **counts))
    put("bad_string_2_63", gguf([("a", (STRING, struct.pack("<Q", 2**63) + b"text"))]))
    put("bad_string_wraps", gguf([("a", (STRING, struct.pack("<Q", 2**64 - 1) + b"text"))]))
    put("bad_key_2_63", b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**63) + b"key")
    put("bad_array_of_arrays", gguf([("a", (ARRAY, struct.pack("<IQ", ARRAY, 1) + struct.pack("<IQ", ARRAY, 1) * 9))]))
    put("bad_array_2_63", gguf([("a", array(U32, [1], 2**63))]))
    put("bad_array_wraps", gguf([("a", array(U32, [1], 2**62 + 1))]))
    put("bad_array_strings_2_61", gguf([("a", array(STRING, ["x"], 2**61))]))
    put("bad_array_type_99", gguf([("a", (ARRAY, struct.pack("<IQ", 99, 1) + b"x"))]))
    put("bad_bool_2", gguf([("a", (BOOL, b"\2"))]))
    put("bad_key_twice", gguf([("a", 1), ("a", 2)]))
    for value in (0, 24, 2**31):
        put(f"bad_alignment_{value}", gguf({"general.alignment": value}))
    put("bad_alignment_text", gguf({"general.alignment": "32"}))
    put("bad_alignment_u64", gguf({"general.alignment": (U64, struct.pack("<Q", 32))}))
    # tensors
    t = lambda name, dimensions, kind=0, raw=floats(16): put(f"bad_tensor_{name}", gguf(LLAMA, [("a", dimensions, kind, raw)]))
    t("no_dimension", [])
    t("five_dimensions", [1] * 5)
    t("zero", [0, 4])
    t("2_63", [2**63])
    t("stride_wraps", [2**42 + 1, 4])
    t("product_wraps", [2**31, 2**31, 4])
    t("bytes_wrap", [2**62])
    t("half_block", [16, 2], 8)
    t("type_99", [4], 99)
    t("past_the_end", [16], 0, (32, floats(16)))
    t("offset_wraps", [16], 0, (2**64 - 32, floats(16)))
    t("unaligned", [4], 0, (4, floats(16)))
    put("bad_tensor_overlap", gguf(LLAMA, [("a", [8], 0, (0, floats(8))), ("b", [8], 0, (0, floats(8)))]))
    put("bad_tensor_same_place", gguf(LLAMA, [("a", [8], 0, floats(8)), ("b", [4], 0, (0, b""))]))
    put("bad_tensor_twice", gguf(LLAMA, [("a", [8], 0, floats(8)), ("a", [8], 0, floats(8))]))
    put("bad_truncated", gguf({**LLAMA, **SPM}, llama_tensors())[:-40])
    # models
    m = lambda name, **changes: put(f"bad_model_{name}", gguf({**LLAMA, **{k.replace("__", "."): v for k, v in changes.items()}}, llama_tensors()[:3]))
    m("blocks_2_31", llama__block_count=2**31)
    m("blocks_0", llama__block_count=0)
    m("heads_0", llama__attention__head_count=0)
    m("heads_3", llama__attention__head_count=3)
    m("kv_heads_more", llama__attention__head_count_kv=4)
    m("kv_heads_0", llama__attention__head_count_kv=0)
    m("heads_of_no_layer", llama__attention__head_count=array(U32, []))
    m("rope_odd", llama__rope__dimension_count=3)
    m("rope_nan", llama__rope__freq_base=float("nan"))
    m("rope_zero", llama__rope__freq_base=0.0)
    m("epsilon_nan", llama__attention__layer_norm_rms_epsilon=float("nan"))
    m("vocabulary_other", llama__vocab_size=13)
    m("embedding_huge", llama__embedding_length=2**31)
    m("feed_forward_huge", llama__feed_forward_length=2**32 - 1)
    m("context_0", llama__context_length=0)
    m("experts", llama__expert_count=8)
    m("no_architecture", general__architecture="nobody")
    put("context_huge", gguf({**LLAMA, "llama.context_length": 2**32 - 1}, llama_tensors()))
    put("yarn_infinite", gguf({**LLAMA, "llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": float("inf")}, llama_tensors()))
    put("yarn_tiny", gguf({**LLAMA, "llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": 1e-38, "llama.rope.scaling.original_context_length": 1, "llama.rope.scaling.attn_factor": 1e38}, llama_tensors()))
    put("window", gguf({**LLAMA, "llama.attention.sliding_window": 2**32 - 1}, llama_tensors()))
    put("bad_model_nan_weights", gguf(LLAMA, [(n, d, k, floats(len(raw) // 4, float("nan")) if "ffn_up" in n else raw) for n, d, k, raw in llama_tensors()]))
    put("zero_weights", gguf(LLAMA, [(n, d, k, bytes(len(raw))) for n, d, k, raw in llama_tensors()]))
    put("infinite_norm", gguf(LLAMA, [(n, d, k, floats(len(raw) // 4, 3e38)) for n, d, k, raw in llama_tensors()]))
    make_gguf_families(put)
    # vocabularies
    v = lambda name, **changes: put(f"vocabulary_{name}", gguf({**LLAMA, **SPM, **{"tokenizer.ggml." + k: v for k, v in changes.items()}}, llama_tensors()))
    v("byte_negative", tokens=array(STRING, PIECES[:3] + ["<0x-1>"] + PIECES[4:]))
    v("byte_zz", tokens=array(STRING, PIECES[:3] + ["<0xZZ>"] + PIECES[4:]))
    v("scores_short", scores=array(F32, [0.0]))
    v("scores_nan", scores=array(F32, [float("nan")] * V))
    v("types_short", token_type=array(I32, [1]))
    v("types_odd", token_type=array(I32, [-1, 99, 2**31 - 1] * 4))
    v("empty_token", tokens=array(STRING, [""] * V))
    v("same_tokens", tokens=array(STRING, ["a"] * V))
    v("ids_beyond", bos_token_id=2**31, eos_token_id=V, unknown_token_id=2**32 - 1)
    v("ids_negative", bos_token_id=(I32, struct.pack("<i", -1)))
    v("not_utf8", tokens=array(STRING, [b"\xff", b"\xc3"] + PIECES[2:]))
    v("gpt2_without_merges", model="gpt2")
    v("bert", model="bert", pre="jina")
    v("t5_map", model="t5", precompiled_charsmap=array(U8, [255, 255, 255, 127, 1, 2, 3]))


# ------------------------------------------------------------------------------------ folders and checkpoints
HF = {"model_type": "llama", "vocab_size": V, "hidden_size": D, "intermediate_size": FF, "num_hidden_layers": 1, "num_attention_heads": HEADS, "num_key_value_heads": KV, "hidden_act": "silu", "max_position_embeddings": 16,
      "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": True}


def hf_tensors():
    b = "model.layers.0."
    shapes = {"model.embed_tokens.weight": [V, D], b + "input_layernorm.weight": [D], b + "self_attn.q_proj.weight": [D, D], b + "self_attn.k_proj.weight": [D // HEADS * KV, D], b + "self_attn.v_proj.weight": [D // HEADS * KV, D],
              b + "self_attn.o_proj.weight": [D, D], b + "post_attention_layernorm.weight": [D], b + "mlp.gate_proj.weight": [FF, D], b + "mlp.up_proj.weight": [FF, D], b + "mlp.down_proj.weight": [D, FF], "model.norm.weight": [D]}
    return {name: ("F32", shape, None) for name, shape in shapes.items()}


def parts(*contents):
    return b"\n---\n".join(c if isinstance(c, bytes) else json.dumps(c, separators=(",", ":"), ensure_ascii=False).encode() for c in contents)


def make_quantised(put):
    """8-bit floats with scales of every kind, blocks of gpt-oss, and what does not fit."""
    q, k = "model.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.k_proj.weight"
    codes = lambda *shape: ("F8_E4M3", list(shape), bytes(range(40, 40 + count(shape))))
    fp8 = lambda block=None, **more: changed(HF, quantization_config={"quant_method": "fp8", "weight_block_size": block, **more})
    of = lambda **tensors: safetensors({**hf_tensors(), q: codes(D, D), k: codes(D // HEADS * KV, D), **{n.replace("__", "."): t for n, t in tensors.items()}})
    scale = lambda *shape: ("F32", list(shape), None)
    put("ok_fp8_blocks", fp8([3, 2]), of(**{q + "_scale_inv": scale(2, 2), k + "_scale_inv": scale(1, 2)}))
    put("ok_fp8_rows_and_whole", fp8(), of(**{q + "_scale": scale(D, 1), k + "_scale": scale(1), "model.layers.0.self_attn.q_proj.input_scale": scale(1)}))
    put("ok_fp8_without_scales", HF, of())
    put("bad_fp8_scale_turned", fp8([3, 4]), of(**{q + "_scale_inv": scale(1, 2), k + "_scale_inv": scale(1)}))
    put("bad_fp8_block_huge", fp8([2**62, 2**62]), of(**{q + "_scale_inv": scale(D, D), k + "_scale_inv": scale(1)}))
    put("bad_fp8_block_zero", fp8([0, 128]), of())
    put("bad_fp8_block_text", fp8("128x128"), of())
    put("bad_fp8_nan", HF, safetensors({**hf_tensors(), q: ("F8_E4M3", [D, D], b"\x7f" * (D * D))}))
    put("bad_quantisation_list", changed(HF, quantization_config=[1]), of())
    put("bad_quantisation_awq", changed(HF, quantization_config={"quant_method": "awq"}), of())
    d, ff, experts = 32, 32, 2
    b = "model.layers.0."
    small = {"model.embed_tokens.weight": [V, d], b + "input_layernorm.weight": [d], b + "self_attn.q_proj.weight": [d, d], b + "self_attn.q_proj.bias": [d], b + "self_attn.k_proj.weight": [d // 2, d], b + "self_attn.k_proj.bias": [d // 2],
             b + "self_attn.v_proj.weight": [d // 2, d], b + "self_attn.v_proj.bias": [d // 2], b + "self_attn.o_proj.weight": [d, d], b + "self_attn.o_proj.bias": [d], b + "self_attn.sinks": [2], b + "post_attention_layernorm.weight": [d],
             b + "mlp.router.weight": [experts, d], b + "mlp.router.bias": [experts], b + "mlp.experts.gate_up_proj_bias": [experts, 2 * ff], b + "mlp.experts.down_proj_bias": [experts, d], "model.norm.weight": [d], "lm_head.weight": [V, d]}
    u8 = lambda *shape, value=None: ("U8", list(shape), bytes((i * 37 % 251 if value is None else value) for i in range(count(shape))))
    blocks = {b + "mlp.experts.gate_up_proj_blocks": u8(experts, 2 * ff, 1, 16), b + "mlp.experts.gate_up_proj_scales": u8(experts, 2 * ff, 1, value=125), b + "mlp.experts.down_proj_blocks": u8(experts, d, 1, 16),
              b + "mlp.experts.down_proj_scales": u8(experts, d, 1, value=124)}
    config = {"model_type": "gpt_oss", "vocab_size": V, "hidden_size": d, "intermediate_size": ff, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16, "num_local_experts": experts, "num_experts_per_tok": 1,
              "max_position_embeddings": 16, "attention_bias": True, "sliding_window": 4, "layer_types": ["sliding_attention"], "rope_theta": 10000.0, "quantization_config": {"quant_method": "mxfp4"}}
    whole = {**{n: ("F32", s, None) for n, s in small.items()}, **blocks}
    put("ok_mxfp4", config, safetensors(whole))
    put("bad_mxfp4_no_scales", config, safetensors({n: t for n, t in whole.items() if not n.endswith("_scales")}))
    put("bad_mxfp4_scales_short", config, safetensors({**whole, b + "mlp.experts.down_proj_scales": u8(experts, d - 1, 1)}))
    put("bad_mxfp4_infinite", config, safetensors({**whole, b + "mlp.experts.down_proj_scales": u8(experts, d, 1, value=255)}))
    put("bad_mxfp4_twice", config, safetensors({**whole, b + "mlp.experts.down_proj": ("F32", [experts, ff, d], None)}))
    modern = {"model_type": "modernbert", "vocab_size": V, "hidden_size": D, "intermediate_size": FF, "num_hidden_layers": 2, "num_attention_heads": HEADS, "max_position_embeddings": 16, "global_attn_every_n_layers": 2, "local_attention": 4}
    names = {"embeddings.tok_embeddings.weight": [V, D], "embeddings.norm.weight": [D], "final_norm.weight": [D]}
    for layer in ("layers.0.", "layers.1."):
        names.update({layer + "attn.Wqkv.weight": [3 * D, D], layer + "attn.Wo.weight": [D, D], layer + "mlp_norm.weight": [D], layer + "mlp.Wi.weight": [2 * FF, D], layer + "mlp.Wo.weight": [D, FF]})
    encoder = {n: ("F32", s, None) for n, s in {**names, "layers.1.attn_norm.weight": [D]}.items()}
    put("ok_modernbert", modern, safetensors(encoder))
    put("bad_modernbert_first_norm", modern, safetensors({**encoder, "layers.0.attn_norm.weight": ("F32", [D], None)}))
    put("bad_modernbert_window_huge", changed(modern, local_attention=2**63 - 1), safetensors(encoder))
    put("bad_modernbert_period_zero", changed(modern, global_attn_every_n_layers=0), safetensors(encoder))
    opt = {"model_type": "opt", "vocab_size": V, "hidden_size": D, "word_embed_proj_dim": 2, "ffn_dim": FF, "num_hidden_layers": 0, "num_attention_heads": HEADS, "max_position_embeddings": 16, "do_layer_norm_before": False}
    narrow = {"embed_tokens.weight": [V, 2], "embed_positions.weight": [18, D], "project_in.weight": [D, 2], "project_out.weight": [2, D]}
    put("ok_opt_narrow", opt, safetensors({n: ("F32", s, None) for n, s in narrow.items()}))
    put("bad_opt_narrow_turned", opt, safetensors({n: ("F32", s[::-1] if "project" in n else s, None) for n, s in narrow.items()}))
    put("bad_opt_narrow_in_alone", opt, safetensors({n: ("F32", s, None) for n, s in narrow.items() if n != "project_out.weight"}))


def make_hugging_face():
    put = lambda name, *contents: seed("hugging_face", name, parts(*contents))
    weights = safetensors(hf_tensors())
    index = {"weight_map": {name: "a.safetensors" for name in hf_tensors()}}
    put("ok_llama", HF, weights)
    put("ok_sharded", HF, index, weights)
    put("bad_no_weights", HF)
    put("bad_no_model_type", changed(HF, model_type=None), weights)
    put("bad_model_type_number", changed(HF, model_type=1), weights)
    put("bad_missing_tensor", HF, safetensors({n: t for n, t in hf_tensors().items() if "up_proj" not in n}))
    put("bad_left_over", HF, safetensors({**hf_tensors(), "model.layers.1.extra": ("F32", [1], None)}))
    put("bad_other_shape", changed(HF, intermediate_size=15), weights)
    put("bad_layers_2_31", changed(HF, num_hidden_layers=2**31), weights)
    put("bad_nan", HF, safetensors({**hf_tensors(), "model.norm.weight": ("F32", [D], floats(D, float("nan")))}))
    put("ok_integers", HF, safetensors({**hf_tensors(), "model.norm.weight": ("I64", [D], struct.pack("<q", 2**62) * D)}))
    make_quantised(put)
    put("bad_prefix_twice", HF, safetensors({**hf_tensors(), "norm.weight": ("F32", [D], None)}))
    for name, shard in (("above", "../../x.safetensors"), ("absolute", "/etc/passwd"), ("dots", ".."), ("dot", "."), ("itself", "model.safetensors.index.json"), ("number", 5), ("line_feed", "a\nb.safetensors"), ("missing", "b.safetensors")):
        put(f"bad_shard_{name}", HF, {"weight_map": {name: shard for name in hf_tensors()}}, weights)
    put("bad_shard_zero_byte", HF, {"weight_map": {name: "a.safetensors\0.txt" for name in hf_tensors()}}, weights)
    put("bad_index_empty", HF, {"weight_map": {}}, weights)
    put("bad_index_list", HF, [], weights)
    put("bad_shard_without_tensor", HF, {"weight_map": {**index["weight_map"], "nobody": "a.safetensors"}}, weights)
    gpt2 = {"model_type": "gpt2", "vocab_size": V, "n_embd": D, "n_layer": 1, "n_head": HEADS, "n_positions": 16, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"}
    b = "h.0."
    shapes = {"wte.weight": [V, D], "wpe.weight": [16, D], b + "ln_1.weight": [D], b + "ln_1.bias": [D], b + "attn.c_attn.weight": [D, 3 * D], b + "attn.c_attn.bias": [3 * D], b + "attn.c_proj.weight": [D, D], b + "attn.c_proj.bias": [D],
              b + "ln_2.weight": [D], b + "ln_2.bias": [D], b + "mlp.c_fc.weight": [D, 4 * D], b + "mlp.c_fc.bias": [4 * D], b + "mlp.c_proj.weight": [4 * D, D], b + "mlp.c_proj.bias": [D], "ln_f.weight": [D], "ln_f.bias": [D]}
    put("ok_gpt2", gpt2, safetensors({n: ("F32", s, None) for n, s in shapes.items()}))
    put("bad_gpt2_turned", gpt2, safetensors({n: ("F32", s[::-1], None) for n, s in shapes.items()}))


CHECKPOINT = {"vocab_size": 257, "d_model": 1, "n_heads": 1, "n_layers": 1, "d_ff": 2, "max_len": 4}


def make_checkpoint():
    def put(name, config, tensors, **metadata):
        text = config if isinstance(config, str) else json.dumps(config)
        seed("checkpoint", name, safetensors(tensors, {"format": "headscope-checkpoint", "version": "1", "config": text, **metadata}))
    config, b, d, wide = CHECKPOINT, "h.0.", CHECKPOINT["d_model"], CHECKPOINT["d_ff"]
    shapes = {"tok_emb.weight": [257, d], "pos_emb.weight": [4, d], b + "ln1.weight": [d], b + "ln1.bias": [d]}
    for x in "qkvo":
        shapes.update({b + f"attn.{x}.weight": [d, d], b + f"attn.{x}.bias": [d]})
    shapes.update({b + "ln2.weight": [d], b + "ln2.bias": [d], b + "fc1.weight": [wide, d], b + "fc1.bias": [wide], b + "fc2.weight": [d, wide], b + "fc2.bias": [d], "ln_f.weight": [d], "ln_f.bias": [d]})
    tensors = {n: ("F32", s, None) for n, s in shapes.items()}
    put("ok_small", config, tensors)
    put("bad_version", config, tensors, version="99")
    put("bad_format", config, tensors, format="headscope-trace")
    put("bad_no_config", "", tensors)
    put("bad_config_is_no_json", "{", tensors)
    for name, changes in (("layers_huge", {"n_layers": 2**40}), ("layers_more", {"n_layers": 9}), ("width_huge", {"d_model": 2**40}), ("vocabulary_huge", {"vocab_size": 2**31}), 
                          ("experts_many", {"experts": {"count": 1024, "top_k": 1}}), ("decoder_layers_many", {"architecture": "encoder-decoder", "n_decoder_layers": 1024, "experts": {"count": 63, "top_k": 1}}), ("length_huge", {"max_len": 2**40})):
        put(f"bad_{name}", changed(config, **changes), tensors)
    put("bad_nan", config, {**tensors, "ln_f.bias": ("F32", [d], floats(d, float("nan")))})
    put("bad_half", config, {**tensors, "ln_f.bias": ("F16", [d], bytes(2 * d))})
    put("bad_left_over", config, {**tensors, "nobody": ("F32", [4], None)})


def make_trace():
    def put(name, tensors, **metadata):
        values = {"format": "headscope-trace", "version": "1", "model": "m", "ids": "[5,7]", "tokens": '["a","b"]', "text": "ab", "offsets": "[[0,1],[1,2]]", "settings": "{}", "device": "cpu", **metadata}
        seed("trace", name, safetensors(tensors, {k: v for k, v in values.items() if v is not None}))
    pattern = {"blocks.0.attn.hook_pattern": ("F32", [1, 2, 2], None)}
    put("ok_pattern", pattern)
    put("ok_without_text", {"blocks.0.hook_resid_pre": ("F32", [2, 3], None), "logits": ("F32", [2, 4], None)}, text=None, offsets=None)
    put("ok_two_stacks", {"decoder.0.cross_attn.hook_pattern": ("F32", [1, 2, 3], None), "encoder.0.attn.hook_pattern": ("F32", [1, 3, 3], None)}, source_ids="[1,2,3]", source_tokens='["x","y","z"]')
    put("bad_format", pattern, format="pt")
    put("bad_version", pattern, version="2")
    put("ok_no_ids", pattern, ids=None)
    put("bad_no_ids_no_tokens", pattern, ids=None, tokens=None)
    put("bad_ids_negative", pattern, ids="[-1,2]")
    put("bad_ids_huge", pattern, ids="[4294967296,2]")
    put("bad_ids_many", pattern, ids="[" + "1," * 999 + "1]")
    put("bad_ids_nested", pattern, ids="[" * 50 + "]" * 50)
    put("bad_offsets_reversed", pattern, offsets="[[1,0],[1,2]]")
    put("bad_offsets_beyond", pattern, offsets="[[0,1],[1,18446744073709551615]]")
    put("bad_offsets_few", pattern, offsets="[[0,1]]")
    put("bad_layer", {"blocks.2147483647.attn.hook_pattern": ("F32", [1, 2, 2], None)})
    put("bad_layer_wraps", {"blocks.4294967296.attn.hook_pattern": ("F32", [1, 2, 2], None)})
    put("bad_shape", {"blocks.0.attn.hook_pattern": ("F32", [1, 3, 3], None)})
    put("bad_shape_no_head", {"blocks.0.attn.hook_pattern": ("F32", [0, 2, 2], b"")})
    put("bad_layers_differ", {"blocks.0.attn.hook_pattern": ("F32", [1, 2, 2], None), "blocks.1.attn.hook_pattern": ("F32", [2, 2, 2], None)})
    put("bad_cross_without_source", {"decoder.0.cross_attn.hook_pattern": ("F32", [1, 2, 3], None)})
    put("nan", {"blocks.0.attn.hook_pattern": ("F32", [1, 2, 2], floats(4, float("nan")))})
    put("bad_nan_stream", {"blocks.0.hook_resid_pre": ("F32", [2, 2], floats(4, float("nan")))})
    put("half_and_batch", {"blocks.0.attn.hook_pattern": ("F16", [1, 1, 2, 2], bytes(8))})
    put("names_of_all_spellings", pattern, tokens='["\u0120a","\u2581b"]', ids="[7,7]", text=None, offsets=None)
    put("fallback_bytes", pattern, tokens='["<0xFF>","\u2581"]', text=None, offsets=None)
    put("bad_nothing", {})
    put("infinite_scores", {"blocks.0.attn.hook_attn_scores": ("F32", [1, 2, 2], struct.pack("<4f", 1, -float("inf"), 1, 1))})


def make_npy():
    def put(name, header, data=b"", version=(1, 0), length=None):
        raw = header.encode("latin-1")
        size = len(raw) if length is None else length
        seed("npy", name, b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", size) + raw + data)
    h = lambda shape, descr="<f4", order="False": f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n"
    put("ok_matrix", h("(2, 3)"), floats(6))
    put("ok_version_2", h("(2,)"), floats(2), (2, 0))
    put("ok_scalar", h("()"), floats(1))
    put("bad_length", h("(2,)"), floats(2), length=65535)
    put("bad_length_2_31", h("(2,)"), floats(2), (2, 0), 2**31)
    put("bad_shape_wraps", h("(4294967296, 4294967296, 4)"))
    put("bad_shape_negative", h("(-1, 3)"), floats(6))
    put("bad_shape_huge", h("(99999999999999999999999,)"))
    put("bad_nine_axes", h("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), floats(1))
    put("bad_object", h("(1,)", "|O"), b"\x80\x04cos\nsystem\n")
    put("bad_big_endian", h("(1,)", ">f4"), floats(1))
    put("bad_fortran", h("(1, 1)", order="True"), floats(1))
    put("bad_short", h("(4,)"), floats(2))
    put("bad_open", "{'descr': '<f4', 'shape': (1")
    put("bad_version_9", h("(1,)"), floats(1), (9, 0))


# ----------------------------------------------------------------------------------------------- tokenizers
def tokenizer(model, **more):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": model, **more}


def added(id, content, special=True, **more):
    return {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": special, **more}


def alphabet():
    keep = [*range(33, 127), *range(161, 173), *range(174, 256)]
    extra = iter(range(256, 512))
    return [chr(b) if b in keep else chr(next(extra)) for b in range(256)]


def make_tokenizers():
    put = lambda name, content: seed("tokenizer_json", name, content)
    letters = ["a", "b", "c", "T", "h", "e", "t", "s", "\u2581", "1", "2", "3", "'", "I"]
    small = {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "ignore_merges": False,
             "vocab": {w: i for i, w in enumerate(["<unk>", "<s>", "</s>", "<0x41>"] + letters + ["ab", "\u2581a", "he"])}, "merges": [["a", "b"], ["\u2581", "a"], ["h", "e"]]}
    metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}
    special = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]
    piece = lambda t: {"SpecialToken": {"id": t, "type_id": 0}}
    template = {"type": "TemplateProcessing", "single": [piece("<s>"), {"Sequence": {"id": "A", "type_id": 0}}], "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}}
    llama = tokenizer(small, added_tokens=special, pre_tokenizer=metaspace, post_processor=template,
                      decoder={"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})
    put("ok_llama", llama)
    put("ok_llama_old", changed(llama, pre_tokenizer=None) | {"pre_tokenizer": None, "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"}, {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]}})
    byte_vocab = {w: i for i, w in enumerate(alphabet() + ["\u0120t", "he", "\u0120the"])}
    byte_bpe = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": True,
                "vocab": byte_vocab, "merges": ["\u0120 t", "h e", "\u0120t he"]}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    gpt2 = tokenizer(byte_bpe, pre_tokenizer=byte_level, decoder=byte_level)
    put("ok_gpt2", gpt2)
    split = lambda pattern: {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}, changed(byte_level, use_regex=False)]}
    put("ok_split", changed(gpt2, pre_tokenizer=split(r"(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|\s*[\r\n]+|\s+(?!\S)|\s+")))
    put("catastrophic", changed(gpt2, pre_tokenizer=split(r"(?:(?:(?:a+)+)+)+$|(?:\S|\S\S)+\d{9}")))
    put("catastrophic_lookahead", changed(gpt2, pre_tokenizer=split(r"(?=(\s*\S+)*x)(.*)*y")))
    put("bad_regex", changed(gpt2, pre_tokenizer=split("(((")))
    put("bad_regex_repeat", changed(gpt2, pre_tokenizer=split("a{1,99999999999}")))
    bert_normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "a", "##a", "'", "it", "1", "##2", "##3"]
    wordpiece = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": {w: i for i, w in enumerate(words)}}
    bert = tokenizer(wordpiece, added_tokens=[added(i, w) for i, w in enumerate(words[:5])], normalizer=bert_normalizer, pre_tokenizer={"type": "BertPreTokenizer"},
                     post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}, decoder={"type": "WordPiece", "prefix": "##", "cleanup": True})
    put("ok_bert", bert)
    put("ok_roberta_ends", changed(gpt2, post_processor={"type": "RobertaProcessing", "sep": ["!", 33], "cls": ["\"", 34], "trim_offsets": True, "add_prefix_space": True}))
    unigram = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": [["<unk>", 0.0], ["</s>", 0.0]] + [[w, -1.0 - i / 4] for i, w in enumerate(letters + ["\u2581a", "he", "\u2581The"])]}
    t5 = tokenizer(unigram, added_tokens=[added(0, "<unk>"), added(1, "</s>")], normalizer={"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
                   pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, changed(metaspace, prepend_scheme="always")]}, decoder=metaspace)
    put("ok_unigram", t5)
    for normalizer in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt"):
        put(f"ok_normalizer_{normalizer}", changed(t5, normalizer={"type": normalizer}))
    put("ok_normalizer_strip", changed(t5, normalizer={"type": "Strip", "strip_left": True, "strip_right": True}))
    put("charsmap", changed(t5, normalizer={"type": "Precompiled", "precompiled_charsmap": "ABQAAAACAAAAAMCEAAAAAKCEAAAA"}))
    put("bad_charsmap_base64", changed(t5, normalizer={"type": "Precompiled", "precompiled_charsmap": "@@@"}))
    put("bad_charsmap_lies", changed(t5, normalizer={"type": "Precompiled", "precompiled_charsmap": "/////w=="}))
    for name, splitter in (("whitespace", {"type": "Whitespace"}), ("digits", {"type": "Digits", "individual_digits": True}), ("punctuation", {"type": "Punctuation", "behavior": "MergedWithPrevious"})):
        put(f"ok_split_{name}", changed(bert, pre_tokenizer=splitter))
    for behavior in ("Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"):
        put(f"split_{behavior}", changed(bert, pre_tokenizer={"type": "Split", "pattern": {"String": "a"}, "behavior": behavior, "invert": True}))
    # lies
    b = lambda name, content: put(f"bad_{name}", content)
    b("empty", "")
    b("list", [])
    b("no_model", changed(llama, model=None))
    b("vocabulary_empty", changed(llama, added_tokens=[], post_processor=None, model=changed(small, vocab={}, merges=[], unk_token=None)))
    b("ids_negative", changed(llama, model=changed(small, vocab={**small["vocab"], "x": -1})))
    b("ids_sparse", changed(llama, model=changed(small, vocab={**small["vocab"], "x": 2**31 - 1})))
    b("ids_2_63", changed(llama, model=changed(small, vocab={**small["vocab"], "x": 2**63})))
    b("ids_twice", changed(llama, model=changed(small, vocab={**small["vocab"], "x": 4})))
    b("ids_text", changed(llama, model=changed(small, vocab={"a": "0"})))
    b("merge_of_nobody", changed(llama, model=changed(small, merges=[["x", "y"]])))
    b("merge_into_nobody", changed(llama, model=changed(small, merges=[["a", "c"]])))
    b("merge_of_three", changed(llama, model=changed(small, merges=["a b c"])))
    b("added_empty", changed(llama, added_tokens=[added(0, "")]))
    b("added_far", changed(llama, added_tokens=[added(2**31, "<x>")]))
    b("added_other_id", changed(llama, added_tokens=[added(5, "<unk>")]))
    put("added_contain_each_other", changed(llama, added_tokens=special + [added(21, "<"), added(22, "<<"), added(23, "<s", False, normalized=True, lstrip=True, rstrip=True, single_word=True)]))
    b("unknown_missing", changed(llama, model=changed(small, unk_token="<none>")))
    b("unk_id_beyond", changed(t5, model=changed(unigram, unk_id=999)))
    b("unk_id_negative", changed(t5, model=changed(unigram, unk_id=-1)))
    b("score_text", changed(t5, model=changed(unigram, vocab=[["a", "b"]])))
    b("score_1e400", json.dumps(t5).replace("-1.0", "1e400", 1))
    b("template_of_nobody", changed(llama, post_processor=changed(template, single=[piece("<nobody>"), {"Sequence": {"id": "A"}}])))
    b("template_id_beyond", changed(llama, post_processor=changed(template, special_tokens={"<s>": {"id": "<s>", "ids": [99], "tokens": ["<s>"]}})))
    b("sequence_of_itself", changed(llama, pre_tokenizer={"type": "Sequence", "pretokenizers": "Sequence"}))
    deep = metaspace
    for _ in range(20):
        deep = {"type": "Sequence", "pretokenizers": [deep]}
    put("sequences_nested", changed(llama, pre_tokenizer=deep))
    b("type_unknown", changed(llama, normalizer={"type": "Pickle"}))
    b("word_length_negative", changed(bert, model=changed(wordpiece, max_input_chars_per_word=-1)))
    b("dropout", changed(llama, model=changed(small, dropout=0.5)))
    put("prepend_huge", changed(t5, normalizer={"type": "Sequence", "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "aa" * 200}] * 2}))
    marks = [{"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}, changed(metaspace, prepend_scheme="always"), changed(metaspace, prepend_scheme="always", replacement="x")]
    put("marks_of_marks", changed(llama, pre_tokenizer={"type": "Sequence", "pretokenizers": (marks + marks[:1]) * 12}))
    put("decoder_grows", changed(llama, decoder={"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"Regex": "."}, "content": "a" * 50}] * 8}))
    nested = {"type": "Replace", "pattern": {"Regex": "."}, "content": "aaaaaaaaaaaaaaa"}
    for _ in range(20):
        nested = {"type": "Sequence", "decoders": [nested, {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaaaaaaa"}]}
    put("decoders_grow_in_each_other", changed(llama, decoder=nested))
    b("template_multiplies", changed(llama, post_processor=changed(template, single=[piece("<s>")] * 60 + [{"Sequence": {"id": "A"}}], special_tokens={"<s>": {"id": "<s>", "ids": [1] * 60, "tokens": ["<s>"] * 60}})))
    b("long_token_twice", changed(llama, model=changed(small, vocab={"x" * 2300: 0, "y": 0})))
    b("id_is_a_long_list", changed(llama, model=changed(small, vocab={"x": [0] * 1100})))
    b("unigram_sums_overflow", changed(t5, model=changed(unigram, vocab=[["<unk>", 0.0], ["a", -1e308], ["b", -1e308]])))
    put("replace_empty", changed(t5, normalizer={"type": "Replace", "pattern": {"String": ""}, "content": "x"}))
    put("replace_empty_regex", changed(t5, normalizer={"type": "Replace", "pattern": {"Regex": "x*"}, "content": "y"}))
    put("doubling", changed(t5, normalizer={"type": "Sequence", "normalizers": [{"type": "Replace", "pattern": {"Regex": "."}, "content": "aaaaaaaaaaaaaaaa"}] * 8}))

    v = lambda name, *contents: seed("vocabulary", name, b"\n---\n".join(c if isinstance(c, bytes) else c.encode() for c in contents))
    v("ok_words", "\n".join(words))
    v("ok_words_windows", "\r\n".join(words) + "\r\n")
    v("ok_pair", json.dumps(byte_vocab, ensure_ascii=False), "#version: 0.2\n\u0120 t\nh e\n\u0120t he\n")
    v("bad_pair_merge_of_nobody", json.dumps(byte_vocab, ensure_ascii=False), "#version: 0.2\nno body\n")
    v("bad_pair_three", json.dumps(byte_vocab, ensure_ascii=False), "h e h\n")
    v("bad_pair_sparse", json.dumps({**byte_vocab, "x": 2**31 - 1}), "h e\n")
    v("bad_pair_negative", json.dumps({**byte_vocab, "xx": -5}), "h e\n")
    v("bad_empty", b"")
    v("bad_without_unknown", "the\ncat")
    v("bad_words_twice", "[UNK]\n[CLS]\n[SEP]\na\na")
    v("not_utf8", b"[UNK]\n[CLS]\n[SEP]\n\xff\xfe\n\xc3")


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value % 2**64)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value):
    out = b""
    while True:
        out += bytes([value & 0x7F | (0x80 if value > 0x7F else 0)])
        value >>= 7
        if not value:
            return out


def make_sentencepiece():
    put = lambda name, content: seed("sentencepiece", name, content)
    kinds = [2, 3, 3, 6] + [1] * (V - 4)
    piece = lambda text, score, kind: field(1, field(1, text.encode() if isinstance(text, str) else text) + field(2, score) + field(3, kind))
    pieces = b"".join(piece(p, -float(i), k) for i, (p, k) in enumerate(zip(PIECES, kinds)))
    training = lambda kind, **more: field(2, field(3, kind) + field(35, more.get("fallback", 0)) + field(41, more.get("eos", 2)) + field(40, 0) + field(41, more.get("bos", 1)) + field(42, more.get("eos", 2)))
    normalization = field(3, field(1, b"identity") + field(3, 1) + field(4, 1) + field(5, 1))
    for name, kind in (("unigram", 1), ("bpe", 2)):
        put(f"ok_{name}", pieces + training(kind) + normalization)
    every_byte = b"".join(piece(f"<0x{b:02X}>", 0.0, 6) for b in range(256))
    put("ok_bytes", piece("<unk>", 0.0, 2) + every_byte + piece("a", -1.0, 1) + training(2, fallback=1, bos=-1, eos=-1))
    shutil.copy(GOLDEN / "tokenizers" / "sentencepiece_bpe" / "spiece.model", OUT / "sentencepiece" / "ok_golden_bpe")
    put("bad_words", pieces + training(3))
    put("bad_kind_9", pieces + training(9))
    put("bad_empty", b"")
    put("bad_truncated", (pieces + training(1))[:-3])
    put("bad_no_unknown", piece("a", 0.0, 1))
    put("bad_two_unknown", piece("a", 0.0, 2) + piece("b", 0.0, 2))
    put("bad_empty_piece", piece("<unk>", 0.0, 2) + piece("", 0.0, 1))
    put("bad_same_piece", piece("<unk>", 0.0, 2) + piece("a", 0.0, 1) * 2)
    put("bad_type_9", piece("<unk>", 0.0, 2) + piece("a", 0.0, 9))
    put("bad_length_2_63", b"\x0a" + varint(2**63) + b"abc")
    put("bad_length_wraps", b"\x0a" + varint(2**64 - 1) + b"abc")
    put("bad_varint_of_11_bytes", b"\x08" + b"\xff" * 11)
    put("bad_group", b"\x0b\x0a\x01a")
    put("bad_field_0", b"\x02\x01a")
    put("bad_charsmap", pieces + training(1) + field(3, field(2, struct.pack("<I", 2**32 - 1) + b"abc")))
    put("charsmap_cycle", pieces + training(1) + field(3, field(2, struct.pack("<5I", 16, 0, 0, 0, 0) + b"a\0")))
    put("byte_negative", piece("<unk>", 0.0, 2) + piece("<0x-1>", 0.0, 6) + piece("<0xZZ>", 0.0, 6) + training(2, fallback=1))
    put("bos_beyond", pieces + training(1, bos=2**31 - 1, eos=-5))
    put("score_nan", piece("<unk>", 0.0, 2) + piece("a", float("nan"), 1) + piece("aa", float("inf"), 1) + piece("aaa", -float("inf"), 1) + training(1))
    put("user_defined", pieces + piece("a b", 0.0, 4) + piece("a ", 0.0, 4) + training(1))
    put("not_utf8", pieces + piece(b"\xff\xfe", -1.0, 1) + piece(b"\xed\xa0\x80", -1.0, 4) + training(1))


def make_texts():
    put = lambda name, content: seed("bpe_encode", name, content)
    put("ok_empty", b"")
    put("ok_english", "The cat sat on the mat, didn't it? I'll say 12345.\n")
    put("ok_spaces", " " * 300 + "\t\r\n\u3000\u00a0\u2028 ")
    put("ok_zero_bytes", b"a\0b\0\0c")
    put("ok_not_utf8", b"\xff\xfe\xc3\x28\xed\xa0\x80\xf8\x88\x80\x80\x80 \xe2\x82")
    put("ok_marks", "a" + "\u0301\u0327" * 500)
    put("ok_bidirectional", "a\u202eb\u2066c\u2069\u200f \u0627\u0644\u0639 \u05e9\u05dc")
    put("ok_emoji", "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3fd" * 20)
    put("ok_one_token", "a" * 2000)
    put("ok_quotes", "'" * 500 + "'s'S'T'Re'LL \u2019s")
    put("ok_numbers", "1" * 500 + " 1 22 333 4444 \u0661\u0662 \u2160 \u00b2 3.14159")
    put("ok_letters", "\u01c5\u02b0\u1d2c \u4e2d\u6587\u3042 \ud55c\uae00 \u0e44\u0e17\u0e22 \u0915\u094d\u0937")


def make_templates():
    put = lambda name, content: seed("chat_template", name, content)
    for path in sorted((ROOT / "tests" / "data" / "chat").glob("*.jinja")):
        put(f"ok_{path.stem}", path.read_bytes())
    put("ok_empty", "")
    put("ok_lone_braces", "{ {a} } {} }} %} #}")
    put("ok_not_utf8", b"\xff{{ '\xed\xa0\x80' | upper }}\xc3{{ messages[1].content[-1:] }}")
    for i, content in enumerate(("{{", "{% if", "{#", "{% raw %}", "{{ '", "{{ 1 +", "{% for a, in b %}", "{% endif %}", "{% include 'x' %}", "{{ x.y.z }}", "{{ 1 // 0 }}", "{{ '\\ud800' }}", "{{ 9223372036854775807 + 1 }}", "{{ 99999999999999999999 }}")):
        put(f"bad_{i:02d}", content)
    put("bad_brackets", "{{ " + "(" * 5000)
    put("bad_members", "{{ a" + ".b" * 5000 + " }}")
    put("bad_tags", "{% if true %}" * 2000)
    put("bad_recursion", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}")
    put("bad_range", "{{ range(10000000000) }}")
    put("bad_doubled", "{% set ns = namespace(t='ab') %}{% for i in range(99) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}")
    put("bad_namespace_in_itself", "{% set ns = namespace() %}{% set ns.a = [ns] %}{{ ns }}")
    put("bad_macro_outlives", "{% set ns = namespace() %}{% for i in [1] %}{% macro m() %}x{% endmacro %}{% set ns.m = m %}{% endfor %}{{ ns.m() }}")


# ------------------------------------------------------------------------------------------- JSON of our own
def make_configs():
    put = lambda name, content: seed("model_config", name, content)
    ours = {"vocab_size": 300, "d_model": 32, "n_heads": 4, "n_kv_heads": 2, "n_layers": 2, "d_ff": 64, "max_len": 64, "positions": "rope", "activation": "swiglu", "norm": "rms"}
    put("ok_ours", ours)
    put("ok_preset", {"preset": "llama-toy", "vocab_size": 400})
    put("ok_t5", {"preset": "t5-toy", "vocab_size": 400, "n_decoder_layers": 1})
    put("ok_gpt3", {"preset": "gpt3"})
    for folder in sorted((GOLDEN / "hf").iterdir()):
        if (folder / "config.json").exists():
            put(f"ok_hf_{folder.name}", (folder / "config.json").read_bytes())
    for key, values in (("d_model", [0, -1, 1e300, "32", None, 2**63, 33, 2**40]), ("n_heads", [0, 5, -4, 2**31]), ("n_layers", [0, -1, 2**31, 1.5]), ("positions", ["nobody", 1, {}]), ("max_len", [0, 2**62]), ("dropout", [-0.5, 1.5, "x"]), ("window", [0, -1])):
        for i, value in enumerate(values):
            content = dict(ours)
            content[key] = value
            put(f"bad_{key}_{i}" if not (key == "n_layers" and value == 0) else f"{key}_{i}", content)
    put("bad_1e400", json.dumps(ours).replace("300", "1e400"))
    put("bad_minus_1e400", json.dumps(ours).replace("300", "-1e400"))
    put("bad_unknown_key", {**ours, "n_head": 4})
    put("bad_twice", '{"d_model":32,"d_model":64}')
    put("bad_list", [ours])
    put("bad_empty", "")
    put("bad_bom", b"\xef\xbb\xbf{")
    llama = json.loads((GOLDEN / "hf" / "llama" / "config.json").read_text())
    for name, changes in (("heads_0", {"num_attention_heads": 0}), ("kv_heads_more", {"num_key_value_heads": 64}), ("kv_heads_text", {"num_key_value_heads": "2"}), ("layers_huge", {"num_hidden_layers": 2**62}), ("hidden_negative", {"hidden_size": -64}), ("act_unknown", {"hidden_act": "mish"}),
                          ("rope_scaling_unknown", {"rope_scaling": {"rope_type": "magic", "factor": 2.0}}), ("rope_scaling_text", {"rope_scaling": "linear"}), ("rope_factor_0", {"rope_scaling": {"rope_type": "linear", "factor": 0.0}}), ("quantised", {"quantization_config": {"bits": 4}}), ("type_unknown", {"model_type": "nobody"}),
                          ("vocab_2_63", {"vocab_size": 2**63}), ("eps_0", {"rms_norm_eps": -1.0})):
        put(f"bad_hf_{name}", changed(llama, **changes))
    put("hf_yarn", changed(llama, rope_scaling={"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "beta_fast": 32, "beta_slow": 1, "attention_factor": 1e300}))
    put("hf_llama3", changed(llama, rope_scaling={"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0, "original_max_position_embeddings": 8192}))

    put = lambda name, content: seed("training_config", name, content)
    for source in ("llama-toy", "stories", "repeat", "dates"):
        path = ROOT / "resources" / "training" / f"{source}.json"
        if path.exists():
            put(f"ok_{source}", path.read_bytes())
    config = {"model": {"preset": "gpt2-toy"}, "data": {"task": "stories"}, "steps": 10}
    put("ok_small", config)
    put("ok_empty", {})
    for i, changes in enumerate(({"steps": -1}, {"steps": "10"}, {"steps": 2**63}, {"batch_size": 0}, {"batch_size": 2**40}, {"accumulate": 99}, {"seed": -1}, {"data": {"task": "stories", "text": "/dev/zero"}}, {"data": []}, {"model": []}, {"schedule": {"kind": "nobody"}}, {"optimizer": {"kind": "adamw", "beta1": 2}},
                                 {"objective": "masked"}, {"label_smoothing": 1}, {"unknown": 1}, {"optimizer": {"lr": -1}}, {"schedule": {"warmup_steps": -1}}, {"data": {"task": "stories", "min_length": 99}})):
        put(f"bad_{i:02d}", {**config, **changes})
    put("bad_1e400", '{"label_smoothing":1e400}')
    put("bad_empty_file", "")
    put("text_is_a_device", {"data": {"text": "/dev/zero"}})

    put = lambda name, content: seed("lesson", name, content)
    for path in sorted((ROOT / "resources" / "lessons").glob("*.json"))[:40]:
        if path.stem in ("worked-example", "masks", "course", "your-sentence"):
            put(f"ok_{path.stem}", path.read_bytes())
    lesson = json.loads((ROOT / "resources" / "lessons" / "worked-example.json").read_text())
    step = lesson["steps"][0]
    for i, changes in enumerate(({"version": 99}, {"version": "1"}, {"format": "headscope-session"}, {"steps": []}, {"steps": {}}, {"id": "../x"}, {"id": ""}, {"title": None}, {"unknown": 1}, {"terms": [1]}, {"rows": [1]}, {"steps": [changed(step, state={})]},
                                 {"steps": [changed(step, state={"example": "a", "lab": "b"})]}, {"steps": [changed(step, question={"prompt": "?"})]}, {"steps": [changed(step, question={"prompt": "?", "choices": ["a", "b"], "right": 2, "praise": "p", "hint": "h"})]},
                                 {"steps": [changed(step, question={"prompt": "?", "choices": ["a", "b"], "right": -1, "praise": "p", "hint": "h"})]}, {"steps": [changed(step, state={"page": "overview", "session": 5})]}, {"steps": [changed(step, numbers={"of\nseveral\nlines": {}})]}, {"steps": [changed(step, numbers={"n" * 2300: {}})]})):
        small = changed(lesson, steps=[step])
        for key, value in changes.items():
            small[key] = value
            if value is None:
                small.pop(key)
        put(f"bad_{i:02d}", small)
    put("bad_empty", "")
    put("bad_course_list", {"title": "t", "chapters": 5})
    put("bad_text_open_marks", "**open *marks `code $x^{2 [words](term: {{number|99}} {{")
    put("bad_text_brackets", "[" * 300 + "{{" * 300 + "$" * 301)

    put = lambda name, content: seed("session", name, content)
    session = {"format": "headscope-session", "version": 1, "program": "Headscope 0.1.0", "model": "builtin:stories", "text": "The cat"}
    put("ok_small", session)
    for path in sorted((ROOT / "resources" / "screenshots").glob("*.hscope"))[:12]:
        put(f"ok_{path.stem}", path.read_bytes())
    for i, changes in enumerate(({"version": 2}, {"version": -1}, {"version": 1.5}, {"format": "headscope-lesson"}, {"text": 5}, {"selection": []}, {"selection": {"layer": -1}}, {"selection": {"head": 2**31}}, {"selection": {"query": 2**62}}, {"selection": {"part": "nobody"}}, {"shown": "c"}, {"colours": 1},
                                 {"pages": []}, {"pages": {"a": 1}}, {"tokens": {"grouping": "x"}}, {"unknown": 1}, {"changes": []}, {"changes": {"heads_off": 1}}, {"changes": {"heads_off": [{"layer": -1}]}}, {"changes": {"unknown": 1}}, {"device": None})):
        put(f"bad_{i:02d}", {**session, **changes})
    put("surrogates", '{"format":"headscope-session","version":1,"model":"","text":"\\ud83d\\ude42\\u0000"}')
    put("bad_lone_surrogate", '{"format":"headscope-session","version":1,"text":"\\ud83d"}')
    put("bad_empty", "")
    put("model_is_a_device", {**session, "model": "/dev/zero"})


for folder in OUT.glob("*"):
    for old in [*folder.glob("ok_*"), *folder.glob("bad_*")]:
        old.unlink()
for target in ("gguf", "sentencepiece"):
    (OUT / target).mkdir(parents=True, exist_ok=True)
for make in (make_safetensors, make_gguf, make_hugging_face, make_checkpoint, make_trace, make_npy, make_tokenizers, make_sentencepiece, make_texts, make_templates, make_configs):
    make()

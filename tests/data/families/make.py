"""Small tokenizers put together as those of eight model families are, and what Hugging Face tokenizers makes of awkward
strings with them: families/NAME.json = {"tokenizer": ..., "encodings": [...]}. Made with
tokenizers 0.23.3.

    python make.py GOLDEN_FOLDER OUT_FOLDER
"""
import base64, json, pathlib, sys
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

golden, out = pathlib.Path(sys.argv[1]) / "tokenizers", pathlib.Path(sys.argv[2])
corpus = (golden / "corpus.txt").read_text().splitlines()
strings = [e["text"] for e in json.loads((golden / "bpe_encodings.json").read_text())["encodings"]]
strings += ["a<|endoftext|>b", "<s>x</s>", " <s> x </s> ", "x <mask> y<mask>", "say <extra_id_0> and<extra_id_1>.", "<|im_start|>user\nHi<|im_end|>\n",
            "<|begin_of_text|>Hi<|eot_id|>", "tab\there  and    spaces          wide", "e\u0301\u0327 \u1100\u1161 \ufb01ne \u2126", "1234567 12 3.14159 x1y22z333",
            "I'M HERE'S WE'RE", "\r\n\r\n  \n x", "\x0b\x85\u2028\u3000end", "\u2581already\u2581marked", "<0x41><0x0A>", "<unk> is [UNK]", "wordword word_word word", "   "]
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"


def added(id, content, special=True, normalized=False, **more):
    return {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": normalized, "special": special, **more}


def byte_level(regex, prefix=False):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": False, "use_regex": regex}


def split(pattern):
    return {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}, byte_level(False)]}


def template(before, after, ids):
    piece = lambda t: {"SpecialToken": {"id": t, "type_id": 0}}
    single = [piece(t) for t in before] + [{"Sequence": {"id": "A", "type_id": 0}}] + [piece(t) for t in after]
    return {"type": "TemplateProcessing", "single": single, "pair": single + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {t: {"id": t, "ids": [ids[t]], "tokens": [t]} for t in before + after}}


def byte_bpe(specials, size=420):
    """GPT-2's alphabet after the special tokens, merges of our corpus."""
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=size, special_tokens=specials, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return json.loads(t.to_str())["model"]


def piece_bpe(size=260):
    """Llama's: <unk> <s> </s>, 256 bytes, characters and merges with "▁" for spaces."""
    t = Tokenizer(models.BPE(unk_token="<unk>"))
    t.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    t.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=size, special_tokens=["<unk>"], show_progress=False))
    m = json.loads(t.to_str())["model"]
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + [t for t in sorted(m["vocab"], key=m["vocab"].get) if t != "<unk>"]
    return m | {"vocab": {t: i for i, t in enumerate(tokens)}, "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}


def unigram():
    rows = [line.split("\t") for line in (golden / "sentencepiece_unigram/vocab.tsv").read_text().splitlines()]
    vocab = [[json.loads(r[0]), float(r[1])] for r in rows] + [[f"<extra_id_{i}>", 0.0] for i in (1, 0)]
    return {"type": "Unigram", "unk_id": 2, "vocab": vocab, "byte_fallback": False}


def fields(message):
    """Number and value of the fields of a protocol buffers message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (message[at] & 127) << shift
            shift += 7
            at += 1
            if message[at - 1] < 128:
                return value

    while at < len(message):
        key = varint()
        size = {0: 0, 1: 8, 5: 4}.get(key & 7)
        value = varint() if size == 0 else None
        if size is None:
            size = varint()
        if value is None:
            value = message[at:at + size]
            at += size
        yield key >> 3, value


def charsmap():
    model = (golden / "sentencepiece_unigram/spiece.model").read_bytes()
    rules = next(value for number, value in fields(model) if number == 3)
    return base64.b64encode(next(value for number, value in fields(rules) if number == 2)).decode()


def metaspace(scheme, split=True):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}


ends = [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]
ids3 = {"<s>": 1, "</s>": 2}
llama_decoder = {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
families = {
    "roberta": dict(added_tokens=[added(0, "<s>"), added(1, "<pad>"), added(2, "</s>"), added(3, "<mask>", lstrip=True)], normalizer=None, pre_tokenizer=byte_level(True),
                    post_processor={"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": False, "add_prefix_space": False},
                    decoder=byte_level(True), model=byte_bpe(["<s>", "<pad>", "</s>", "<mask>"])),
    "llama3": dict(added_tokens=[added(0, "<|begin_of_text|>"), added(1, "<|eot_id|>")], normalizer=None, pre_tokenizer=split(LLAMA3),
                   post_processor={"type": "Sequence", "processors": [byte_level(True), template(["<|begin_of_text|>"], [], {"<|begin_of_text|>": 0})]},
                   decoder=byte_level(True), model=byte_bpe(["<|begin_of_text|>", "<|eot_id|>"]) | {"ignore_merges": True}),
    "qwen2": dict(added_tokens=[added(0, "<|endoftext|>"), added(1, "<|im_start|>"), added(2, "<|im_end|>")], normalizer={"type": "NFC"}, pre_tokenizer=split(QWEN2),
                  post_processor=byte_level(False), decoder=byte_level(False), model=byte_bpe(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])),
    "gpt_neox": dict(added_tokens=[added(0, "<|endoftext|>"), added(1, "<|padding|>")], normalizer={"type": "NFC"}, pre_tokenizer=byte_level(True),
                     post_processor=byte_level(True), decoder=byte_level(True), model=byte_bpe(["<|endoftext|>", "<|padding|>"])),
    "bloom": dict(added_tokens=ends + [added(3, "<pad>")], normalizer=None, pre_tokenizer=split(BLOOM), post_processor=byte_level(False), decoder=byte_level(False),
                  model=byte_bpe(["<unk>", "<s>", "</s>", "<pad>"])),
    "smollm": dict(added_tokens=[added(0, "<|endoftext|>"), added(1, "<|im_start|>"), added(2, "<|im_end|>")], normalizer=None,
                   pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level(True)]},
                   post_processor=None, decoder=byte_level(True), model=byte_bpe(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])),
    "llama2": dict(added_tokens=ends, normalizer={"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
                   pre_tokenizer=None, post_processor=template(["<s>"], [], ids3), decoder=llama_decoder, model=piece_bpe()),
    "mistral": dict(added_tokens=ends, normalizer=None, pre_tokenizer=metaspace("first", False), post_processor=template(["<s>"], ["</s>"], ids3), decoder=llama_decoder, model=piece_bpe()),
    "t5": dict(added_tokens=[added(0, "<pad>"), added(1, "</s>"), added(2, "<unk>"), added(315, "<extra_id_1>"), added(316, "<extra_id_0>")],
               normalizer={"type": "Precompiled", "precompiled_charsmap": charsmap()}, pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace("always")]},
               post_processor=template([], ["</s>"], {"</s>": 1}), decoder=metaspace("always"), model=unigram()),
    "bert_cased": dict(added_tokens=[added(0, "[PAD]"), added(1, "[UNK]"), added(2, "[CLS]"), added(3, "[SEP]"), added(4, "[MASK]")],
                       normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": False},
                       pre_tokenizer={"type": "BertPreTokenizer"}, post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
                       decoder={"type": "WordPiece", "prefix": "##", "cleanup": True}, model=json.loads((golden / "wordpiece/tokenizer.json").read_text())["model"]),
}
spaces = families["gpt_neox"]
n = len(spaces["model"]["vocab"])
spaces["added_tokens"] += [added(n + i, " " * (24 - i), special=False, normalized=True) for i in range(23)]

for name, parts in families.items():
    whole = {"version": "1.0", "truncation": None, "padding": None, **parts}
    t = Tokenizer.from_str(json.dumps(whole))
    rows = []
    for s in strings:
        e = t.encode(s)
        place = [0]
        for c in s:
            place.append(place[-1] + len(c.encode()))
        rows.append({"text": s, "ids": e.ids, "offsets": [[place[a], place[b]] for a, b in e.offsets], "decoded": t.decode(e.ids, skip_special_tokens=False),
                     "without_special": t.decode(e.ids)})
    if name == "t5":
        whole["normalizer"]["precompiled_charsmap"] = "of sentencepiece_unigram/spiece.model"
    (out / f"{name}.json").write_text(json.dumps({"tokenizer": whole, "encodings": rows}, separators=(",", ":")) + "\n")
    print(name, len(rows), t.get_vocab_size())

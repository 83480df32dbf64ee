#!/usr/bin/env python3
"""Runs the PyTorch text of every listing (resources/listings/*.py) and compares its numbers with the program's.

    python3 -m venv peer && peer/bin/pip install torch numpy
    peer/bin/python tests/bench/run_listings.py PATH/TO/headscope [NAME ...]

A listing is called with the inputs of each worked example that it names; every variable that a line with a shape
assigns is compared with the matrix of that name in `headscope learn example:NAME --json`. Listings without an
example are compared with a lab, with the built-in model, or with torch's own layer. Prints one row for each and
fails if a number differs. In float64, so that differences are those of rounding.
"""
import argparse
import importlib.util
import inspect
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).parents[2]
LISTINGS = ROOT / "resources" / "listings"
TOLERANCE = 1e-9
FLOAT32 = 2e-4  # what the program computed in float32
SAMPLE = 0.1  # of a variance over 10,000 scores: five standard errors are 0.07
HEAD = "your-sentence"

torch.set_default_dtype(torch.float64)


def learn(program, name, settings=None):
    command = [program, "learn", *([name] if name else []), "--json"]
    for key, value in (settings or {}).items():
        command += ["--set", f"{key}={value}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def load(name):
    spec = importlib.util.spec_from_file_location("listing_" + name.replace("-", "_"), LISTINGS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions(module):
    return [f for _, f in inspect.getmembers(module, inspect.isfunction) if f.__module__ == module.__name__]


def values(matrix):
    hidden = -math.inf  # JSON has no infinity
    return torch.tensor([[hidden if cell is None else cell for cell in row] for row in matrix["values"]])


def matrix_of(matrices, part):
    """The matrix of a part: of that name, or the last of "scores_0", "scores_1" and so on."""
    numbered = [name for name in matrices if re.fullmatch(re.escape(part) + r"_\d+", name)]
    return matrices.get(part, matrices[numbered[-1]] if numbered and part not in matrices else None)


def assigned(listing):
    """{(variable, part)} of the lines with a shape."""
    found = {}
    for line in listing["torch"]:
        variable = re.match(r"\s*(\w+) = ", line["code"])
        if variable and "part" in line:
            found[variable[1], line["part"]] = None
    return list(found)


def call(function, arguments):
    """The local variables of the function when it returns."""
    seen = {}

    def profile(frame, event, _):
        if event == "return" and frame.f_code is function.__code__:
            seen.update(frame.f_locals)

    sys.setprofile(profile)
    try:
        function(**arguments)
    finally:
        sys.setprofile(None)
    return seen


def arguments_of(function, matrices):
    """The example's inputs as the function's parameters; None if one is not among them."""
    arguments = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in matrices:
            value = values(matrices[name])
            arguments[name] = value.item() if value.numel() == 1 else value
        elif parameter.default is inspect.Parameter.empty:
            return None
    return arguments


def difference(variable, expected, is_sample):
    """Largest difference, or None where the two cannot be compared: a tile, or a part of another size."""
    got = torch.as_tensor(variable).detach().double()
    if is_sample and got.numel() == 1 and expected.shape == (1, 2):
        return abs(got.item() / expected[0, 1].item() - 1.0) * TOLERANCE / SAMPLE
    if got.numel() != expected.numel():
        if got.dim() != 2 or got.shape[1] != expected.shape[1] or got.shape[0] > expected.shape[0]:
            return None
        expected = expected[-got.shape[0]:]  # the last position of a loop over positions
    got, expected = got.flatten(), expected.flatten()
    same = (got == expected).all() if got.isinf().any() else False
    return 0.0 if same else (got - expected)[expected.isfinite()].abs().max().item()


def run_example(program, name, listing, module, example):
    """Number of compared numbers, and the largest difference."""
    matrices = {m["name"]: m for m in learn(program, f"example:{example}", listing["set"])["matrices"]}
    for function in functions(module):
        arguments = arguments_of(function, matrices)
        if arguments is None:
            continue
        seen = call(function, arguments)
        count, largest = 0, 0.0
        for variable, part in assigned(listing):
            matrix = matrix_of(matrices, part)
            if variable not in seen or matrix is None:
                continue
            step = difference(seen[variable], values(matrix), name == "score-variance")
            if step is not None:
                count += torch.as_tensor(seen[variable]).numel()
                largest = max(largest, step)
        if count:
            return count, largest
    raise SystemExit(f"{name}: no function takes the inputs of {example}")


# ---- listings and functions without an example ------------------------------------------------------------------


def check_masks(program, module):
    large, infinite, half = module.why_minus_infinity(4)
    assert torch.equal(large, torch.full([4], 0.25)) and infinite.isnan().all() and half.isinf()
    return 9, 0.0


def check_decoder_layer(program, module):
    """torch's own decoder layer with one head and the same weights."""
    torch.manual_seed(1)
    d, hidden = 6, 10
    layer = torch.nn.TransformerDecoderLayer(d, 1, hidden, dropout=0.0, batch_first=True)
    own, cross = layer.self_attn, layer.multihead_attn

    class Weights:
        q, k, v = (part.T for part in own.in_proj_weight.chunk(3))
        o = own.out_proj.weight.T
        cross_q, cross_k, cross_v = (part.T for part in cross.in_proj_weight.chunk(3))
        cross_o = cross.out_proj.weight.T
        w1, b1, w2, b2 = layer.linear1.weight.T, layer.linear1.bias, layer.linear2.weight.T, layer.linear2.bias

    x, memory = torch.randn(5, d), torch.randn(7, d)
    for projection in (own, cross):  # the listing has no biases there
        torch.nn.init.zeros_(projection.in_proj_bias)
        torch.nn.init.zeros_(projection.out_proj.bias)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5)
    expected = layer(x[None], memory[None], tgt_mask=mask)[0]
    got = module.decoder_layer(x, memory, Weights)
    return got.numel(), (got - expected).abs().max().item()


def tensors(path):
    """{name: float64 tensor} of a safetensors file in float32."""
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    config = header.pop("__metadata__", {})
    result = {}
    for name, entry in header.items():
        if entry["dtype"] == "F32":
            begin, end = (8 + size + offset for offset in entry["data_offsets"])
            result[name] = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32).view(entry["shape"]).double()
    return result, config


def check_model(program, module):
    weights, metadata = tensors(ROOT / "resources/models/stories/model.safetensors")
    config = json.loads(metadata["config"])
    ids = [0, 40, 17, 301, 5, 99]
    table = load("positions").sinusoidal(torch.arange(len(ids))[:, None].double(), config["d_model"],
                                         config["sinusoidal_base"])
    got = module.gpt(ids, weights, config["n_layers"], config["n_heads"], table, config["embedding_scale"])
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "trace.safetensors"
        subprocess.run([program, "trace", "--model", "builtin:stories", "--ids", ",".join(map(str, ids)), "--out", out],
                       check=True, stdout=subprocess.DEVNULL)
        traced = tensors(out)[0]
    expected = next(tensor for name, tensor in traced.items() if "logits" in name).view(got.shape)
    return got.numel(), (got - expected).abs().max().item() * TOLERANCE / FLOAT32


def check_training(program, module):
    """One step on the logits of the example: its loss, and its gradient, which is shorter than 1."""
    matrices = {m["name"]: values(m) for m in learn(program, "example:cross-entropy")["matrices"]}

    class Table(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.logits = torch.nn.Parameter(matrices["logits"].clone())

        def forward(self, ids):
            return self.logits[None]

    targets = matrices["targets"].long().view(1, -1)
    model = Table()
    loss = module.train(model, iter([F.pad(targets, (1, 0))]), 1, 0.01, 1)
    moved = matrices["logits"] * (1 - 0.01 * 0.1) - 0.01 * torch.sign(matrices["gradient"])
    kept = matrices["gradient"] != 0
    worst = max((loss - matrices["loss"].item()).abs().item(),
                (model.logits.grad - matrices["gradient"]).abs().max().item(),
                1e-3 * (model.logits.data - moved)[kept].abs().max().item())  # epsilon beside the gradient
    return 1 + 2 * kept.sum().item(), worst


def check_alibi(program, module):
    lab = learn(program, "lab:alibi")
    bias = module.alibi(int(lab["settings"]["heads"]), int(lab["settings"]["tokens"]))
    table = next(p["picture"] for p in lab["panels"] if p["picture"]["kind"] == "matrix")
    return bias[0].numel(), (bias[0].flatten() - torch.tensor(table["values"])).abs().max().item()


def check_bpe(program, module):
    lab = learn(program, "lab:bpe-merges")
    words = re.findall(r" ?\w+", lab["settings"]["text"])
    tokens, count = module.train(words, int(lab["settings"]["merges"]))
    return 2, max(abs(tokens - lab["numbers"]["tokens"]), abs(count - lab["numbers"]["count"]))


def check_recurrent(program, module):
    """torch's own layers with the same weights."""
    torch.manual_seed(1)
    x, worst, count = torch.randn(5, 3), 0.0, 0
    for own, function in ((torch.nn.RNN(3, 4), module.rnn), (torch.nn.LSTM(3, 4), module.lstm)):
        weights = own.weight_ih_l0.T, own.weight_hh_l0.T, own.bias_ih_l0 + own.bias_hh_l0
        got, expected = function(x, *weights), own(x)[0]
        worst, count = max(worst, (got - expected).abs().max().item()), count + got.numel()
    return count, worst


def check_bleu(program, module):
    lab = learn(program, "lab:bleu")  # of single characters
    texts = list(lab["settings"]["candidate"]), list(lab["settings"]["reference"])
    scores = [lab["numbers"]["bleu"] - 100 * module.bleu(*texts), module.bleu(texts[1], texts[1]) - 1]
    return len(scores), max(map(abs, scores))


def check_word_vectors(program, module):
    """A step is one of autograd on the loss; the cosine is that of torch."""
    torch.manual_seed(1)
    word, contexts = torch.randn(6, requires_grad=True), torch.randn(4, 6, requires_grad=True)
    signs = torch.tensor([1.0, -1.0, -1.0, -1.0])
    (-F.logsigmoid(signs * (contexts @ word))).sum().backward()
    new_word, new_contexts = module.skip_gram(word.detach(), contexts.detach(), 0.5)
    worst = max((new_word - (word - 0.5 * word.grad)).abs().max().item(),
                (new_contexts - (contexts - 0.5 * contexts.grad)).abs().max().item(),
                (module.cosine(word, contexts[1]) - F.cosine_similarity(word, contexts[1], dim=0)).abs().item())
    return 1 + word.numel() + contexts.numel(), worst


EXTRA = {"masks": check_masks, "decoder-layer": check_decoder_layer, "model": check_model,
         "training": check_training, "alibi": check_alibi, "bpe": check_bpe,
         "recurrent": check_recurrent, "bleu": check_bleu, "word-vectors": check_word_vectors}


def run(program, name):
    """[(what it was compared with, compared numbers, largest difference)]."""
    listing, module = learn(program, f"listing:{name}"), load(name)
    rows = []
    if name != "training":
        for example in listing["examples"]:
            if example != HEAD:
                rows.append((f"example:{example}", *run_example(program, name, listing, module, example)))
    if name in EXTRA:
        rows.append(("its own check", *EXTRA[name](program, module)))
    if not rows:
        raise SystemExit(f"{name}: nothing to compare with")
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    known = [listing["name"] for listing in learn(options.program, "")["listings"]] if not options.names else []
    worst = 0.0
    for name in options.names or known:
        for what, count, largest in run(options.program, name):
            worst = max(worst, largest)
            print(f"{name:<18} {what:<26} {count:>6} numbers   {largest:.1e}"
                  + ("" if largest <= TOLERANCE else "   DIFFERS"), flush=True)
    print(f"torch {torch.__version__}: " + ("all agree" if worst <= TOLERANCE else "some numbers differ"))
    sys.exit(0 if worst <= TOLERANCE else 1)


if __name__ == "__main__":
    main()

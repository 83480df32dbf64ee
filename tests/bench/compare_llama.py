#!/usr/bin/env python3
"""Runs `headscope bench decode --model M.gguf` and llama.cpp on the same file in turns and prints the ratios.

    python3 -m venv peer && peer/bin/pip install llama-cpp-python
    peer/bin/python tests/bench/compare_llama.py PATH/TO/headscope MODEL.gguf [MORE.gguf ...] [--rounds 7]
        [--isa avx2] [--exact] [--json]

Each round measures every prompt and the decoding once here and once there, so a machine that slows down slows
both. A ratio above 1 means that Headscope is faster; behind it stand the lowest and the highest ratio of any round.
Both use as many threads (--threads). --isa limits our kernels; llama.cpp is limited where it is built, as by
    CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON" pip install llama-cpp-python
--exact: our products are sums of floats.
"""
import argparse
import ctypes
import json
import os
import random
import statistics
import subprocess
import sys
import time

PROMPTS = (12, 128, 512)
NEW_TOKENS = 32
TOKENS_BEFORE = 16


def ours(program, model, threads, isa, exact):
    """{"prompt 128": tokens a second} of one round, and the instruction set."""
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HEADSCOPE_THREADS=str(threads),
                       **({"HEADSCOPE_ISA": isa} if isa else {}))
    answer = subprocess.run([program, "bench", "decode", "--model", model, "--device", "cpu", "--json", "--rounds",
                             "1", "--tokens", *map(str, PROMPTS), *(["--exact"] if exact else [])],
                            env=environment, check=True, stdout=subprocess.PIPE)
    report = json.loads(answer.stdout)
    return {row["measured"]: row["tokens_per_s"] for row in report["results"]}, report["kernels"]


class Llama:
    """One file in llama.cpp: random tokens, nothing kept between measurements."""

    def __init__(self, path, threads):
        parameters = llama_cpp.llama_model_default_params()
        parameters.n_gpu_layers = 0
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), parameters)
        if not self.model:
            sys.exit(f"llama.cpp does not open {path}")
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = 1024
        parameters.n_batch = parameters.n_ubatch = 512
        parameters.n_threads = parameters.n_threads_batch = threads
        self.context = llama_cpp.llama_init_from_model(self.model, parameters)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))

    def feed(self, count):
        tokens = (llama_cpp.llama_token * count)(*(random.randrange(self.vocabulary) for _ in range(count)))
        if llama_cpp.llama_decode(self.context, llama_cpp.llama_batch_get_one(tokens, count)) != 0:
            sys.exit("llama.cpp could not decode")
        llama_cpp.llama_synchronize(self.context)

    def forget(self):
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)

    def prompt(self, count):
        self.forget()
        start = time.perf_counter()
        self.feed(count)
        return count / (time.perf_counter() - start)

    def decode(self, count):
        self.forget()
        self.feed(TOKENS_BEFORE)
        start = time.perf_counter()
        for _ in range(count):
            self.feed(1)
        return count / (time.perf_counter() - start)

    def round(self):
        results = {f"prompt {count}": self.prompt(count) for count in PROMPTS}
        results[f"decode {NEW_TOKENS}"] = self.decode(NEW_TOKENS)
        return results


def rows(mine, theirs):
    for measured, speeds in mine.items():
        row = {"measured": measured, "headscope": statistics.median(speeds)}
        if measured in theirs:
            ratios = sorted(here / there for here, there in zip(speeds, theirs[measured]))
            row.update(llama_cpp=statistics.median(theirs[measured]), lowest=ratios[0], highest=ratios[-1])
            row["ratio"] = row["headscope"] / row["llama_cpp"]
        yield row


def compare(path, arguments):
    peer = Llama(path, arguments.threads)
    peer.round()  # its first pass reads the file
    mine, theirs, kernels = {}, {}, ""
    for index in range(arguments.rounds):
        for turn in ((0, 1) if index % 2 == 0 else (1, 0)):
            if turn == 0:
                results, kernels = ours(arguments.program, path, arguments.threads, arguments.isa, arguments.exact)
            else:
                results = peer.round()
            for measured, speed in results.items():
                (theirs if turn else mine).setdefault(measured, []).append(speed)
    return {"model": os.path.basename(path), "kernels": kernels, "threads": arguments.threads,
            "rounds": arguments.rounds, "exact": arguments.exact, "results": list(rows(mine, theirs))}


def show(report):
    print(f"\n{report['model']}, {report['kernels']}, {report['threads']} threads, medians of {report['rounds']} "
          "interleaved rounds, tokens a second")
    print(f"{'measured':14} {'headscope':>11} {'llama.cpp':>11} {'ratio':>7}  rounds")
    for row in report["results"]:
        line = f"{row['measured']:14} {row['headscope']:11.1f}"
        if "ratio" in row:
            line += f" {row['llama_cpp']:11.1f} {row['ratio']:6.2f}x  {row['lowest']:.2f} to {row['highest']:.2f}"
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--isa", choices=["baseline", "avx2", "avxvnni", "avx512"])
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--json", action="store_true", help="one JSON object per model")
    arguments = parser.parse_args()
    random.seed(1)
    for path in arguments.models:
        report = compare(path, arguments)
        if arguments.json:
            print(json.dumps(report), flush=True)
        else:
            show(report)


try:
    import llama_cpp
except ImportError:
    sys.exit("llama_cpp is not installed: pip install llama-cpp-python")

if __name__ == "__main__":
    quiet = llama_cpp.llama_log_callback(lambda *ignored: None)
    llama_cpp.llama_log_set(quiet, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    main()

#!/usr/bin/env python3
"""Runs `headscope bench decode --model M.gguf` and llama.cpp on the same file in turns and prints the ratios.

    python3 -m venv peer && peer/bin/pip install llama-cpp-python
    peer/bin/python tests/bench/compare_llama.py PATH/TO/headscope MODEL.gguf [MORE.gguf ...] [--rounds 7]

Each round measures every prompt and the decoding once here and once there, so a machine that slows down slows
both. A ratio above 1 means that Headscope is faster. Both use as many threads (--threads).
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


def ours(program, model, threads):
    """{"prompt 128": tokens a second} of one round."""
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HEADSCOPE_THREADS=str(threads))
    answer = subprocess.run([program, "bench", "decode", "--model", model, "--device", "cpu", "--json", "--rounds",
                             "1", "--tokens", *map(str, PROMPTS)], env=environment, check=True,
                            stdout=subprocess.PIPE)
    return {row["measured"]: row["tokens_per_s"] for row in json.loads(answer.stdout)["results"]}


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


def compare(program, path, rounds, threads):
    peer = Llama(path, threads)
    peer.round()  # its first pass reads the file
    mine, theirs = {}, {}
    for _ in range(rounds):
        for collected, results in ((mine, ours(program, path, threads)), (theirs, peer.round())):
            for measured, speed in results.items():
                collected.setdefault(measured, []).append(speed)
    print(f"\n{os.path.basename(path)}, {threads} threads, medians of {rounds} interleaved rounds, tokens a second")
    print(f"{'measured':14} {'headscope':>11} {'llama.cpp':>11} {'ratio':>7}")
    for measured, speeds in mine.items():
        line = f"{measured:14} {statistics.median(speeds):11.1f}"
        if measured in theirs:
            other = statistics.median(theirs[measured])
            line += f" {other:11.1f} {statistics.median(speeds) / other:6.2f}x"
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    random.seed(1)
    for path in arguments.models:
        compare(arguments.program, path, arguments.rounds, arguments.threads)


try:
    import llama_cpp
except ImportError:
    sys.exit("llama_cpp is not installed: pip install llama-cpp-python")

if __name__ == "__main__":
    quiet = llama_cpp.llama_log_callback(lambda *ignored: None)
    llama_cpp.llama_log_set(quiet, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    main()

#!/usr/bin/env python3
"""Runs `headscope bench` and the same work in PyTorch in turns and prints the ratios of their medians.

    python3 -m venv peer && peer/bin/pip install torch transformers
    peer/bin/python tests/bench/compare.py PATH/TO/headscope [attention|train|decode|keystroke ...] [--rounds 7]

Each round measures every case once here and once there, so a machine that slows down slows both. A ratio above
1 means that Headscope is faster. Both use all cores; PyTorch's threads are kept on theirs.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

PEER = pathlib.Path(__file__).with_name("peer_torch.py")


def ours(program, what, environment):
    """{(case, column): microseconds} of one round."""
    answer = subprocess.run([program, "bench", what, "--json", "--rounds", "1"], env=environment, check=True,
                            stdout=subprocess.PIPE)
    times = {}
    for row in json.loads(answer.stdout)["results"]:
        microseconds = row["median_ms"] * 1e3
        if what == "attention":
            mask = "causal" if row["causal"] else "full"
            kind = "forward+backward" if row["backward"] else "forward"
            case = f"{row['batch']}x{row['heads']}x{row['tokens']}x{row['head_dim']} {mask} {kind}"
            times[case, row["backend"]] = microseconds
        else:
            times[row["case"], row.get("measured", "step")] = microseconds
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("what", nargs="*", default=["attention", "train", "decode", "keystroke"])
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    # Only PyTorch runs on OpenMP: binding ours would put the whole pool on the first thread's core.
    bound = dict(os.environ, OMP_PROC_BIND="true", OMP_PLACES="cores")
    peer = subprocess.Popen([sys.executable, str(PEER)], env=bound, text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for what in arguments.what:
        mine, theirs = {}, {}
        for _ in range(arguments.rounds):
            for case, microseconds in ours(arguments.program, what, environment).items():
                mine.setdefault(case, []).append(microseconds)
            peer.stdin.write(what + "\n")
            peer.stdin.flush()
            for case, microseconds in json.loads(peer.stdout.readline()).items():
                theirs.setdefault(case, []).append(microseconds)
        print(f"\n{what}, medians of {arguments.rounds} interleaved rounds, microseconds")
        print(f"{'case':38} {'measured':26} {'headscope':>11} {'PyTorch':>11} {'ratio':>7}")
        for (case, column), samples in mine.items():
            ours_us = statistics.median(samples)
            line = f"{case:38} {column:26} {ours_us:11.1f}"
            if case in theirs:
                theirs_us = statistics.median(theirs[case])
                line += f" {theirs_us:11.1f} {theirs_us / ours_us:6.2f}x"
            print(line, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs `headscope bench` and the same work in PyTorch in turns and prints the ratios of their medians.

    python3 -m venv peer && peer/bin/pip install torch transformers
    peer/bin/python tests/bench/compare.py PATH/TO/headscope [attention|train|decode|keystroke ...]
        [--rounds 7] [--isa avx2 ...] [--busy 1] [--precision f16] [--device opencl] [--peer-device cuda]
        [--markdown]

Each round measures every case once here and once there, so a machine that slows down slows both; who begins
changes from round to round. A ratio above 1 means that Headscope is faster; behind it stand the lowest and the
highest ratio of any round, and below each table the share of processor time that other programs took. Both use
all cores; PyTorch's threads are kept on theirs. --isa: the instruction set of our kernels (PyTorch's is limited
to the same); several are measured one after the other. --busy: so many programs loop meanwhile, each at full speed
and the same priority, as people's machines are never idle. --precision: of our weights, in keystroke. --device and --peer-device: where our attention and all
of PyTorch's work run.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

PEER = pathlib.Path(__file__).with_name("peer_torch.py")
PEERS_NAME = {"baseline": "default", "avx2": "avx2", "avxvnni": "avx2", "avx512": "avx512"}  # ATEN_CPU_CAPABILITY
ONEDNN_NAME = {"baseline": "SSE41", "avx2": "AVX2", "avxvnni": "AVX2", "avx512": "AVX512_CORE"}
MKL_NAME = {"baseline": "SSE4_2", "avx2": "AVX2", "avxvnni": "AVX2", "avx512": "AVX512"}  # ONEDNN_MAX_CPU_ISA


def ours(program, what, environment, device, precision="f32"):
    """{(case, column): microseconds} of one round, and the instruction set."""
    answer = subprocess.run([program, "bench", what, "--json", "--rounds", "1", "--device", device, "--precision",
                             precision], env=environment, check=True, stdout=subprocess.PIPE)
    report = json.loads(answer.stdout)
    times = {}
    for row in report["results"]:
        microseconds = row["median_ms"] * 1e3
        if what == "attention":
            mask = "causal" if row["causal"] else "full"
            kind = "forward+backward" if row["backward"] else "forward"
            case = f"{row['batch']}x{row['heads']}x{row['tokens']}x{row['head_dim']} {mask} {kind}"
            times[case, row["backend"]] = microseconds
        else:
            times[row["case"], row.get("measured", "step")] = microseconds
    return times, report["kernels"]


class Peer:
    """PyTorch in a process of its own, asked for one round at a time."""

    def __init__(self, isa, device):
        # Only PyTorch runs on OpenMP: binding ours would put the whole pool on the first thread's core.
        environment = dict(os.environ, OMP_PROC_BIND="true", OMP_PLACES="cores", HEADSCOPE_PEER_DEVICE=device)
        if isa:
            environment.update(ATEN_CPU_CAPABILITY=PEERS_NAME[isa], ONEDNN_MAX_CPU_ISA=ONEDNN_NAME[isa],
                               MKL_ENABLE_INSTRUCTIONS=MKL_NAME[isa])
        self.process = subprocess.Popen([sys.executable, str(PEER)], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def round(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine_seconds():
    """Processor time that all programs used, and what was to be had, since the machine started."""
    times = [int(field) for field in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    idle = times[3] + times[4]
    tick = os.sysconf("SC_CLK_TCK")
    return (sum(times) - idle) / tick, sum(times) / tick


class Load:
    """Programs that loop at full speed while something is measured."""

    def __init__(self, count):
        self.count = count
        self.processes = []

    def __enter__(self):
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


class Share:
    """The share of the processors that other programs used since it was made."""

    def __init__(self, peer):
        self.peer = peer
        self.used, self.all = machine_seconds()
        self.own = self.own_seconds()

    def own_seconds(self):
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime + self.peer.processor_seconds()

    def of_others(self):
        used, available = machine_seconds()
        others = used - self.used - (self.own_seconds() - self.own)
        return max(0.0, others / max(available - self.all, 1e-9))


def peers_case(case, column, theirs):
    """The peer's case beside one of ours: "NAME last token" where it has one."""
    other = case + " last token"
    return other if "last token" in column and other in theirs else case


def measure(arguments, what, environment, peer):
    mine, theirs, kernels = {}, {}, ""
    for index in range(arguments.rounds):
        for turn in ((0, 1) if index % 2 == 0 else (1, 0)):
            if turn == 0:
                times, kernels = ours(arguments.program, what, environment, arguments.device, arguments.precision)
                for case, microseconds in times.items():
                    mine.setdefault(case, []).append(microseconds)
            else:
                for case, microseconds in peer.round(what).items():
                    theirs.setdefault(case, []).append(microseconds)
    return mine, theirs, kernels


def rows(mine, theirs):
    for (case, column), samples in mine.items():
        row = [case, column, f"{statistics.median(samples):.1f}"]
        other = theirs.get(peers_case(case, column, theirs))
        if other:
            ratios = sorted(there / here for here, there in zip(samples, other))
            row += [f"{statistics.median(other):.1f}",
                    f"{statistics.median(other) / statistics.median(samples):.2f}",
                    f"{ratios[0]:.2f} to {ratios[-1]:.2f}"]
        yield row + [""] * (6 - len(row))


HEADINGS = ["case", "measured", "headscope, us", "PyTorch, us", "ratio", "rounds"]


def show(table, markdown):
    if markdown:
        print("| " + " | ".join(HEADINGS) + " |\n" + "|---" * len(HEADINGS) + "|")
        for row in table:
            print("| " + " | ".join(row) + " |")
        return
    widths = [max(len(row[i]) for row in [HEADINGS, *table]) for i in range(len(HEADINGS))]
    for row in [HEADINGS, *table]:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def compare(arguments, isa):
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", **({"HEADSCOPE_ISA": isa} if isa else {}))
    peer = Peer(isa, arguments.peer_device)
    for what in arguments.what:
        share = Share(peer)
        with Load(arguments.busy):
            mine, theirs, kernels = measure(arguments, what, environment, peer)
        print(f"\n{what}, {kernels}, {arguments.device} beside {arguments.peer_device}: medians of {arguments.rounds} interleaved rounds, microseconds")
        show(list(rows(mine, theirs)), arguments.markdown)
        print(f"\nOther programs used {share.of_others():.0%} of the processors meanwhile.", flush=True)
    peer.process.stdin.close()
    peer.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("what", nargs="*", default=["attention", "train", "decode", "keystroke"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--isa", action="append", choices=list(PEERS_NAME))
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--precision", choices=["f32", "f16", "bf16"], default="f32")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--peer-device", default="cpu")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    for isa in arguments.isa or [None]:
        compare(arguments, isa)


if __name__ == "__main__":
    main()

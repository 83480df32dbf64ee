#!/usr/bin/env python3
"""Compares the traces FOLDER/NAME-DEVICE.safetensors with FOLDER/NAME-cpu.safetensors, activation by activation.

Prints the largest difference of each pair; exit status 1 where one is above 1e-4.
"""
import array
import json
import pathlib
import struct
import sys

LIMIT = 1e-4


def activations(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    result = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        result[name] = array.array("f", data[8 + size + begin:8 + size + end])
    return result


def largest_difference(expected, got):
    """Infinities (scores of masked keys) must be the same in both."""
    worst = 0.0
    for a, b in zip(expected, got, strict=True):
        if a != b:
            worst = max(worst, abs(a - b))
    return worst


def main():
    folder = pathlib.Path(sys.argv[1])
    status = 0
    for reference in sorted(folder.glob("*-cpu.safetensors")):
        expected = activations(reference)
        name = reference.name.removesuffix("-cpu.safetensors")
        for path in sorted(folder.glob(f"{name}-opencl*.safetensors")):
            got = activations(path)
            worst = max(largest_difference(expected[key], got[key]) for key in expected)
            print(f"   {path.name.removesuffix('.safetensors'):24} {len(expected)} activations, "
                  f"largest difference {worst:.2g}")
            status |= not worst <= LIMIT
    return status


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""The least time that an operation of the device can take on an H200: for its bytes, and for its instructions. README.md has the
counts, and docs/gpu.md where they come from."""

import math
import re
from dataclasses import dataclass

BUS = 50e9  # one way, PCIe 5 x16 as docs/gpu.md takes it [bytes/s]
MEMORY = 4.8e12  # vendor's figure [bytes/s]
ISSUE = 4 * 132 * 1.98e9  # warps' instructions of 528 schedulers at the highest clock, vendor's figures [/s]

SPREAD, GATHER = {4: 63, 5: 107}, {4: 26, 5: 43}  # instructions of a tile an atom, by order


@dataclass
class Facts:
    atoms: int
    nodes: int  # of the mesh
    order: int


def facts_of(atoms, plan):
    """From what --check prints."""
    found = re.search(r"mesh (\d+) x (\d+) x (\d+), order (\d+)", plan)
    sizes = [int(n) for n in found.groups()]
    return Facts(atoms, sizes[0] * sizes[1] * sizes[2], sizes[3])


def counts(name, f):
    """(bytes, rate of their way, warps' instructions) of an operation in a step, or None for one that is not counted."""
    if name.startswith(("upload", "download")):
        return 12 * f.atoms, BUS, 0.0
    memory = {
        "gather_points": (28 * f.atoms, 0.0),
        "scatter_forces": (40 * f.atoms, 0.0),
        "add_pair_forces": (97 * f.atoms, (22.0 * 25 + 15.0 * (73 - 25)) * f.atoms),
        "spread_charges": (16 * f.atoms + 8 * f.nodes, SPREAD.get(f.order, 0) * f.atoms),
        "gather_forces": (40 * f.atoms + 4 * f.nodes, GATHER.get(f.order, 0) * f.atoms),
        "pack_rows": (12 * f.nodes, 0.0),
        "split_rows": (8 * f.nodes, 0.0),
        "merge_rows": (8 * f.nodes, 0.0),
        "turn_planes": (16 * f.nodes, 0.0),
        "multiply_waves": (8 * f.nodes, 0.0),
        "transform": (48 * f.nodes, 5 / 64 * f.nodes * math.log2(f.nodes)),
    }
    for kernel, (size, instructions) in memory.items():
        if kernel in name:
            return size, MEMORY, instructions
    return None


def of(name, facts):
    """{"bytes_us", "instructions_us"}, or nothing."""
    counted = counts(name, facts)
    if counted is None:
        return {}
    size, rate, instructions = counted
    return {"bytes_us": 1e6 * size / rate, "instructions_us": 1e6 * instructions / ISSUE}

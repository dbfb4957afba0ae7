#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages and bytes of a step, measured at up to 64 ranks on small systems, against those that mdsim plan computes; and
what it predicts with them for 100,000 and a million atoms on up to 1,024 ranks.

    traffic.py PROGRAM [--ranks 2 4 8 16 32 64] [--steps 20] [--without-prediction]

Counts do not depend on how fast the ranks are, so that they may be many more than processors. Exit code 1 where the
bytes of a halo are farther than --tolerance from the model's."""

import argparse
import sys
import tempfile
from pathlib import Path

from ranks import SOURCE, bench, large_water, machine, plan, table

DECKS = [SOURCE / "inputs" / "water.inp", SOURCE / "inputs" / "protein.inp"]
KINDS = ("halo_positions", "halo_forces", "mesh_halo", "mesh_transpose")
TOGETHER = ("--set", "hardware.mesh_ranks=0")
CLUSTER = ("--cores-per-node", 64, "--threads", 1)


def compare(options, folder, deck):
    """A table of counts, and how far the bytes of any halo are from the model."""
    rows = [["ranks", "grid", "kind", "messages: model", "measured", "kB: model", "measured", "ratio"]]
    worst = 0.0
    counts = ",".join(map(str, options.ranks))
    plans = plan(options.program, folder, deck, "--nodes", counts, "--cores-per-node", 1, "--threads", 1, *TOGETHER)
    for ranks, expected in zip(options.ranks, plans["plans"]):
        found = bench(options.program, folder, deck, ranks, 1, options.steps, TOGETHER[1:])
        for kind in KINDS:
            model, seen = expected["traffic"][kind], found["traffic"][kind]
            ratio = seen["bytes"] / model["bytes"] if model["bytes"] else float("nan")
            if kind.startswith("halo"):
                worst = max(worst, abs(ratio - 1))
            rows.append([ranks, " x ".join(map(str, expected["grid"])), kind, f"{model['messages']:.1f}",
                         f"{seen['messages']:.1f}", f"{1e-3 * model['bytes']:.1f}", f"{1e-3 * seen['bytes']:.1f}",
                         f"{ratio:.2f}"])
    return rows, worst


def predict(program, folder):
    """Strong scaling of two boxes of water, against one core."""
    rows = [["atoms", "ranks", "ranks of the mesh", "ms/step", "ns/day", "efficiency", "communication", "MB a rank"]]
    for tiles in ((4, 3, 3), (8, 7, 7)):
        large_water.tile(SOURCE, folder, tiles)
        report = plan(program, folder, "water.inp", "--nodes", "1,2,4,8,16", *CLUSTER)
        one = report["calibration"]["ms_per_step"]
        rows.append([report["atoms"], 1, 0, f"{one:.1f} (measured)", f"{86400 * report['timestep'] / one:.2f}", "1.00", "-", "-"])
        for p in report["plans"]:
            rows.append([report["atoms"], p["ranks"], p["mesh_ranks"], f"{p['ms_per_step']:.3f}",
                         f"{p['ns_per_day']:.2f}", f"{one / p['ms_per_step'] / p['ranks']:.2f}",
                         f"{100 * p['communication']:.0f} %", f"{1e-6 * p['memory']['rank']:.0f}"])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("decks", nargs="*", type=lambda path: Path(path).resolve(), default=DECKS)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4, 8, 16, 32, 64])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--tolerance", type=float, default=0.3)
    parser.add_argument("--without-prediction", action="store_true")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="mdsim-traffic-") as folder:
        worst = 0.0
        for deck in options.decks:
            rows, off = compare(options, Path(folder), deck)
            worst = max(worst, off)
            print(f"{deck.stem}\n{table(rows)}", flush=True)
        print(f"bytes of halos: at most {100 * worst:.0f} % from the model")
        if not options.without_prediction:
            print(table(predict(options.program, Path(folder))))
    sys.exit(0 if worst <= options.tolerance else 1)


main()

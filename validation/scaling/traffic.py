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
CLUSTER = ("--cores-per-node", 64, "--threads", 1)


def compare(options, folder):
    """A table of counts, and how far the bytes of any halo are from the model."""
    rows = [["input", "ranks", "grid", "kind", "messages: model", "measured", "kB: model", "measured", "ratio"]]
    worst = 0.0
    for deck in options.decks:
        for ranks in options.ranks:
            found = bench(options.program, folder, deck, ranks, steps=options.steps, keys=["hardware.mesh_ranks=0"])
            expected = plan(options.program, folder, deck, "--cores-per-node", ranks, "--threads", 1,
                            "--set", "hardware.mesh_ranks=0")["plans"][0]
            for kind in KINDS:
                model, seen = expected["traffic"][kind], found["traffic"][kind]
                ratio = seen["bytes"] / model["bytes"] if model["bytes"] else float("nan")
                if kind.startswith("halo"):
                    worst = max(worst, abs(ratio - 1))
                rows.append([deck.stem, ranks, " x ".join(map(str, expected["grid"])), kind,
                             f"{model['messages']:.1f}", f"{seen['messages']:.1f}", f"{1e-3 * model['bytes']:.1f}",
                             f"{1e-3 * seen['bytes']:.1f}", f"{ratio:.2f}"])
    return rows, worst


def predict(program, folder):
    """Strong scaling of two boxes of water."""
    rows = [["atoms", "ranks", "threads a rank", "ranks of the mesh", "ms/step", "ns/day", "efficiency", "communication"]]
    for tiles in ((4, 3, 3), (8, 7, 7)):
        large_water.tile(SOURCE, folder, tiles)
        report = plan(program, folder, "water.inp", "--nodes", "1,2,4,8,16", *CLUSTER)
        one = plan(program, folder, "water.inp", "--cores-per-node", 1, "--threads", 1)["plans"][0]
        for p in [one, *report["plans"]]:
            efficiency = one["ms_per_step"] / p["ms_per_step"] / p["ranks"]
            rows.append([report["atoms"], p["ranks"], p["threads"], p["mesh_ranks"], f"{p['ms_per_step']:.3f}",
                         f"{p['ns_per_day']:.2f}", f"{efficiency:.2f}", f"{100 * p['communication']:.0f} %"])
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
        rows, worst = compare(options, Path(folder))
        print(table(rows))
        print(f"bytes of halos: at most {100 * worst:.0f} % from the model")
        if not options.without_prediction:
            print(table(predict(options.program, Path(folder))))
    sys.exit(0 if worst <= options.tolerance else 1)


main()

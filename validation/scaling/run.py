#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicted against measured steps, 1 to 4 ranks on this machine.

    run.py PROGRAM [--ranks 1 2 3 4] [--rounds 2] [DECK...]

For each deck: `mdsim plan` for one node with so many cores, and `mdsim bench` under mpirun, one thread a rank, rounds
interleaved and the fastest taken. Ranks beyond the processors share them: then the prediction is multiplied by ranks
over processors, which leaves out what it takes to change from one rank to another, at every message. Needs a machine
that does nothing else, for some three minutes on two processors. What is printed is what docs/scaling.md has under "Time
of a step". Exit code 1 where ranks with a processor each are farther off than mdsim plan says."""

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path

from ranks import SOURCE, bench, machine, plan, table

DECKS = [SOURCE / "inputs" / "water.inp", SOURCE / "inputs" / "protein.inp"]
TOGETHER = "hardware.mesh_ranks=0"
HEAD = ["input, atoms", "ranks", "regions", "predicted ms/step", "measured ms/step", "measured / predicted",
        "communication, predicted", "measured", "largest / mean work"]


def measured(program, folder, deck, counts, rounds):
    """The fastest of all rounds for each count of ranks."""
    fastest = {}
    for _ in range(rounds):
        for ranks in counts:
            report = bench(program, folder, deck, ranks, keys=(TOGETHER,))
            if ranks not in fastest or report["ms_per_step"] < fastest[ranks]["ms_per_step"]:
                fastest[ranks] = report
    return fastest


def row(deck, report, ranks, found):
    expected = report["plans"][0]
    share = max(1.0, ranks / os.cpu_count())
    ratio = found["ms_per_step"] / (share * expected["ms_per_step"])
    shared = "" if share == 1.0 else f" on {os.cpu_count()} processors"
    return ratio, [f"{deck.stem}, {report['atoms']:,}", f"{ranks}{shared}", " × ".join(map(str, expected["grid"])),
                   f"{share * expected['ms_per_step']:.3f}", f"{found['ms_per_step']:.3f}", f"{ratio:.2f}",
                   f"{100 * expected['communication']:.1f} %", f"{100 * found['communication']['share']:.1f} %",
                   f"{found['imbalance']['work']:.3f}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("decks", nargs="*", type=lambda path: Path(path).resolve(), default=DECKS)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_intermixed_args()
    rows, own, shared, stated = [HEAD], [0.0], [0.0], 0.0
    print(machine(), flush=True)
    with tempfile.TemporaryDirectory(prefix="mdsim-scaling-") as folder:
        for deck in options.decks:
            found = measured(options.program, folder, deck, options.ranks, options.rounds)
            for ranks in options.ranks:
                report = plan(options.program, folder, deck, "--cores-per-node", ranks, "--threads", 1, "--set", TOGETHER)
                ratio, cells = row(deck, report, ranks, found[ranks])
                (own if ranks <= os.cpu_count() else shared).append(abs(ratio - 1))
                rows.append(cells)
                stated = report["error"]["relative"]
    print(f"\n{table(rows)}\n")
    print(f"Farthest off: {100 * max(own):.0f} % with a processor for each rank, where `mdsim plan` says {100 * stated:.0f} %"
          + (f"; {100 * max(shared):.0f} % where ranks share processors." if len(shared) > 1 else "."))
    print(f"expected_error in src/run/plan/report/plan_report.h: {max(0.1, math.ceil(20 * max(own)) / 20):.2f} "
          f"(the farthest, rounded up to 5 %, at least 10 %), expected_error_ranks: {min(max(options.ranks), os.cpu_count())}")
    sys.exit(0 if max(own) <= stated else 1)


main()

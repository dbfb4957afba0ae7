#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicted against measured steps, 1 to 4 ranks on this machine.

    run.py PROGRAM [--ranks 1 2 3 4] [--rounds 3] [DECK...]

For each deck: `mdsim plan` for one node with so many cores, and `mdsim bench` under mpirun, one thread a rank, rounds
interleaved and the fastest taken. Ranks beyond the processors share them: then the prediction is multiplied by ranks
over processors. Needs a machine that does nothing else. Exit code 1 where one is farther off than mdsim plan says."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from ranks import SOURCE, bench, machine, plan, table

DECKS = [SOURCE / "inputs" / "water.inp", SOURCE / "inputs" / "protein.inp"]


def measured(program, folder, deck, counts, rounds):
    """The fastest of all rounds for each count of ranks."""
    fastest = {}
    for _ in range(rounds):
        for ranks in counts:
            report = bench(program, folder, deck, ranks)
            if ranks not in fastest or report["ms_per_step"] < fastest[ranks]["ms_per_step"]:
                fastest[ranks] = report
    return fastest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("decks", nargs="*", type=lambda path: Path(path).resolve(), default=DECKS)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = [["input", "atoms", "ranks", "grid", "predicted ms/step", "measured ms/step", "measured / predicted",
             "communication, predicted", "measured", "imbalance"]]
    worst, stated = 0.0, 0.0
    print(machine())
    with tempfile.TemporaryDirectory(prefix="mdsim-scaling-") as folder:
        for deck in options.decks:
            found = measured(options.program, folder, deck, options.ranks, options.rounds)
            for ranks in options.ranks:
                report = plan(options.program, folder, deck, "--cores-per-node", ranks, "--threads", 1)
                expected, bench_report = report["plans"][0], found[ranks]
                share = max(1.0, ranks / os.cpu_count())
                ratio = bench_report["ms_per_step"] / (share * expected["ms_per_step"])
                worst, stated = max(worst, abs(ratio - 1)), report["error"]["relative"]
                rows.append([deck.stem, report["atoms"], ranks, " x ".join(map(str, expected["grid"])),
                             f"{share * expected['ms_per_step']:.3f}", f"{bench_report['ms_per_step']:.3f}",
                             f"{ratio:.2f}", f"{100 * expected['communication']:.1f} %",
                             f"{100 * bench_report['communication']['share']:.1f} %",
                             f"{bench_report['imbalance']['work']:.3f}"])
    print(table(rows))
    print(f"farthest off: {100 * worst:.0f} %; mdsim plan says {100 * stated:.0f} %")
    sys.exit(0 if worst <= stated else 1)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A million atoms on 1, 2 and 4 ranks: memory of each rank, and the speed of two ranks against two threads.

    million.py PROGRAM [--tiles 8 7 7] [--steps 15] [--rounds 3]

Runs `mdsim bench` with 1 rank and 1 thread, 2 ranks with 1 thread each, and 1 rank with 2 threads, in turn, and takes the
fastest of each; then 4 ranks for their memory. Needs two processors that do nothing else.

Exit code 1 where memory a rank does not fall to SHARE of that of half as many ranks, where the efficiency from 1 to 2
ranks is below 0.90, or where 2 ranks are more than 5 % slower than 2 threads."""

import argparse
import sys
import tempfile
from pathlib import Path

from ranks import SOURCE, bench, large_water, machine, table

# Half of what atoms take, and all of what a process and the halo take.
SHARE = 0.70
LEAST_EFFICIENCY, MOST_BEHIND_THREADS = 0.90, 1.05


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--tiles", type=int, nargs=3, default=(8, 7, 7))
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    fastest = {}
    print(machine())
    with tempfile.TemporaryDirectory(prefix="mdsim-million-") as scratch:
        folder = Path(scratch)
        atoms = large_water.tile(SOURCE, folder, options.tiles)

        def run(ranks, threads):
            report = bench(options.program, folder, "water.inp", ranks, threads, options.steps)
            key = ranks, threads
            if key not in fastest or report["ms_per_step"] < fastest[key]["ms_per_step"]:
                fastest[key] = report

        for _ in range(options.rounds):
            for ranks, threads in ((1, 1), (2, 1), (1, 2)):
                run(ranks, threads)
        run(4, 1)
    rows = [["ranks", "threads", "ms/step", "speed", "MB of each rank, peak", "MB of each rank, running"]]
    for (ranks, threads), report in fastest.items():
        speed = fastest[1, 1]["ms_per_step"] / report["ms_per_step"]
        memory = [" ".join(f"{1e-6 * b:.0f}" for b in report["memory"][kind]) for kind in ("peak", "resident")]
        rows.append([ranks, threads, f"{report['ms_per_step']:.1f}", f"{speed:.3f}", *memory])
    print(f"{atoms} atoms")
    print(table(rows))
    efficiency = fastest[1, 1]["ms_per_step"] / fastest[2, 1]["ms_per_step"] / 2
    behind = fastest[2, 1]["ms_per_step"] / fastest[1, 2]["ms_per_step"]
    running = {ranks: max(fastest[ranks, 1]["memory"]["resident"]) for ranks in (1, 2, 4)}
    falls = [running[2] / running[1], running[4] / running[2]]
    print(f"efficiency of 2 ranks {efficiency:.3f}; 2 ranks against 2 threads: {behind:.3f} of their time; "
          f"memory of the largest rank: {falls[0]:.2f} and {falls[1]:.2f} of that of half as many")
    good = efficiency >= LEAST_EFFICIENCY and behind <= MOST_BEHIND_THREADS and max(falls) <= SHARE
    sys.exit(0 if good else 1)


main()

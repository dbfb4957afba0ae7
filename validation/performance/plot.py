#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bars of ns/day, from what `run.py --json FILE` has written.

    plot.py FILE... > OUT.svg"""

import json
import sys
from html import escape
from itertools import groupby

COLOURS = {"mdsim": "#1b6ca8", "GROMACS": "#9aa5b1", "OpenMM": "#d0d6dc"}
LEFT, WIDTH, BAR, GAP = 190, 430, 15, 14


def text(x, y, words, anchor="start", size=12):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def main():
    rows = [row for file in sys.argv[1:] for row in json.load(open(file))]
    fastest = max(row["ns_per_day"] for row in rows)
    out, y = [], 28
    for (system, atoms, threads), group in groupby(rows, key=lambda row: (row["system"], row["atoms"], row["threads"])):
        group = list(group)
        out.append(text(LEFT - 8, y + BAR * len(group) / 2 + 4, f"{system}, {threads} thread{'s' * (threads > 1)}", "end"))
        for row in group:
            width = WIDTH * row["ns_per_day"] / fastest
            out.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{COLOURS[row["engine"]]}"/>')
            out.append(text(LEFT + width + 5, y + BAR - 5, f"{row['engine']} {row['ns_per_day']:.3g}", size=10))
            y += BAR
        y += GAP
    head = text(LEFT, 16, "ns/day with 2 fs (more is faster)")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 110} {y}" font-family="sans-serif">'
          f'<rect width="100%" height="100%" fill="white"/>{head}{"".join(out)}</svg>')


main()

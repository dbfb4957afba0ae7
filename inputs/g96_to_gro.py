#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn a GROMOS-96 frame (9 decimals), as trjconv writes it, into a .gro with 8 decimals (velocities: 9).

    g96_to_gro.py FRAME.g96 NAMES.gro OUT.gro TITLE

trjconv writes only 3 decimals to a .gro; that bends bonds by up to 0.001 nm. A reader finds the number of decimals from
the distance between the decimal points, as the .gro format has it. Names are taken from NAMES.gro, same atoms.
"""
import sys


def numbers(lines):
    """The last three columns of 15 characters: POSITION has names before them, POSITIONRED has not."""
    return [[float(line[-45:][15 * k:15 * k + 15]) for k in range(3)] for line in lines if not line.startswith("#")]


source, names, target, title = sys.argv[1:]
blocks, name = {}, None
for line in open(source):
    line = line.rstrip("\n")
    if name is None:
        name = line.strip()
        blocks[name] = []
    elif line.strip() == "END":
        name = None
    else:
        blocks[name].append(line)

positions = numbers(blocks.get("POSITIONRED") or blocks["POSITION"])
velocities = numbers(blocks.get("VELOCITYRED") or blocks.get("VELOCITY") or [])
labels = [line[:20] for line in open(names)][2:-1]
if len(labels) != len(positions):
    raise SystemExit(f"{names} has {len(labels)} atoms, {source} has {len(positions)}")
box = [float(x) for x in " ".join(blocks["BOX"]).split()]
with open(target, "w") as out:
    out.write(f"{title}\n{len(positions):5d}\n")
    for index, label in enumerate(labels):
        out.write(label + "".join(f"{x:13.8f}" for x in positions[index]))
        if velocities:
            out.write("".join(f"{v:13.9f}" for v in velocities[index]))
        out.write("\n")
    out.write("".join(f"{x:13.8f}" for x in (box if any(box[3:]) else box[:3])) + "\n")

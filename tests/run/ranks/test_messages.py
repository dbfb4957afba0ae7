# SPDX-License-Identifier: Apache-2.0
"""All that ranks send in a step, against what the grid of regions allows (docs/scaling.md, "Messages and bytes of a step").

    test_messages.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, require  # noqa: E402

os.environ["OMP_WAIT_POLICY"] = "passive"
os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"

EDGE = 3.0  # of the box of inputs/water.inp [nm]
REACH = 0.9 + 0.46 + 0.1  # the list's radius and that of a molecule [nm]
MOST = 1.3  # times the least bytes


def bench(program, folder, deck, grid, steps=20):
    ranks = math.prod(grid)
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    command = [shutil.which("mpirun"), *root, "--oversubscribe", "--bind-to", "none", "-n", ranks, program.path, "bench", "-i",
               deck, "--steps", steps, "--threads", 1, "--set", f"debug.ranks_grid={list(grid)}",
               "--set", "hardware.mesh_ranks=0", "--json"]
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    require(done.returncode == FINISHED, f"exit {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)["traffic"]


def model(program, folder, deck, grid):
    result = program.run(folder, "plan", "-i", deck, "--cores-per-node", math.prod(grid), "--json", "--set",
                         f"debug.ranks_grid={list(grid)}", "--set", "hardware.mesh_ranks=0", threads=1, expect=FINISHED)
    return json.loads(result.out)["plans"][0]["traffic"]


def pulses_of(grid, edge):
    """Regions above one that its halo touches, and that atoms of it hang into; along an axis with two there is one."""
    return sum(min(n - 1, math.ceil((REACH + 0.1) * n / edge)) for n in grid)


def most_transposes(grid):
    """Of lines in parts along y and z, which the ranks of a row along x cut further, and along that row."""
    x, y, z = grid
    cuts = [(a * y, x // a * z) for a in range(1, x + 1)]
    return max(2 * (first - 1) + 2 * (second - 1) for first, second in cuts) + 2 * (x - 1)


def check(program, folder, deck, grid, pulses):
    found, least = bench(program, folder, deck, grid), model(program, folder, deck, grid)
    name = " x ".join(map(str, grid))
    if pulses is None:
        pulses = least["halo_positions"]["messages"]
    largest = {kind: found[kind]["messages_largest"] for kind in found if isinstance(found[kind], dict)}
    # Each way: positions and charges out, forces and potentials back.
    for kind in ("halo_positions", "halo_forces"):
        require(largest[kind] <= pulses, f"{name}: {largest[kind]} messages of {kind}, {pulses} pulses")
    require(largest["mesh_halo"] <= 2 * pulses, f"{name}: {largest['mesh_halo']} messages of the mesh both ways, {pulses} pulses")
    require(largest["mesh_transpose"] <= most_transposes(grid), f"{name}: {largest['mesh_transpose']} messages of transposes, "
            f"{most_transposes(grid)} expected")
    require(largest["mesh_transpose"] > 0, f"{name}: no transposes")
    for kind in ("halo_positions", "halo_forces", "mesh_halo", "mesh_transpose"):
        require(found[kind]["bytes"] <= MOST * least[kind]["bytes"],
                f"{name}: {found[kind]['bytes']} bytes of {kind}, at least {least[kind]['bytes']} are needed")
        require(found[kind]["bytes"] >= 0.6 * least[kind]["bytes"], f"{name}: only {found[kind]['bytes']} bytes of {kind}")


def test_box_of_water(program, folder, source):
    deck = source / "inputs" / "water.inp"
    for grid in ((1, 1, 2), (1, 2, 2), (2, 2, 2), (1, 3, 3), (3, 2, 1)):
        check(program, folder, deck, grid, pulses_of(grid, EDGE))


def test_two_regions_along_each_axis_take_two_messages_of_charges(program, folder, source):
    """Along z and along y; along x the columns are dealt out to their ranks."""
    found = bench(program, folder, source / "inputs" / "water.inp", (2, 2, 2))
    require(found["mesh_halo"]["messages_largest"] == 4, f"there and back: {found['mesh_halo']}")
    require(found["mesh_transpose"]["messages_largest"] == 10, f"2 x 4 tiles, and a row of 2: {found['mesh_transpose']}")


def test_protein_in_a_dodecahedron(program, folder, source):
    deck = source / "inputs" / "protein.inp"
    for grid in ((2, 2, 2), (1, 4, 2)):
        check(program, folder, deck, grid, None)


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(harness.SKIPPED)
    harness.main([test_box_of_water, test_two_regions_along_each_axis_take_two_messages_of_charges,
                  test_protein_in_a_dodecahedron])

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
HALO = ("halo_positions", "halo_forces")
MOVES = 0.14  # of an atom until regions are assigned anew: half of what the list has beyond what it needs [nm]
WATER_HEIGHTS = (EDGE, EDGE, EDGE)
PROTEIN_HEIGHTS = (5.333, 5.333, 4.618)  # of the rhombic dodecahedron of inputs/protein.inp, edge 6.531 nm: sqrt(2/3) and sqrt(1/2) of it
MESH = {"water": (32, 32, 32), "protein": (60, 60, 50)}
ORDER = 4  # of the mesh, in mixed precision: a node is 4 bytes, a wave 8


def bench(program, folder, deck, grid, keys=(), steps=20):
    ranks = math.prod(grid)
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    command = [shutil.which("mpirun"), *root, "--oversubscribe", "--bind-to", "none", "-n", ranks, program.path, "bench", "-i",
               deck, "--steps", steps, "--threads", 1, "--set", f"debug.ranks_grid={list(grid)}",
               "--set", "hardware.mesh_ranks=0", "--json", *keys]
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    require(done.returncode == FINISHED, f"exit {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)["traffic"]


def model(program, folder, deck, grid):
    result = program.run(folder, "plan", "-i", deck, "--cores-per-node", math.prod(grid), "--json", "--set",
                         f"debug.ranks_grid={list(grid)}", "--set", "hardware.mesh_ranks=0", threads=1, expect=FINISHED)
    return json.loads(result.out)["plans"][0]["traffic"]


def pulses_of(grid, heights):
    """Regions above one that its halo touches, and that atoms of it hang into; along an axis with two there is one."""
    return sum(min(n - 1, math.ceil((REACH + 0.1) * n / height)) for n, height in zip(grid, heights))


def most_transposes(grid):
    """Of lines in parts along y and z, which the ranks of a row along x cut further, and along that row."""
    x, y, z = grid
    cuts = [(a * y, x // a * z) for a in range(1, x + 1)]
    return max(2 * (first - 1) + 2 * (second - 1) for first, second in cuts) + 2 * (x - 1)


def beyond(nodes, regions, height):
    """The width of a region in nodes, and that of the box of nodes which its atoms reach (docs/theory/mesh_over_ranks.md)."""
    if regions == 1:
        return nodes, nodes
    own, spacing = nodes / regions, height / nodes
    hang, moves = 0.1 / spacing, math.ceil(1.1 * MOVES / spacing)
    return own, min(nodes, own + ORDER - 1 + 2 * (math.ceil(hang) + moves))


def mesh_bytes(grid, mesh, heights):
    """Of charges and potentials beyond regions, and of all that is dealt out anew, sent by a rank on average: the formulas of
    docs/theory/mesh_over_ranks.md, by hand."""
    (_, all_x), (own_y, all_y), (own_z, all_z) = map(beyond, mesh, grid, heights)
    halo = 2 * 4 * all_x * (all_y * all_z - own_y * own_z)
    x, y, z = grid
    waves = 4 * 4 * (mesh[0] // 2 + 1) * mesh[1] * mesh[2] / math.prod(grid)
    # A column has the nodes of its slabs along y and z and those along x that atoms reach; a share of it stays.
    dealt = 2 * 4 * all_x * own_y * own_z * (1 - 1 / x)
    cuts = [(a * y, x // a * z) for a in range(1, x + 1)]
    return halo, dealt + max(waves * ((1 - 1 / first) + (1 - 1 / second)) for first, second in cuts)


def check(program, folder, deck, grid, pulses, heights):
    mesh = MESH[deck.stem]
    found = bench(program, folder, deck, grid, ("--set", f"forces.mesh={list(mesh)}", "--set", f"forces.mesh_order={ORDER}"))
    least = {kind: count["bytes"] for kind, count in model(program, folder, deck, grid).items() if kind in HALO}
    least["mesh_halo"], least["mesh_transpose"] = mesh_bytes(grid, mesh, heights)
    name = " x ".join(map(str, grid))
    largest = {kind: found[kind]["messages_largest"] for kind in found if isinstance(found[kind], dict)}
    # Each way: positions and charges out, forces and potentials back.
    for kind in HALO:
        require(largest[kind] <= pulses, f"{name}: {largest[kind]} messages of {kind}, {pulses} pulses")
    require(largest["mesh_halo"] <= 2 * pulses, f"{name}: {largest['mesh_halo']} messages of the mesh both ways, {pulses} pulses")
    require(largest["mesh_transpose"] <= most_transposes(grid), f"{name}: {largest['mesh_transpose']} messages of transposes, "
            f"{most_transposes(grid)} expected")
    require(largest["mesh_transpose"] > 0, f"{name}: no transposes")
    for kind, bytes_ in least.items():
        sent = found[kind]["bytes"]
        require(0.6 * bytes_ <= sent <= MOST * bytes_, f"{name}: {sent} bytes of {kind}, {bytes_:.0f} are needed")


def test_box_of_water(program, folder, source):
    deck = source / "inputs" / "water.inp"
    for grid in ((1, 1, 2), (1, 2, 2), (2, 2, 2), (1, 3, 3), (3, 2, 1)):
        check(program, folder, deck, grid, pulses_of(grid, WATER_HEIGHTS), WATER_HEIGHTS)


def test_two_regions_along_each_axis_take_two_messages_of_charges(program, folder, source):
    """Along z and along y; along x the columns are dealt out to their ranks."""
    found = bench(program, folder, source / "inputs" / "water.inp", (2, 2, 2))
    require(found["mesh_halo"]["messages_largest"] == 4, f"there and back: {found['mesh_halo']}")
    require(found["mesh_transpose"]["messages_largest"] == 10, f"2 x 4 tiles, and a row of 2: {found['mesh_transpose']}")


def test_protein_in_a_dodecahedron(program, folder, source):
    deck = source / "inputs" / "protein.inp"
    for grid in ((2, 2, 2), (1, 4, 2)):
        check(program, folder, deck, grid, pulses_of(grid, PROTEIN_HEIGHTS), PROTEIN_HEIGHTS)


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(harness.SKIPPED)
    harness.main([test_box_of_water, test_two_regions_along_each_axis_take_two_messages_of_charges,
                  test_protein_in_a_dodecahedron])

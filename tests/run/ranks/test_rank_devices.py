# SPDX-License-Identifier: Apache-2.0
"""The same positions, velocities, energies and frames for any number of ranks with a device each, played by the host,
whichever way their messages go.

    test_rank_devices.py PROGRAM SOURCE_DIR
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, SKIPPED, STOPPED, Failure, Program, require  # noqa: E402
from test_rank_bits import (LAUNCH, Runs, droplet, frames_of, langevin, prolates, slab, system_of, ubiquitin, water,  # noqa: E402
                            water_box, write_waters)


def field(folder, source):
    """The water box with a reaction field: no mesh."""
    write_waters(folder, source, *water_box(source))
    return system_of('[forces]\nelectrostatics = "reaction-field"\n', pressure='pressure = "1 bar"')


DIRECT, STAGED = ({"hardware.gpu_messages": f'"{way}"'} for way in ("direct", "staged"))
MOVED = {"debug.balance": '"forced"'}


def tiles(devices):
    """How many devices share the mesh, where so small a one would have one."""
    return {"debug.mesh_devices": devices}


WAYS = (
    (field, 40, [(2, 1, DIRECT), (3, 1, {**STAGED, **MOVED}), (8, 1, {"debug.ranks_grid": "[2, 2, 2]", **STAGED})]),
    (water, 40, [(2, 2, STAGED), (2, 1, {"hardware.mesh_ranks": 1, "debug.list_every": 1000, **STAGED}), (4, 1, {**DIRECT, **MOVED, **tiles(4)}),
                 (4, 1, {"hardware.mesh_ranks": 2, **STAGED, **tiles(2)}), (6, 1, {"debug.ranks_grid": "[6, 1, 1]", **DIRECT, **tiles(5)})]),
    (langevin, 40, [(4, 1, {**STAGED, **MOVED, **tiles(3)})]),
    (prolates, 20, [(4, 1, {**DIRECT, **tiles(4)})]),
    (droplet, 40, [(4, 1, STAGED)]),
    (slab, 40, [(4, 1, {"debug.ranks_grid": "[1, 1, 4]", **MOVED, **tiles(1)})]),
    (ubiquitin, 20, [(3, 1, {**DIRECT, **tiles(3)})]),
)


def lost_and_continued(program, folder, source):
    """A device that is lost ends all ranks with one message; other ranks go on with the same bits."""
    states = []
    for name, lost in (("whole", None), ("lost", 900)):
        run_in = folder / name
        run_in.mkdir()
        (run_in / "run.inp").write_text(water(run_in, source)(40))
        keys = {"hardware.gpu": '"host"', "output.checkpoint.every": '"10 steps"'}
        if lost:
            done = launch(program, run_in, 3, {**keys, "debug.device_lost_after": lost})
            require(done.returncode == STOPPED and done.stderr.count("error: [MD704]") == 1,
                    f"exit {done.returncode}\n{done.stderr}")
            at = int(harness.state_of(run_in)[0])
            require(0 < at < 40, f"the device was lost at step {at}")
        done = launch(program, run_in, 2 if lost else 1, keys)
        require(done.returncode == FINISHED, f"exit {done.returncode}\n{done.stderr}")
        states.append((harness.state_of(run_in), frames_of(run_in)))
    require(states[0] == states[1], f"{states[0][0]} and {states[1][0]}")


def launch(program, folder, ranks, keys):
    command = [*LAUNCH, str(ranks), program.path, "-i", "run.inp", "--quiet", "--threads", "1"]
    for key, value in keys.items():
        command += ["--set", f"{key}={value}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive"})


def main(arguments):
    program, source = Program(arguments[0]), Path(arguments[1])
    if shutil.which("mpirun") is None:
        print("skipped: no mpirun")
        return SKIPPED
    chosen = arguments[2:]
    with tempfile.TemporaryDirectory() as folder:
        try:
            if not chosen:
                lost_and_continued(program, Path(folder), source)
            for make, steps, ways in WAYS:
                if chosen and make.__name__ not in chosen:
                    continue
                runs = Runs(program, Path(folder), source, make, steps, {"hardware.gpu": '"host"'})
                for ranks, threads, keys in ways:
                    runs.run(ranks, threads, {"hardware.mesh_ranks": 0, **keys})
                print(f"{make.__name__}: the same on {len(ways)} other ways", flush=True)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

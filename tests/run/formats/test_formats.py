# SPDX-License-Identifier: Apache-2.0
"""Trajectories against MDAnalysis and MDTraj: what mdsim writes they read, and the other way round; mdsim convert."""

import gc
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from formats import readers  # noqa: E402
from harness import (  # noqa: E402
    FINISHED, HEAD, INPUT, RELAX, dynamics, end, main, require, solution, state_of, wait_for,
)

readers.choose()
warnings.filterwarnings("ignore")
import h5py  # noqa: E402
import MDAnalysis  # noqa: E402
import mdtraj  # noqa: E402
import numpy as np  # noqa: E402

OUTPUT = """\
[output]
energies = { every = "4 steps" }
[[output.trajectory]]
every = "10 steps"
format = ["h5md", "xtc", "trr", "dcd", "netcdf", "gro"]
velocities = true
forces = true
"""
HOT = RELAX + dynamics("hot", 40, 'temperature = "300 K"')
NAMES = {"h5md": "run.h5", "xtc": "run.xtc", "trr": "run.trr", "dcd": "run.dcd", "netcdf": "run.nc", "gro": "run.gro"}
# nm; XTC and GRO round.
PLACES = {"h5md": 1e-6, "xtc": 5.1e-4, "trr": 1e-6, "dcd": 1e-6, "netcdf": 1e-6, "gro": 5.1e-4, "pdb": 5.1e-5, "cif": 6e-6}


def a_run(program, folder):
    """A short run of methanol in water in all formats."""
    solution(folder, edge=6)
    (folder / "run.inp").write_text(HEAD + OUTPUT + HOT)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    with h5py.File(folder / "run.h5") as file:
        group = file["particles/trajectory"]
        return {
            "x": group["position/value"][()].astype(float),
            "v": group["velocity/value"][()].astype(float),
            "f": group["force/value"][()].astype(float),
            "time": group["position/time"][()],
            "box": group["box/edges/value"][()].astype(float),
        }


def by_mdanalysis(trajectory, topology, **options):
    universe = MDAnalysis.Universe(str(topology), str(trajectory), **options)
    x, v, f, times, boxes = [], [], [], [], []
    for ts in universe.trajectory:
        x.append(ts.positions.astype(float) / 10)
        v.append(ts.velocities.astype(float) / 10 if ts.has_velocities else None)
        f.append(ts.forces.astype(float) * 10 if ts.has_forces else None)
        times.append(ts.time)
        boxes.append(None if ts.dimensions is None else ts.triclinic_dimensions / 10)
    return {"x": np.array(x), "v": v, "f": f, "time": np.array(times), "box": boxes}


def require_near(one, other, tolerance, what):
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    require(one.shape == other.shape, f"{what}: extents {one.shape} and {other.shape}")
    worst = float(np.max(np.abs(one - other))) if one.size else 0.0
    require(worst <= tolerance, f"{what}: {worst} apart, {tolerance} allowed")


def readers_agree_with_a_run(program, folder, source):
    run = a_run(program, folder)
    require(len(run["time"]) == 5, "five frames are due")
    for name in ("h5md", "xtc", "trr", "dcd", "netcdf"):
        # The link of that ending stands beside NAME.h5, for MDAnalysis.
        read = by_mdanalysis(folder / ("run.h5md" if name == "h5md" else NAMES[name]), folder / "run.pdb")
        require_near(read["x"], run["x"], PLACES[name], f"{name} by MDAnalysis")
        require_near(read["time"], run["time"], 2e-5, f"times of {name} by MDAnalysis")
        require_near(read["box"], run["box"], 2e-5, f"boxes of {name} by MDAnalysis")
        if name in ("h5md", "trr", "netcdf"):
            require_near(read["v"], run["v"], 1e-5, f"velocities of {name} by MDAnalysis")
            require_near(read["f"], run["f"], 1e-2, f"forces of {name} by MDAnalysis")
    # PSF as the topology, too; MDAnalysis reads the first frame of a .gro, MDTraj all.
    require_near(by_mdanalysis(folder / "run.h5md", folder / "run.psf")["x"], run["x"], 1e-6, "H5MD beside a PSF")
    require_near(by_mdanalysis(folder / "run.xtc", folder / "run.psf")["x"], run["x"], PLACES["xtc"], "XTC beside a PSF")
    for name in ("xtc", "trr", "dcd", "netcdf", "gro"):
        read = mdtraj.load(str(folder / NAMES[name]), top=str(folder / "run.pdb"))
        require_near(read.xyz, run["x"], PLACES[name] + 1e-6, f"{name} by MDTraj")
        require_near(read.unitcell_vectors, run["box"], 2e-5, f"boxes of {name} by MDTraj")
        if name in ("xtc", "trr", "netcdf"):
            require_near(read.time, run["time"], 2e-5, f"times of {name} by MDTraj")


def h5md_holds_what_it_should(program, folder, source):
    run = a_run(program, folder)
    lines = (folder / "run.energies.csv").read_text().splitlines()
    table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
    heads = [head.split(" ")[0] for head in lines[0].split(",")]
    with h5py.File(folder / "run.h5") as file:
        energies = file["mdsim/energies"]
        names = [name.decode() for name in energies["names"][()]]
        require(names == heads[2:], "the columns of energies are those of the table")
        require(np.array_equal(energies["value"][()], table[:, 2:]), "energies at their own rate are those of the table")
        require(np.array_equal(energies["step"][()], table[:, 1]), "steps of energies")
        for name in ("potential", "temperature", "pressure"):
            observable = file["observables"][name]
            require(len(observable["value"]) == len(run["time"]), f"one {name} a frame")
            require(np.array_equal(observable["step"][()], file["particles/trajectory/position/step"][()]), "same steps")
        both = set(energies["step"][()]) & set(file["observables/potential/step"][()])
        require(len(both) > 1, "frames and energies fall on the same step now and then")
        at = {s: v for s, v in zip(energies["step"][()], energies["value"][:, 0])}
        for step, value in zip(file["observables/potential/step"][()], file["observables/potential/value"][()]):
            require(step not in at or at[step] == value, f"potential of step {step}")
        text = file["mdsim/provenance/input"][()].decode()
        require(text == (folder / "run.inp").read_text(), "the input is stored as it was")
        require("force_field_hash" in file["mdsim/provenance"] and "build" in file["mdsim/provenance"], "provenance")
        # Positions that were never wrapped move less than any box vector from frame to frame.
        image = file["particles/trajectory/image/value"][()]
        free = run["x"] + np.einsum("tni,tij->tnj", image.astype(float), run["box"])
        require(np.max(np.abs(np.diff(free, axis=0))) < 0.5, "images undo the wrapping")
        bonds = file["connectivity/bonds"]
        require(file[bonds.attrs["particles_group"]].name == "/particles/trajectory", "bonds say whose they are")
        lengths = np.linalg.norm(np.diff(run["x"][:, bonds[()]], axis=2), axis=3)
        require(lengths.max() < 0.2, "molecules are whole along their bonds")
        packed = file["particles/trajectory/position/value"]
        require(packed.compression == "gzip" and packed.shuffle, "positions are packed")


def precision_of_h5md_is_kept(program, folder, source):
    solution(folder, edge=6)
    coarse = '[[output.trajectory]]\nevery = "10 steps"\nformat = "h5md"\nprecision = "0.001 nm"\n'
    exact = '[[output.trajectory]]\nevery = "10 steps"\nformat = "h5md"\n'
    (folder / "run.inp").write_text(HEAD + "[output]\n" + coarse + exact + HOT)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    with h5py.File(folder / "run.h5") as rounded, h5py.File(folder / "run.2.h5") as whole:
        a, b = (file["particles/trajectory/position/value"] for file in (rounded, whole))
        stated = a.attrs["largest_error"]
        require(0 < stated <= 0.0005, f"stated error {stated} nm")
        worst = np.max(np.abs(a[()].astype(float) - b[()].astype(float)))
        require(0 < worst <= stated * 1.001, f"largest error {worst} nm, {stated} stated")
        require(a.id.get_storage_size() < 0.8 * b.id.get_storage_size(), "rounded positions take less room")


def what_others_write_is_read(program, folder, source):
    run = a_run(program, folder)
    universe = MDAnalysis.Universe(str(folder / "run.pdb"), str(folder / "run.trr"))
    made = {}
    for name in ("xtc", "trr", "dcd", "ncdf", "pdb", "gro"):
        made[f"mda.{name}"] = folder / f"mda.{name}"
        options = {"multiframe": True} if name == "pdb" else {}
        with MDAnalysis.Writer(str(made[f"mda.{name}"]), universe.atoms.n_atoms, **options) as writer:
            for _ in universe.trajectory[:1] if name == "gro" else universe.trajectory:
                writer.write(universe.atoms)
    frames = mdtraj.load(str(folder / "run.trr"), top=str(folder / "run.pdb"))
    for name in ("xtc", "trr", "dcd", "nc", "pdb", "gro"):
        made[f"mdt.{name}"] = folder / f"mdt.{name}"
        frames.save(str(made[f"mdt.{name}"]))
    for name, path in made.items():
        target = folder / f"{name}.h5"
        program.run(folder, "convert", path.name, target.name, "--topology", "run.psf", expect=FINISHED)
        places = PLACES[{"ncdf": "netcdf", "nc": "netcdf"}.get(path.suffix[1:], path.suffix[1:])]
        with h5py.File(target) as file:
            group = file["particles/trajectory"]
            count = 1 if name == "mda.gro" else len(run["time"])
            require_near(group["position/value"][()], run["x"][:count], places + 5.1e-4, f"positions of {name}")
            require_near(group["box/edges/value"][()], run["box"][:count], 2e-3, f"boxes of {name}")
            if path.suffix not in (".pdb", ".gro", ".dcd"):
                require_near(group["position/time"][()], run["time"][:count], 2e-5, f"times of {name}")


def every_format_becomes_every_other(program, folder, source):
    run = a_run(program, folder)
    endings = {"h5md": "h5", "xtc": "xtc", "trr": "trr", "dcd": "dcd", "netcdf": "nc", "gro": "gro", "pdb": "pdb", "cif": "cif"}
    for one, ending in endings.items():
        first = f"a.{ending}"
        program.run(folder, "convert", "run.h5", first, "--from", "1", "--to", "3", "--every", "2", expect=FINISHED)
        for other, last in endings.items():
            second = f"b-{one}.{last}"
            names = ["--topology", "run.pdb"] if one in ("xtc", "trr", "dcd", "netcdf") else []
            program.run(folder, "convert", first, second, *names, expect=FINISHED)
            back = f"c-{one}-{other}.trr"
            program.run(folder, "convert", second, back, expect=FINISHED)
            read = mdtraj.load(str(folder / back), top=str(folder / "run.pdb"))
            require_near(read.xyz, run["x"][[1, 3]], PLACES[one] + PLACES[other] + 1e-6, f"{one} by way of {other}")
    program.run(folder, "convert", "run.psf", "again.psf", expect=FINISHED)
    a, b = (MDAnalysis.Universe(str(folder / name)) for name in ("run.psf", "again.psf"))
    require(np.array_equal(a.atoms.names, b.atoms.names) and np.array_equal(a.bonds.indices, b.bonds.indices), "PSF again")
    require_near(a.atoms.charges, b.atoms.charges, 1e-6, "charges of the PSF")


def frames_are_shaped(program, folder, source):
    run = a_run(program, folder)
    box = run["box"][0]
    program.run(folder, "convert", "run.h5", "wrapped.trr", expect=FINISHED)
    universe = MDAnalysis.Universe(str(folder / "run.psf"), str(folder / "wrapped.trr"))
    with MDAnalysis.Writer(str(folder / "broken.trr"), universe.atoms.n_atoms) as writer:
        for _ in universe.trajectory:
            universe.atoms.wrap(compound="atoms")
            writer.write(universe.atoms)
    program.run(folder, "convert", "broken.trr", "whole.trr", "--topology", "run.psf", "--whole",
                "--centre", "resname MOH and index 1-6", expect=FINISHED)
    whole = mdtraj.load(str(folder / "whole.trr"), top=str(folder / "run.pdb"))
    bonds = universe.bonds.indices
    require(np.linalg.norm(np.diff(whole.xyz[:, bonds], axis=2), axis=3).max() < 0.2, "molecules are whole")
    require_near(whole.xyz[:, :6].mean(axis=1), np.tile(box.diagonal() / 2, (5, 1)), 1e-4, "the selection is in the middle")
    program.run(folder, "convert", "run.h5", "part.pdb", "--select", "resname MOH", "--to", "0.04 ps", expect=FINISHED)
    part = mdtraj.load(str(folder / "part.pdb"))
    require(part.n_atoms == 48 and part.n_frames == 3, f"{part.n_atoms} atoms in {part.n_frames} frames")
    program.run(folder, "convert", "run.h5", "fitted.trr", "--fit", "index 1-6", expect=FINISHED)
    fitted = mdtraj.load(str(folder / "fitted.trr"), top=str(folder / "run.pdb"))
    plain = mdtraj.load(str(folder / "run.trr"), top=str(folder / "run.pdb"))
    expected = plain.superpose(plain, 0, atom_indices=np.arange(6))
    require_near(fitted.xyz, expected.xyz, 2e-4, "superposed as by MDTraj")


def mistakes_are_explained(program, folder, source):
    a_run(program, folder)
    cases = [
        (["run.xtc", "out.pdb"], "MD116", "--topology"),
        (["run.xtc", "out.doc"], "MD309", ".dcd"),
        (["none.xtc", "out.trr"], "MD309", "none.xtc"),
        (["run.xtc", "run.xtc"], "MD116", "same file"),
        (["run.h5", "out.trr", "--select", "resnme MOH"], "MD404", "resn"),
        (["run.h5", "out.trr", "--from", "5 nm"], "MD116", "--from"),
        (["run.xtc", "out.trr", "--whole"], "MD116", "--topology"),
        (["run.psf", "out.trr"], "MD309", "--topology"),
    ]
    before = sorted(path.name for path in folder.iterdir())
    for words, code, gist in cases:
        result = program.run(folder, "convert", *words, expect=INPUT)
        require(code in result.err and gist in result.err, f"{code} and {gist} are wanted\n{result}")
    data = (folder / "run.xtc").read_bytes()
    (folder / "cut.xtc").write_bytes(data[:-20])
    result = program.run(folder, "convert", "cut.xtc", "out.trr", expect=INPUT)
    require("4 whole frames come before" in result.err and "--to 3" in result.err, str(result))
    after = sorted(path.name for path in folder.iterdir() if path.name != "cut.xtc")
    require(before == after, f"nothing is left of what failed: {sorted(set(after) - set(before))}")
    program.run(folder, "convert", "cut.xtc", "out.trr", "--to", "3", expect=FINISHED)
    program.run(folder, "convert", "run.xtc", "out.trr", expect=FINISHED)
    require((folder / "out.old-1.trr").exists(), "what was there is kept")


def many_atoms_in_text(program, folder, source):
    """More atoms than five columns and more residues than four can number."""
    waters = 40001
    lines = []
    for n in range(waters):
        place = (0.3 * (n % 35), 0.3 * (n // 35 % 35), 0.3 * (n // 1225))
        for atom, shift in (("OW", 0.0), ("HW1", 0.1), ("HW2", -0.05)):
            number = (len(lines) + 1) % 100000
            lines.append(f"{(n + 1) % 100000:5d}{'SOL':<5}{atom:>5}{number:5d}{place[0]:8.3f}{place[1]:8.3f}{place[2] + shift:8.3f}\n")
    (folder / "big.gro").write_text(f"water\n{len(lines)}\n{''.join(lines)}  11.0  11.0  11.0\n")
    for name in ("big.pdb", "big.cif", "again.gro", "big.h5"):
        program.run(folder, "convert", "big.gro", name, expect=FINISHED)
    for name in ("big.pdb", "again.gro"):
        universe = MDAnalysis.Universe(str(folder / name))
        require(universe.atoms.n_atoms == 3 * waters, f"{name}: {universe.atoms.n_atoms} atoms by MDAnalysis")
        require(universe.residues.n_residues == waters, f"{name}: {universe.residues.n_residues} residues by MDAnalysis")
        traj = mdtraj.load(str(folder / name))
        require(traj.n_residues == waters, f"{name}: {traj.n_residues} residues by MDTraj")
    for name in ("big.pdb", "big.cif", "big.h5"):
        program.run(folder, "convert", name, "back.gro", expect=FINISHED)
        one = (folder / "big.gro").read_text().splitlines()[2:-1]
        other = (folder / "back.gro").read_text().splitlines()[2:-1]
        wrong = [n for n, (a, b) in enumerate(zip(one, other)) if a[5:] != b[5:] or (name != "big.pdb" and a != b)]
        require(len(one) == len(other) and not wrong, f"{name}: {len(wrong)} lines differ, first {wrong[:1]}")
        (folder / "back.gro").unlink()


def memory_is_constant(program, folder, source):
    """A million atoms in ten frames. What it takes on this machine is printed; only memory is checked here."""
    atoms, frames = 1_000_000, 10
    numbers = np.random.default_rng(3)
    x = (numbers.random((atoms, 3)) * 20).astype(np.float32)
    with mdtraj.formats.DCDTrajectoryFile(str(folder / "big.dcd"), "w") as file:
        for _ in range(frames):
            file.write(10 * x[None], cell_lengths=[[200.0] * 3], cell_angles=[[90.0] * 3])
            x += np.float32(0.01)
    megabytes = 12e-6 * atoms * frames
    for name in ("big.trr", "big.xtc", "big.nc"):
        began = time.monotonic()
        process = subprocess.Popen([program.path, "convert", "big.dcd", name], cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        seconds = time.monotonic() - began
        require(status == 0, f"convert big.dcd {name}: status {status}")
        busy = usage.ru_utime + usage.ru_stime
        print(f"  {name}: {megabytes / seconds:.0f} MB/s, {megabytes / busy:.0f} MB for a second of a processor, "
              f"{usage.ru_maxrss / 1024:.0f} MB of memory")
        require(usage.ru_maxrss < 600 * 1024, f"{name}: {usage.ru_maxrss / 1024:.0f} MB of memory")
        info = subprocess.run([program.path, "info", name], cwd=folder, capture_output=True, text=True, check=True)
        require("frames                       10" in info.stdout, info.stdout)
        (folder / name).unlink()


HOLD = "import h5py, sys, time; file = h5py.File(sys.argv[1], 'r'); time.sleep(120)"


def a_run_is_read_while_it_goes_on(program, folder, source):
    solution(folder, edge=6)
    steps = 20000
    output = '[output]\ntrajectory = { every = "10 steps" }\ncheckpoint = { every = "500 steps" }\n'
    (folder / "run.inp").write_text(HEAD + output + RELAX + dynamics("long", steps, 'temperature = "300 K"'))
    process = program.start(folder, "-i", "run.inp")
    wait_for(lambda: (folder / "run.h5").exists(), 120, "the first checkpoint")
    frames, opened = [], 0
    held = None
    while process.poll() is None and (opened < 8 or len(set(frames)) < 3) and opened < 200:
        try:
            universe = MDAnalysis.Universe(str(folder / "run.pdb"), str(folder / "run.h5md"))
            frames.append(universe.trajectory.n_frames)
            require(np.isfinite(universe.trajectory[-1].positions).all(), "the last frame is whole")
            universe.trajectory.close()
            opened += 1
            if held is None:  # another process has it open for the rest of the run
                held = subprocess.Popen([sys.executable, "-c", HOLD, str(folder / "run.h5")])
        except OSError:  # in the moment in which a checkpoint is written
            gc.collect()  # what MDAnalysis has left open: HDF5 would give the next one what it has cached of that
        time.sleep(0.05)
    end(process, kind=15)
    if held is not None:
        held.kill()
        held.wait()
    require(opened >= 3, f"opened {opened} times while the run went on")
    require(frames == sorted(frames), f"frames only grow: {frames}")
    require(frames[-1] > frames[0] or opened < 8, f"frames come: {frames}")
    require(process.returncode in (0, 75), f"a reader stopped the run: exit code {process.returncode}")
    require(state_of(folder)[0] != "0", "the run has made steps")


if __name__ == "__main__":
    main([
        readers_agree_with_a_run,
        h5md_holds_what_it_should,
        precision_of_h5md_is_kept,
        what_others_write_is_read,
        every_format_becomes_every_other,
        frames_are_shaped,
        mistakes_are_explained,
        many_atoms_in_text,
        memory_is_constant,
        a_run_is_read_while_it_goes_on,
    ])

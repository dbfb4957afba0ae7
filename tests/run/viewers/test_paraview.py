# SPDX-License-Identifier: Apache-2.0
"""What a run and `mdsim convert` write for ParaView opens in the real one, with the same numbers by each way, while the
run goes on and after it was killed and continued; a picture of it has the right colours."""
import json
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import real_paraview
from harness import (FINISHED, HEAD, IO, RELAX, SKIPPED, STOPPED, dynamics, end, files_in, fresh_folder, main,
                     require, require_same_bytes, solution, wait_for)

HERE = Path(__file__).resolve().parent
XDMF_READERS = ("XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT")
OUTPUT = """\
[output]
trajectory = [
    { every = "5 steps", format = ["h5md", "vtk"], velocities = true, forces = true },
    { every = "10 steps", format = ["h5md", "vtk"], whole = false },
]
checkpoint = { every = "7 steps" }
"""
STEPS = 40
SLOW_STEPS = 100000


def prepared(folder, steps=STEPS):
    solution(folder, edge=6, methanols=8)
    (Path(folder) / "run.inp").write_text(HEAD + OUTPUT + RELAX + dynamics("produce", steps, 'temperature = "300 K"'))


def opened(path, *reader, folder="/"):
    """What ParaView finds in a file, step by step."""
    out = real_paraview.pvbatch(HERE / "check_run.py", Path(path).resolve(), *reader, folder=folder)
    found = [line for line in out.splitlines() if line.startswith("FOUND ")]
    require(found, f"ParaView found nothing in {path}:\n{out[-2000:]}")
    return json.loads(found[-1].removeprefix("FOUND "))["steps"]


def atoms_of(step):
    blocks = step["blocks"]
    return blocks["atoms"] if "atoms" in blocks else next(iter(blocks.values()))


def near(a, b, tolerance, what):
    flat = lambda values: [x for row in values for x in (row if isinstance(row, list) else [row])]
    one, other = flat(a), flat(b)
    require(len(one) == len(other), f"{what}: {len(one)} and {len(other)} numbers")
    worst = max((abs(x - y) for x, y in zip(one, other)), default=0.0)
    require(worst <= tolerance, f"{what} differ by {worst}")


def atoms_and_bonds_of_psf(path):
    """(residue name, atom name, charge, mass) of each atom, and bonds, of an extended PSF."""
    lines = iter(path.read_text().splitlines())
    count = next(int(line.split()[0]) for line in lines if "!NATOM" in line)
    atoms = [next(lines).split() for _ in range(count)]
    count = next(int(line.split()[0]) for line in lines if "!NBOND" in line)
    numbers = []
    while len(numbers) < 2 * count:
        numbers += [int(word) - 1 for word in next(lines).split()]
    bonds = {tuple(sorted(numbers[n : n + 2])) for n in range(0, 2 * count, 2)}
    return [(a[3], a[4], float(a[6]), float(a[7])) for a in atoms], bonds


def require_atoms(atoms, folder, name):
    expected, bonds = atoms_and_bonds_of_psf(folder / f"{name}.psf")
    arrays = atoms["arrays"]
    require(len(atoms["points"]) == atoms["vertices"] == len(expected), f"{name}: {len(atoms['points'])} points")
    near(arrays["charge"], [a[2] for a in expected], 1e-5, f"{name}: charges")
    near(arrays["mass"], [a[3] for a in expected], 1e-3, f"{name}: masses")
    for n, (residue, atom, _, mass) in enumerate(expected):
        element = {16.0: 8, 12.01: 6, 1.008: 1}[round(mass, 3)]
        require(arrays["element"][n] == element, f"{name}: atom {n} has element {arrays['element'][n]}")
        require(abs(arrays["radius"][n] - {8: 0.152, 6: 0.17, 1: 0.11}[element]) < 1e-6, f"{name}: radius of atom {n}")
        require(arrays["atom_id"][n] == n + 1, f"{name}: number of atom {n}")
        require(arrays["kind"][n] == (2 if residue == "SOL" else 0), f"{name}: kind of atom {n}")
        if "atom_name" in arrays:
            require((arrays["residue_name"][n], arrays["atom_name"][n]) == (residue, atom), f"{name}: names of atom {n}")
    changes = [n for n in range(1, len(expected)) if arrays["molecule_id"][n] != arrays["molecule_id"][n - 1]]
    require(changes[:2] == [6, 12] and len(changes) + 1 == 216, f"{name}: molecules begin at {changes[:5]}...")
    require(arrays["residue_id"] == arrays["molecule_id"], f"{name}: residues")
    return bonds


def lines_of(atoms):
    return {tuple(sorted(line)) for line in atoms["lines"]}


def longest_line(atoms):
    points = atoms["points"]
    return max(max(abs(x - y) for x, y in zip(points[a], points[b])) for a, b in atoms["lines"])


def require_box(step, length):
    box = step["blocks"]["box"]
    require(len(box["points"]) == 8 and len(box["lines"]) == 12, f"a box of {len(box['points'])} corners")
    corners = {tuple(round(x / length, 3) for x in corner) for corner in box["points"]}
    require(corners == {(a, b, c) for a in (0.0, 1.0) for b in (0.0, 1.0) for c in (0.0, 1.0)}, f"corners {corners}")
    require(all(sum(x != y for x, y in zip(box["points"][a], box["points"][b])) == 1 for a, b in box["lines"]), "edges")


def a_run_opens_by_every_way(program, folder, _source):
    prepared(folder)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    pvd = opened(folder / "run.pvd")
    times = [round(0.01 * n, 6) for n in range(9)]
    near([step["time"] for step in pvd], times, 1e-9, "times of run.pvd")
    near([atoms_of(step)["time"] for step in pvd], times, 1e-9, "TimeValue in the frames of run.pvd")
    for step in pvd:
        bonds = require_atoms(atoms_of(step), folder, "run")
        require(lines_of(atoms_of(step)) == bonds, "bonds are not those of run.psf")
        require_box(step, 6 * 0.32)
    require(atoms_of(pvd[0])["points"] != atoms_of(pvd[-1])["points"], "the atoms of run.pvd do not move")
    # Molecules that are not whole: a bond is drawn or left out, never drawn across the box.
    for step in opened(folder / "run.2.pvd"):
        drawn = lines_of(atoms_of(step))
        require(drawn < bonds and len(drawn) > len(bonds) / 2, f"{len(drawn)} of {len(bonds)} bonds are drawn")
        require(longest_line(atoms_of(step)) < 0.2, "a bond is drawn across the box")
    for reader in XDMF_READERS:
        steps = opened(folder / "run.xdmf", reader)
        near([step["time"] for step in steps], times, 1e-9, f"times of run.xdmf by {reader}")
        for frame, other in zip(steps, pvd):
            one, other = atoms_of(frame), atoms_of(other)
            require_atoms(one, folder, "run")
            require_box(frame, 6 * 0.32)
            require(lines_of(one) == bonds, f"bonds by {reader} are not those of run.psf")
            near(one["points"], other["points"], 1e-6, f"positions by {reader} and of run.pvd")
            near(one["arrays"]["velocity"], other["arrays"]["velocity"], 1e-5, f"velocities by {reader} and of run.pvd")
            near(one["arrays"]["force"], other["arrays"]["force"], 1e-2, f"forces by {reader} and of run.pvd")
    for step in opened(folder / "run.2.xdmf", XDMF_READERS[0]):
        require(not atoms_of(step)["lines"], "bonds of run.2.xdmf, of which some go across the box")


def a_killed_run_opens_and_goes_on(program, folder, _source):
    """While it runs, when it was killed, and after it has gone on, nothing is named that is not there."""
    prepared(folder, SLOW_STEPS)
    process = program.start(folder, "-i", "run.inp")
    wait_for(lambda: (folder / "run.xdmf").exists() and (folder / "run.pvd").exists(), 120, "the first frame")
    for reader in XDMF_READERS:
        require(len(opened(folder / "run.xdmf", reader)) >= 1, f"{reader}: no frame while the run goes on")
    require(process.poll() is None, "the run ended too early for this test")
    end(process)
    frames = {name: len(opened(folder / name)) for name in ("run.xdmf", "run.pvd", "run.2.pvd")}
    require(min(frames.values()) >= 1, f"frames after the run was killed: {frames}")
    stop = 5 * frames["run.pvd"] + 1000
    program.run(folder, "-i", "run.inp", "--set", f"debug.stop_at_step={stop}", expect=STOPPED)
    for name in frames:
        require(len(opened(folder / name)) > frames[name], f"{name} has no more frames after the run went on")


def a_continued_run_has_the_files_of_an_uninterrupted_one(program, folder, _source):
    reference, continued = fresh_folder(folder, "whole"), fresh_folder(folder, "continued")
    for place in (reference, continued):
        prepared(place)
    program.run(continued, "-i", "run.inp", "--set", f"debug.stop_at_step={STEPS // 2}", expect=STOPPED)
    # What a run leaves that dies after its last checkpoint: a frame too many, which no list names.
    (continued / "run.frames" / "000005.vtp").write_text("half a fra")
    program.run(continued, "-i", "run.inp", expect=FINISHED)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    theirs = [[name for name in files_in(place) if name.endswith((".pvd", ".vtp", ".xdmf"))] for place in (reference, continued)]
    require(theirs[0] == theirs[1], f"files {theirs[0]} and {theirs[1]}")
    for name in theirs[0]:
        require_same_bytes(reference / name, continued / name)


def a_changed_frame_is_noticed(program, folder, _source):
    prepared(folder)
    program.run(folder, "-i", "run.inp", "--set", f"debug.stop_at_step={STEPS // 2}", expect=STOPPED)
    frame = folder / "run.frames" / "000001.vtp"
    frame.write_bytes(frame.read_bytes()[:-1])
    result = program.run(folder, "-i", "run.inp", expect=IO)
    require("MD602" in result.err and "run.frames" in result.err, str(result))


def files_kept_aside_still_open(program, folder, _source):
    prepared(folder)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    before = opened(folder / "run.pvd")
    program.run(folder, "-i", "run.inp", "--restart", "--set", "system.seed=2", expect=FINISHED)
    aside, now = opened(folder / "run.old-1.pvd"), opened(folder / "run.pvd")
    require([atoms_of(s)["points"] for s in aside] == [atoms_of(s)["points"] for s in before], "run.old-1.pvd has changed")
    require(atoms_of(now[-1])["points"] != atoms_of(before[-1])["points"], "the second run is the first one")


def pixels(png):
    """Rows of (red, green, blue) of an 8-bit PNG."""
    data = png.read_bytes()
    require(data.startswith(b"\x89PNG"), f"{png} is no PNG")
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    step = {2: 3, 6: 4}[colours]
    require(depth == 8, "a PNG of another depth")
    raw, rows, above = zlib.decompress(packed), [], bytes(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        row = bytearray(raw[begin + 1 : begin + 1 + width * step])
        for n in range(len(row)):
            left = row[n - step] if n >= step else 0
            up, corner = above[n], above[n - step] if n >= step else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda value: abs(guess - value))
            row[n] = (row[n] + (0, left, up, (left + up) // 2, paeth)[raw[begin]]) & 255
        rows.append([tuple(row[n : n + 3]) for n in range(0, len(row), step)])
        above = bytes(row)
    return rows


def the_scene_has_its_colours(program, folder, source):
    """Ubiquitin in water: a rainbow in the middle, a bluish haze around it, dark edges, white behind."""
    (folder / "run.inp").write_text(
        f"""[system]
topology = "{source}/inputs/ubiquitin/ubiquitin.top"
coordinates = "{source}/inputs/ubiquitin/ubiquitin.gro"
[output]
trajectory = {{ every = "2 steps", format = ["h5md", "vtk"] }}
[[stage]]
name = "relax"
kind = "minimise"
max_steps = 3
[[stage]]
name = "produce"
kind = "dynamics"
duration = "0.002 ps"
timestep = "0.5 fs"
temperature = "10 K"
""")
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    script = source / "examples" / "paraview" / "ball_and_stick.py"
    real_paraview.pvbatch(script, "run.pvd", "picture.png", folder=folder)
    seen = [pixel for row in pixels(folder / "picture.png") for pixel in row]
    share = lambda holds: sum(map(holds, seen)) / len(seen)
    vivid = lambda low, high: lambda p: max(p) - min(p) > 90 and p.index(max(p)) == high and p.index(min(p)) == low
    require(share(lambda p: p == (255, 255, 255)) > 0.2, "no white background")
    for what, colour in (("red", vivid(2, 0)), ("green", vivid(0, 1)), ("blue", vivid(0, 2))):
        require(share(colour) > 0.001, f"hardly any {what} in the protein: {share(colour):.5f}")
    faint = share(lambda p: min(p) > 150 and p[2] > p[0] + 5)
    require(faint > 0.05, f"hardly any water: {faint:.5f}")
    dark = share(lambda p: max(p) < 80)
    require(0.001 < dark < 0.2, f"edges of the box: {dark:.5f}")


def frames_in_pieces_open(program, folder, _source):
    prepared(folder)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    program.run(folder, "convert", "run.h5", "pieces.pvd", "--pieces", "4", expect=FINISHED)
    require(len(list((folder / "pieces.frames").glob("*.pvtp"))) == 9, "files .pvtp")
    whole = opened(folder / "run.pvd")
    for one, other in zip(opened(folder / "pieces.pvd"), whole, strict=True):
        require(one["time"] == other["time"], f"times {one['time']} and {other['time']}")
        require_box(one, 6 * 0.32)
        require_atoms(atoms_of(one), folder, "run")
        require(lines_of(atoms_of(one)) == lines_of(atoms_of(other)), "bonds of frames in pieces")
        require(atoms_of(one)["points"] == atoms_of(other)["points"], "positions of frames in pieces")


if missing := real_paraview.missing():
    print(f"skipped: {', '.join(missing)} not installed (scripts/install-deps.sh --test)")
    sys.exit(SKIPPED)
print(real_paraview.versions())
main([a_run_opens_by_every_way, a_killed_run_opens_and_goes_on, a_continued_run_has_the_files_of_an_uninterrupted_one, a_changed_frame_is_noticed, files_kept_aside_still_open,
      frames_in_pieces_open, the_scene_has_its_colours])

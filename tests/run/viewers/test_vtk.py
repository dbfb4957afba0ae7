# SPDX-License-Identifier: Apache-2.0
"""The current VTK of Python's package index reads what a run and `mdsim map` write, with the same numbers by each way."""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import (FINISHED, HEAD, INPUT, RELAX, SKIPPED, STOPPED, dynamics, main, require, require_same_bytes,
                     solution)

HERE = Path(__file__).resolve().parent
PYTHON = Path(sys.argv[2]).resolve() / "build" / "readers" / "bin" / "python"
OUTPUT = """\
[output]
trajectory = { every = "5 steps", format = ["h5md", "vtk"], velocities = true, forces = true }
"""


def read(path):
    command = [str(PYTHON), str(HERE / "read_with_vtk.py"), str(Path(path).resolve())]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=240)
    require(completed.returncode == 0, f"VTK did not read {path}\n{completed.stderr[-2000:]}")
    return json.loads(completed.stdout.splitlines()[-1])["steps"]


def prepared(program, folder):
    solution(folder, edge=6, methanols=8)
    (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX + dynamics("produce", 20, 'temperature = "300 K"'))
    program.run(folder, "-i", "run.inp", expect=FINISHED)


def frames_are_the_same_by_both_ways(program, folder, _source):
    prepared(program, folder)
    steps = read(folder / "run.vtkhdf")
    require(len(steps) == 5, f"{len(steps)} steps in run.vtkhdf")
    for n, step in enumerate(steps):
        frame = read(folder / "run.frames" / f"{n:06}.vtp")[0]
        require(abs(step["time"] - 0.01 * n) < 1e-9, f"step {n} is at {step['time']} ps")
        require(step["arrays"].keys() == frame["arrays"].keys(), f"arrays {step['arrays'].keys()}, {frame['arrays'].keys()}")
        for key in ("positions", "vertices", "lines", "arrays"):
            require(step[key] == frame[key], f"{key} of step {n} differ between run.vtkhdf and its .vtp")


def frames_in_pieces_are_the_same(program, folder, _source):
    """.pvtp: pieces one behind the other are the frame in one file; no piece is empty, no bond is lost."""
    prepared(program, folder)
    program.run(folder, "convert", "run.h5", "one.pvd", expect=FINISHED)
    program.run(folder, "convert", "run.h5", "three.pvd", "--pieces", "3", expect=FINISHED)
    for n in (0, 4):
        whole = read(folder / "one.frames" / f"{n:06}.vtp")[0]
        require(read(folder / "three.frames" / f"{n:06}.pvtp")[0] == whole, f"frame {n} differs in pieces")
        require(whole["names"].keys() == {"atom_name", "residue_name"}, f"texts {whole['names'].keys()}")
        pieces = [read(folder / "three.frames" / f"{n:06}.{piece}.vtp")[0] for piece in range(3)]
        require(all(200 < piece["points"] < 280 for piece in pieces), f"points {[p['points'] for p in pieces]}")
        for key in ("points", "vertices"):
            require(sum(piece[key] for piece in pieces) == whole[key], f"{key} of the pieces")
        require(sum(len(piece["lines"]) for piece in pieces) == len(whole["lines"]), "bonds of the pieces")
    result = program.run(folder, "convert", "run.h5", "out.xtc", "--pieces", "3", expect=INPUT)
    require("MD116" in result.err and not (folder / "out.xtc").exists(), str(result))


def a_map_has_all_atoms(program, folder, _source):
    prepared(program, folder)
    program.run(folder, "map", "run.h5", "water.vti", "--topology", "box.top", "--select", "water", "--spacing", "0.2 nm",
                expect=FINISHED)
    image = read(folder / "water.vti")[0]
    require(image["dimensions"] == [10, 10, 10], f"{image['dimensions']} points")
    volume = image["spacing"][0] * image["spacing"][1] * image["spacing"][2]
    atoms = volume * sum(image["arrays"]["number_density"])
    require(abs(atoms - 3 * 208) < 0.01, f"{atoms} atoms of water in the map")
    program.run(folder, "map", "run.h5", "phi.vti", "--topology", "box.top", "--quantity", "potential", "--every", "2",
                expect=FINISHED)
    values = read(folder / "phi.vti")[0]["arrays"]["potential"]
    # Names and charges from a PSF, too; a selection by distance is made in the first frame.
    near = ("--select", "water and within 0.4 nm of resname MOH", "--spacing", "0.2 nm")
    program.run(folder, "map", "run.h5", "near.vti", "--topology", "run.psf", *near, expect=FINISHED)
    atoms = volume * sum(read(folder / "near.vti")[0]["arrays"]["number_density"])
    require(20 < atoms < 400 and abs(atoms - round(atoms)) < 0.01, f"{atoms} atoms of water near methanol")
    require(max(values) > 20.0 > -20.0 > min(values), f"potential from {min(values)} to {max(values)}")
    require(abs(sum(values) / len(values)) < 1.0, f"mean potential {sum(values) / len(values)}")


def what_is_wrong_with_a_map_is_said(program, folder, _source):
    prepared(program, folder)
    for options, code in (
        (["run.h5", "map.txt", "--topology", "box.top"], "MD363"),
        (["run.h5", "map.dx", "--topology", "box.top", "--spacing", "3"], "MD116"),
        (["run.h5", "map.dx", "--topology", "box.top", "--from", "1 ns"], "MD116"),
        (["run.h5", "map.dx", "--topology", "box.top", "--select", "resname NONE"], "MD405"),
        (["run.xtc", "map.dx"], "MD309"),
    ):
        result = program.run(folder, "map", *options, expect=INPUT)
        require(code in result.err, f"{code} is not in\n{result}")
        require(not (folder / options[1]).exists(), f"{options[1]} was written")


def a_run_averages_maps(program, folder, _source):
    """The same as mdsim map from a trajectory with the same frames, and after a stop as without."""
    maps = "".join(f"""
[[output.map]]
every = "5 steps"
quantity = "{quantity}"
select = "{select}"
spacing = "0.2 nm"
format = ["vti", "dx"]
""" for quantity, select in (("number", "water"), ("charge", "all"), ("potential", "all")))
    names = [f"run.map{number}.{ending}" for number in ("", ".2", ".3") for ending in ("vti", "dx")]
    stages = RELAX + dynamics("produce", 20, 'temperature = "300 K"\npressure = "1 bar"')
    for place in (folder / "whole", folder / "continued"):
        place.mkdir()
        solution(place, edge=6, methanols=8)
        (place / "run.inp").write_text(HEAD + OUTPUT + maps + stages)
    program.run(folder / "continued", "-i", "run.inp", "--set", "debug.stop_at_step=10", expect=STOPPED)
    middle = {name: (folder / "continued" / name).read_bytes() for name in names}
    program.run(folder / "continued", "-i", "run.inp", expect=FINISHED)
    program.run(folder / "whole", "-i", "run.inp", expect=FINISHED)
    for name in names:
        require_same_bytes(folder / "whole" / name, folder / "continued" / name)
        require(middle[name] != (folder / "whole" / name).read_bytes(), f"{name} has nothing of the second half")
    program.run(folder / "whole", "map", "run.h5", "water.vti", "--topology", "box.top", "--select", "water", "--spacing",
                "0.2 nm", expect=FINISHED)
    one, other = (read(folder / "whole" / name)[0] for name in ("run.map.vti", "water.vti"))
    require(one["dimensions"] == other["dimensions"], "grids differ")
    near = max(abs(a - b) for a, b in zip(one["arrays"]["number_density"], other["arrays"]["number_density"]))
    # Positions of a trajectory are rounded to single precision, so that an atom may change its cell.
    require(near <= 2 / 5 / 0.2**3, f"densities of the run and of its trajectory differ by {near}")
    program.run(folder / "whole", "-i", "run.inp", "--check", "--set", "output.map=[{stage=\"none\"}]", expect=INPUT)


if not PYTHON.exists():
    print("skipped: no VTK of Python (scripts/install-deps.sh --test)")
    sys.exit(SKIPPED)
main([frames_are_the_same_by_both_ways, frames_in_pieces_are_the_same, a_map_has_all_atoms, a_run_averages_maps, what_is_wrong_with_a_map_is_said])

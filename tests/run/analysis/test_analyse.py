# SPDX-License-Identifier: Apache-2.0
"""mdsim analyse against MDAnalysis and MDTraj, on short runs of the bundled protein and of water."""

import csv
import io
import subprocess
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from formats import readers  # noqa: E402
from harness import FINISHED, INPUT, main, require  # noqa: E402

readers.choose()
warnings.filterwarnings("ignore")
import MDAnalysis  # noqa: E402
import mdtraj  # noqa: E402
import numpy as np  # noqa: E402
from MDAnalysis.analysis import align, lineardensity, msd, rdf, rms  # noqa: E402
from MDAnalysis.analysis.hydrogenbonds import HydrogenBondAnalysis  # noqa: E402
from MDAnalysis.lib.distances import minimize_vectors  # noqa: E402

WATER = """\
[system]
topology = "{folder}/water.top"
coordinates = "{folder}/water.gro"
[output]
trajectory = {{ every = "20 steps", format = ["h5md", "xtc"] }}
[[stage]]
name = "produce"
kind = "dynamics"
duration = "0.8 ps"
timestep = "2 fs"
temperature = "300 K"
"""


def analyse(program, folder, *words, expect=FINISHED):
    """The table on standard output: heads, and columns of numbers where they are numbers."""
    done = subprocess.run([program.path, "analyse", *map(str, words)], cwd=folder, capture_output=True, text=True)
    require(done.returncode == expect, f"analyse {words}: exit code {done.returncode}\n{done.stderr}")
    if expect != FINISHED:
        return done.stderr
    rows = list(csv.reader(io.StringIO(done.stdout)))
    require(len(rows) > 1, f"analyse {words} gave no rows\n{done.stderr}")
    columns = {}
    for name, values in zip(rows[0], zip(*rows[1:])):
        try:
            columns[name] = np.array(values, dtype=float)
        except ValueError:
            columns[name] = list(values)
    return columns


def require_near(ours, theirs, tolerance, what):
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    require(ours.shape == theirs.shape, f"{what}: {ours.shape} and {theirs.shape} values")
    worst = np.max(np.abs(ours - theirs))
    require(worst <= tolerance, f"{what}: differs by {worst}, above {tolerance}")
    print(f"  {what}: {len(ours)} values from {ours.min():.6g} to {ours.max():.6g}, largest difference {worst:.2g}")


_folders = {}


def protein(program, parent, source):
    """A run of ubiquitin, shortened; and its Universe."""
    if "protein" not in _folders:
        folder = Path(parent).parent / f"{Path(parent).name}-protein"
        folder.mkdir()
        short = ["stage.relax.max_steps=20", 'stage.heat.duration="0.2 ps"', 'stage.equilibrate.duration="0.2 ps"',
                 'stage.produce.duration="0.4 ps"', 'output.trajectory.every="0.04 ps"', 'output.energies.every="0.02 ps"']
        settings = [word for key in short for word in ("--set", key)]
        program.run(folder, "-i", source / "inputs" / "protein.inp", *settings, expect=FINISHED, timeout=900, threads=1)
        _folders["protein"] = folder
    return _folders["protein"]


def water(program, parent, source):
    """A run of a box of water at constant volume."""
    if "water" not in _folders:
        folder = Path(parent).parent / f"{Path(parent).name}-water"
        folder.mkdir()
        (folder / "water.inp").write_text(WATER.format(folder=source / "inputs" / "water"))
        program.run(folder, "-i", "water.inp", expect=FINISHED, timeout=900, threads=1)
        _folders["water"] = folder
    return _folders["water"]


def universe(folder, name):
    return MDAnalysis.Universe(str(folder / f"{name}.psf"), str(folder / f"{name}.h5"), format="H5MD")


BACKBONE = "protein and name N CA C O"


def test_rmsd(program, folder, source):
    run = protein(program, folder, source)
    theirs = rms.RMSD(universe(run, "protein"), select=BACKBONE, ref_frame=0).run().results.rmsd
    ours = analyse(program, run, "protein", "rmsd")
    require_near(ours["time [ps]"], theirs[:, 1], 1e-4, "times")
    require_near(ours["rmsd [nm]"], theirs[:, 2] / 10, 2e-6, "RMSD and MDAnalysis")
    weighted = rms.RMSD(universe(run, "protein"), select=BACKBONE, ref_frame=0, weights="mass").run().results.rmsd
    ours = analyse(program, run, "protein", "rmsd", "--mass")
    require_near(ours["rmsd [nm]"], weighted[:, 2] / 10, 2e-6, "RMSD by mass and MDAnalysis")
    # Superposed by some atoms, measured on others.
    other = rms.RMSD(universe(run, "protein"), select="protein and name CA", groupselections=["resid 1-20 and name CB"],
                     ref_frame=0).run().results.rmsd
    ours = analyse(program, run, "protein", "rmsd", "--fit", "protein and name CA", "--select",
                   "protein and resid 1-20 and name CB")
    require_near(ours["rmsd [nm]"], other[:, 3] / 10, 2e-6, "RMSD of other atoms and MDAnalysis")
    # The same files, without the run; XTC rounds.
    frames = mdtraj.load(str(run / "protein.xtc"), top=str(run / "protein.pdb"))
    # MDTraj calls the last oxygen O, too.
    atoms = universe(run, "protein").select_atoms(BACKBONE).indices
    ours = analyse(program, run, source / "inputs/ubiquitin/ubiquitin.top", "protein.xtc", "rmsd")
    require_near(ours["rmsd [nm]"], mdtraj.rmsd(frames, frames, 0, atom_indices=atoms), 2e-5, "RMSD and MDTraj")


def test_rmsf(program, folder, source):
    run = protein(program, folder, source)
    mobile, reference = universe(run, "protein"), universe(run, "protein")
    align.AlignTraj(mobile, reference, select="protein and name CA", in_memory=True).run()
    theirs = rms.RMSF(mobile.select_atoms("protein and name CA")).run().results.rmsf
    ours = analyse(program, run, "protein", "rmsf")
    require_near(ours["rmsf [nm]"], theirs / 10, 2e-6, "RMSF and MDAnalysis")
    require(set(ours["name"]) == {"CA"} and ours["resname"][0] == "MET", "names of the rows of RMSF")


def test_radius_of_gyration(program, folder, source):
    run = protein(program, folder, source)
    u = universe(run, "protein")
    atoms = u.select_atoms("protein")
    theirs = [atoms.radius_of_gyration() / 10 for _ in u.trajectory]
    require_near(analyse(program, run, "protein", "rgyr")["rgyr [nm]"], theirs, 2e-6, "radius of gyration and MDAnalysis")


def test_rdf(program, folder, source):
    run = water(program, folder, source)
    oxygens = universe(run, "water").select_atoms("name OW")
    theirs = rdf.InterRDF(oxygens, oxygens, nbins=100, range=(0.0, 10.0), exclusion_block=(1, 1)).run().results.rdf
    ours = analyse(program, run, "water", "rdf", "--bins", 100)
    # A pair on the border of two bins may fall in either, by the last digit of single precision.
    require_near(ours["g"], theirs, 2e-3, "g(r) of water and MDAnalysis")
    frames = mdtraj.load(str(run / "water.xtc"), top=str(run / "water.pdb"))
    atoms = frames.topology.select("name OW or (water and element O)")
    _, theirs = mdtraj.compute_rdf(frames, frames.topology.select_pairs(atoms, atoms), r_range=(0.0, 1.0), bin_width=0.01)
    ours = analyse(program, run, source / "inputs/water/water.top", "water.xtc", "rdf", "--bins", 100)
    require_near(ours["g"], theirs, 1e-2, "g(r) of water and MDTraj")
    # A protein and water, in a rhombic dodecahedron.
    run = protein(program, folder, source)
    u = universe(run, "protein")
    theirs = rdf.InterRDF(u.select_atoms("protein and name O*"), u.select_atoms("name OW"), nbins=50, range=(0.0, 8.0)).run()
    ours = analyse(program, run, "protein", "rdf", "--select", "protein and name O*", "--other", "name OW", "--bins", 50,
                   "--range", "0.8 nm")
    require_near(ours["g"], theirs.results.rdf, 4e-3, "g(r) of protein and water and MDAnalysis")


def unwrapped(u, atoms):
    """Positions by the shortest way from frame to frame [A], and times [ps]."""
    followed, times, before = [], [], None
    for frame in u.trajectory:
        now = atoms.positions.astype(float)
        if before is None:
            followed.append(now)
        else:
            followed.append(followed[-1] + minimize_vectors((now - before), frame.dimensions))
        before = now
        times.append(frame.time)
    return np.array(followed), np.array(times)


def test_msd_and_diffusion(program, folder, source):
    run = protein(program, folder, source)
    u = universe(run, "protein")
    oxygens = u.select_atoms("name OW")
    followed, times = unwrapped(u, oxygens)
    copy = MDAnalysis.Merge(oxygens)
    copy.load_new(followed, order="fac")
    theirs = msd.EinsteinMSD(copy, select="all", msd_type="xyz", fft=False).run().results.timeseries / 100
    ours = analyse(program, run, "protein", "msd", "--lags", len(times) - 1)
    require_near(ours["msd [nm^2]"] / theirs.max(), theirs / theirs.max(), 2e-5, "MSD of water and MDAnalysis, relative")
    require(list(ours["origins"]) == list(range(len(times), 0, -1)), "numbers of origins")
    lags = len(times) - 1
    first, last = int(np.ceil(0.1 * lags)), int(np.floor(0.5 * lags))
    slope = np.polyfit(ours["lag [ps]"][first:last + 1], theirs[first:last + 1], 1)[0]
    d = analyse(program, run, "protein", "diffusion", "--lags", lags)["diffusion [nm^2/ps]"]
    require_near(d * 6 / slope, [1.0], 1e-4, "diffusion coefficient and MDAnalysis, ratio")


def test_density_profile(program, folder, source):
    run = water(program, folder, source)
    u = universe(run, "water")
    length = u.dimensions[2]
    theirs = lineardensity.LinearDensity(u.atoms, grouping="atoms", binsize=length / 50 * (1 - 1e-6)).run().results.z
    ours = analyse(program, run, "water", "density", "--bins", 50)
    scale = 1000.0  # g/cm^3
    require_near(ours["mass density [kg/m^3]"] / scale, theirs.mass_density, 5e-3, "density and MDAnalysis [g/cm^3]")
    mean = ours["mass density [kg/m^3]"].mean()
    expected = u.atoms.total_mass() / u.trajectory.ts.volume * 1660.53906660
    require(abs(mean / expected - 1) < 1e-5, f"mean density {mean}, mass by volume {expected}")


def bonded_hydrogens(u):
    """Hydrogens bonded to N or O, as a selection."""
    found = set()
    for bond in u.bonds:
        a, b = bond.atoms
        for hydrogen, heavy in ((a, b), (b, a)):
            if hydrogen.mass < 1.5 and (abs(heavy.mass - 14) < 0.5 or abs(heavy.mass - 16) < 0.5):
                found.add(hydrogen.index)
    return "index " + " ".join(map(str, sorted(found)))


def hydrogen_bonds(u, every, **groups):
    """In every few frames: MDAnalysis takes its time."""
    acceptors = "(prop mass > 13.5 and prop mass < 16.5) and not resname NA"
    counted = HydrogenBondAnalysis(u, hydrogens_sel=bonded_hydrogens(u), acceptors_sel=acceptors, d_a_cutoff=3.0,
                                   d_h_a_angle_cutoff=150, **groups)
    counted.run(step=every)
    return np.bincount(counted.results.hbonds[:, 0].astype(int), minlength=len(u.trajectory))[::every]


def test_hydrogen_bonds(program, folder, source):
    run = water(program, folder, source)
    u = universe(run, "water")
    ours = analyse(program, run, "water", "hbonds")["hydrogen bonds"]
    theirs = hydrogen_bonds(u, 3)
    # At the borders of distance and angle single precision may decide otherwise.
    require_near(ours[::3], theirs, 2, "hydrogen bonds in water and MDAnalysis")
    run = protein(program, folder, source)
    u = universe(run, "protein")
    ours = analyse(program, run, "protein", "hbonds", "--select", "protein", "--other", "water")["hydrogen bonds"]
    theirs = hydrogen_bonds(u, 10, between=["protein", "resname SOL"])
    require_near(ours[::10], theirs, 1, "hydrogen bonds of protein and water and MDAnalysis")


def test_all_at_once_and_frames(program, folder, source):
    run = protein(program, folder, source)
    done = subprocess.run([program.path, "analyse", run / "protein", "--from", "0.4 ps", "--every", "2", "--threads", "1"],
                          cwd=folder, capture_output=True, text=True)
    require(done.returncode == FINISHED, done.stderr)
    names = sorted(path.name for path in Path(folder).iterdir())
    wanted = ["density", "diffusion", "hbonds", "msd", "rdf", "rgyr", "rmsd", "rmsf"]
    require(names == [f"protein.{name}.csv" for name in wanted], f"files {names}")
    rows = list(csv.reader((Path(folder) / "protein.rgyr.csv").open()))[1:]
    times = [float(row[0]) for row in rows]
    require(times[0] >= 0.4 and np.allclose(np.diff(times), 0.08), f"frames at {times}")
    # The number of threads does not matter, to the last digit; what was there is kept.
    before = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    subprocess.run([program.path, "analyse", run / "protein", "--from", "0.4 ps", "--every", "2", "--threads", "3"],
                   cwd=folder, capture_output=True, check=True)
    for name, content in before.items():
        require((Path(folder) / name).read_bytes() == content, f"{name} depends on the number of threads")
        require((Path(folder) / name.replace(".csv", ".old-1.csv")).exists(), f"the old {name} is not kept")


def test_mistakes(program, folder, source):
    run = water(program, folder, source)
    wrong = [
        (["water", "rmsd", "--select", "protien"], "did you mean 'protein'"),
        (["water", "rmsd", "--select", "resname LIG"], "[MD405]"),
        (["water", "rdf", "--range", "1"], "has no unit"),
        (["water", "rgyr", "--from", "50 ps"], "[MD120]"),
        (["nothing", "rmsd"], "[MD118]"),
        (["water.xtc", "rmsd"], "[MD119]"),
        (["water", "density", "--axis", "q"], "[MD116]"),
        ([source / "inputs/ubiquitin/ubiquitin.top", "water.xtc", "rmsd"], "[MD205]"),
    ]
    for words, message in wrong:
        said = analyse(program, run, *words, expect=INPUT)
        require(message in said, f"analyse {words} does not say {message!r}:\n{said}")
    left = [path.name for path in run.iterdir() if "unfinished" in path.name]
    require(not left, f"left behind: {left}")


if __name__ == "__main__":
    import atexit
    import shutil

    atexit.register(lambda: [shutil.rmtree(folder, ignore_errors=True) for folder in _folders.values()])
    main([test_rmsd, test_rmsf, test_radius_of_gyration, test_rdf, test_msd_and_diffusion, test_density_profile,
          test_hydrogen_bonds, test_all_at_once_and_frames, test_mistakes])

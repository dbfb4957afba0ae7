# SPDX-License-Identifier: Apache-2.0
"""What a stage does with its keys, and what --check, energy and bench say about it.

    test_stages.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import math
import shutil

import harness
from harness import FINISHED, HEAD, INPUT, UNSTABLE, continued_copy, dynamics, require

BOLTZMANN = 0.008314462618  # kJ/mol/K, CODATA 2018
DEBUG_ENERGIES = ("--set", 'output.energies.every="1 steps"')


def energies(folder, name="run"):
    """The rows of NAME.energies.csv, each from column to number."""
    rows = (folder / f"{name}.energies.csv").read_text().splitlines()
    names = rows[0].split(",")
    return [dict(zip(names, map(float, row.split(",")))) for row in rows[1:]]


def degrees(program, folder):
    """Degrees of freedom of the last stage, as --check says."""
    out = program.run(folder, "-i", "run.inp", "--check", expect=FINISHED).out
    return int(out.split(" degrees of freedom")[-2].split()[-1])


def test_velocity_verlet(program, folder, source):
    """The trajectory of leap-frog to the bit, with the temperature of the velocities on the step."""
    runs = {}
    for integrator in ("leap-frog", "velocity-verlet"):
        keys = f'temperature = "300 K"\nintegrator = "{integrator}"'
        run = continued_copy(program, folder, integrator, dynamics("produce", 20, keys))
        program.run(run, "-i", "run.inp", *DEBUG_ENERGIES, expect=FINISHED)
        runs[integrator] = (harness.state_of(run), energies(run), degrees(program, run))
    require(runs["leap-frog"][0] == runs["velocity-verlet"][0], "velocity-verlet has another trajectory")
    for leap, verlet in zip(runs["leap-frog"][1], runs["velocity-verlet"][1]):
        on_step = 2.0 * verlet["kinetic [kJ/mol]"] / (runs["velocity-verlet"][2] * BOLTZMANN)
        require(math.isclose(verlet["temperature [K]"], on_step, rel_tol=1e-6), f"{verlet['temperature [K]']}, {on_step}")
        require(abs(leap["temperature [K]"] - on_step) > 0.1, "leap-frog's temperature is on step, too: this test shows nothing")
        for column in leap:
            require(column == "temperature [K]" or leap[column] == verlet[column], f"{column} differs")


def test_last_minimisation(program, folder, source):
    """A run that ends in a minimisation leaves its lowest point in every output."""
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(HEAD + harness.OUTPUT + harness.RELAX)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    for file in ("run.h5", "run.xtc"):
        facts = json.loads(program.run(folder, "info", file, "--json", expect=FINISHED).out)
        require(facts["frames"] == 1, f"{file} has {facts['frames']} frames")
    rows = energies(folder)
    require(len(rows) == 1 and rows[0]["potential [kJ/mol]"] < 0.0, f"energies: {rows}")
    require(rows[0]["kinetic [kJ/mol]"] == 0.0, "atoms at rest have kinetic energy")


def test_monte_carlo_semi_isotropic(program, folder, source):
    """x and y scale together, z by itself; what is rejected leaves the box as it was."""
    keys = (
        'temperature = "300 K"\npressure = "1 bar"\nbarostat = "monte-carlo"\n'
        'coupling = "semi-isotropic"\ncoupling_every = 1'
    )
    run = continued_copy(program, folder, "run", dynamics("produce", 40, keys))
    program.run(run, "-i", "run.inp", *DEBUG_ENERGIES, expect=FINISHED)
    lengths = [(row["box_ax [nm]"], row["box_by [nm]"], row["box_cz [nm]"]) for row in energies(run)]
    require(all(x == y for x, y, _ in lengths), f"x and y are not scaled alike: {lengths}")
    moves = list(zip(lengths, lengths[1:]))
    area, height, none = [], [], []
    for before, after in moves:
        changed = (before[0] != after[0], before[2] != after[2])
        require(changed != (True, True), f"area and height changed in one trial: {before}, {after}")
        (area if changed[0] else height if changed[1] else none).append(after)
    require(area and height and none, f"{len(area)} trials of the area, {len(height)} of the height accepted, {len(none)} none")


def test_box_that_shrinks(program, folder, source):
    """It ends as unstable physics, with place and remedy, and what is on disk continues."""
    harness.solution(folder, edge=6)
    keys = 'temperature = "300 K"\npressure = "30000 bar"\nbarostat_time = "0.05 ps"\ncoupling_every = 2'
    text = HEAD.replace('"0.7 nm"', '"0.955 nm"') + harness.RELAX + dynamics("squeeze", 500, keys)
    (folder / "run.inp").write_text(text)
    result = program.run(folder, "-i", "run.inp", expect=UNSTABLE)
    for word in ("[MD506]", "stage squeeze, step ", " ps)", "0.955 nm", "try:", "density"):
        require(word in result.err, f"the message does not speak of {word}\n{result}")


def test_constraints_that_break(program, folder, source):
    """The message has stage, step, time, residue and atom."""
    harness.solution(folder, edge=6)
    keys = 'temperature = "300 K"\nthermostat = "none"'
    text = HEAD + dynamics("produce", 500, keys).replace('"2 fs"', '"20 fs"').replace('"1000 fs"', '"10 ps"')
    (folder / "run.inp").write_text(text)
    result = program.run(folder, "-i", "run.inp", expect=UNSTABLE)
    for word in ("stage produce, step ", " ps)", "residue ", "atom ", "of the input"):
        require(word in result.err, f"the message does not speak of {word}\n{result}")
    require("copy" not in result.err, f"a residue is named by its copy\n{result}")


def test_atoms_on_one_place(program, folder, source):
    """What cannot be put onto its constraints at the start of a stage is placed as well."""
    harness.solution(folder, edge=6)
    lines = (folder / "box.gro").read_text().splitlines()
    atoms = [line[:20] + "   0.000" * 3 for line in lines[2:-1]]
    (folder / "box.gro").write_text("\n".join([*lines[:2], *atoms, lines[-1]]) + "\n")
    (folder / "run.inp").write_text(HEAD + dynamics("produce", 10, 'temperature = "300 K"'))
    result = program.run(folder, "-i", "run.inp", expect=UNSTABLE)
    for word in ("[MD551]", "stage produce, step 0 (0 ps)", "residue ", "atom ", "try:", "minimise"):
        require(word in result.err, f"the message does not speak of {word}\n{result}")


def overlap(folder, shift):
    """The second methanol on the first, `shift` [nm] away, and the last water exactly on the one before."""
    harness.solution(folder, edge=5)
    lines = (folder / "box.gro").read_text().splitlines()
    atoms = [(line[:20], [float(line[k : k + 8]) for k in (20, 28, 36)]) for line in lines[2:-1]]
    size = len(harness.METHANOL_ATOMS)
    for i in range(size):
        atoms[size + i][1][:] = [a + shift * d for a, d in zip(atoms[i][1], (0.8, 0.5, 0.3))]
    for i in (-3, -2, -1):
        atoms[i][1][:] = atoms[i - 3][1]
    text = [name + "".join(f"{c:15.10f}" for c in x) for name, x in atoms]
    (folder / "box.gro").write_text("\n".join([*lines[:2], *text, lines[-1]]) + "\n")


def test_molecules_on_top_of_each_other(program, folder, source):
    """They are minimised with constraints and without, energy says that its numbers are not the true ones."""
    stages = '[[stage]]\nname = "relax"\nkind = "minimise"\nstop_below = "500 kJ/mol/nm"\nmax_steps = 2000\n'
    keys = 'duration = "20 fs"\ntimestep = "0.5 fs"\ntemperature = "300 K"\n'
    stages += '[[stage]]\nname = "produce"\nkind = "dynamics"\n' + keys
    for constraints in ("none", "hydrogen-bonds"):
        head = HEAD.replace("[forces]", f'constraints = "{constraints}"\n[forces]')
        for shift in (0.02, 0.01, 0.004, 0.0):
            run = folder / f"{constraints}-{shift}"
            run.mkdir()
            overlap(run, shift)
            (run / "run.inp").write_text(head + stages)
            result = program.run(run, "energy", "-i", "run.inp", "--json", expect=FINISHED)
            require(json.loads(result.out)["clipped"] is True, "energy takes numbers that were held for true ones")
            require("note: atoms lie on top of each other" in result.err, str(result))
            program.run(run, "-i", "run.inp", expect=FINISHED)
            log = (run / "run.log").read_text()
            require("the largest force is below stop_below" in log, f"{run.name} is not minimised\n{log}")
            count = 6 if shift else 6 + 2 * len(harness.METHANOL_ATOMS)
            require(f"  {count} atoms lie exactly on others" in log, f"the log does not say what was moved\n{log}")
    harness.solution(folder, edge=5)
    (folder / "run.inp").write_text(HEAD + stages)
    result = program.run(folder, "energy", "-i", "run.inp", "--json", expect=FINISHED)
    require(json.loads(result.out)["clipped"] is False and "note:" not in result.err, str(result))


def test_restraints_of_the_topology(program, folder, source):
    """They hold the frame as `restrain` does: the motion of the centre of mass stays, and --check says so."""
    text = HEAD + dynamics("produce", 300, 'temperature = "300 K"\nthermostat = "none"')
    counts = {}
    for name in ("free", "held", "asked"):
        run = folder / name
        run.mkdir()
        harness.solution(run, edge=6)
        top = (run / "box.top").read_text()
        if name != "free":
            posres = "[ position_restraints ]\n1 1 1000 1000 1000\n5 1 1000 1000 1000\n"
            (run / "box.top").write_text(top.replace(harness.WATER, posres + harness.WATER))
        asked = 'remove_com = { every = "100 steps" }\n' if name == "asked" else ""
        (run / "run.inp").write_text(text + asked)
        out = program.run(run, "-i", "run.inp", "--check", expect=FINISHED).out
        counts[name] = degrees(program, run)
        require(("16 atoms restrained ([ position_restraints ]" in out) == (name != "free"), f"{name}:\n{out}")
        line = next(line for line in out.splitlines() if "remove_com.every" in line)
        require(('"0 steps"' in line and "position_restraints" in line) == (name == "held"), line)
    require(counts["held"] == counts["free"] + 3 == counts["asked"] + 3, f"degrees of freedom: {counts}")


def test_ewald_error(program, folder, source):
    """The error of plain Ewald, measured against a converged sum, is at or below what was asked for; a splitting that is
    given is kept, converged, and --check says so."""
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(HEAD.replace('"0.7 nm"', '"0.9 nm"') + 'electrostatics = "ewald"\n')

    def forces(*arguments):
        program.run(folder, "energy", "-i", "run.inp", "--precision", "double", "--forces", "f.csv", *arguments, expect=FINISHED)
        rows = (folder / "f.csv").read_text().splitlines()[1:]
        (folder / "f.csv").unlink()
        return [tuple(map(float, row.split(","))) for row in rows]

    def rms(vectors):
        return math.sqrt(sum(c * c for v in vectors for c in v) / (3 * len(vectors)))

    # Electrostatic forces alone: those of the same system without charges are taken off.
    exact = forces("--set", 'forces.ewald_splitting="6 /nm"')
    charged = (folder / "box.top").read_text()
    bare = "\n".join(" ".join(w if n != 6 else "0.0" for n, w in enumerate(line.split())) if len(line.split()) == 8 and
                     line.split()[0].isdigit() else line for line in charged.splitlines())
    (folder / "box.top").write_text(bare + "\n")
    rest = forces("--set", 'forces.ewald_splitting="6 /nm"')
    (folder / "box.top").write_text(charged)
    electric = rms([[a - b for a, b in zip(f, g)] for f, g in zip(exact, rest)])
    for wish in (1e-2, 5e-4, 1e-5):
        found = forces("--set", f"forces.force_error={wish}")
        error = rms([[a - b for a, b in zip(f, g)] for f, g in zip(found, exact)]) / electric
        require(0.02 * wish < error <= wish, f"force_error {wish}: measured {error:.3g}")
    out = program.run(folder, "-i", "run.inp", "--check", expect=FINISHED).out
    require("splitting" in out and "wave vectors up to" in out and "asked for 0.0005" in out, out)
    out = program.run(folder, "-i", "run.inp", "--check", "--set", 'forces.ewald_splitting="4 /nm"', expect=FINISHED).out
    require("splitting 4.00000 /nm" in out and "force_error chooses nothing" in out, out)


def test_dispersion_pressure(program, folder, source):
    """`dispersion_pressure` is what the correction adds to `pressure`, which is that of the forces alone."""
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(HEAD)
    common = ("energy", "-i", "run.inp", "--json", "--precision", "double")
    reports = [
        json.loads(program.run(folder, *common, "--set", f"forces.dispersion_correction={on}", expect=FINISHED).out)
        for on in ("true", "false")
    ]
    with_it, without = (report["pressure"] for report in reports)
    part = reports[0]["dispersion_pressure"]
    require(part < -1.0 and math.isclose(with_it - without, part, rel_tol=1e-6), f"{with_it} - {without} is not {part}")
    require(reports[1]["dispersion_pressure"] == 0.0, "a correction that is off has a pressure")
    volume = reports[0]["box"][0][0] ** 3
    trace = sum(reports[0]["virial"][a][a] for a in range(3)) / 3.0
    require(math.isclose(with_it, trace / volume * 16.6053906717, rel_tol=1e-8), "the pressure is not that of the virial")
    text = program.run(folder, *common[:3], expect=FINISHED).out
    require("no kinetic part" in text and "dispersion correction" in text, text)


def test_bench_starts_warm(program, folder, source):
    """Without velocities in the file bench draws them, for the temperature of the stage or 300 K. Argon stands still
    otherwise."""
    for file in ("argon.top", "argon.gro"):
        shutil.copy(source / "inputs" / "argon" / file, folder)
    lines = (folder / "argon.gro").read_text().splitlines()
    width = lines[2].index(".", lines[2].index(".") + 1) - lines[2].index(".")
    atoms = [line[: 20 + 3 * width] for line in lines[2:-1]]
    (folder / "argon.gro").write_text("\n".join([*lines[:2], *atoms, lines[-1]]) + "\n")
    head = '[system]\ntopology = "argon.top"\ncoordinates = "argon.gro"\n[forces]\nelectrostatics = "cutoff"\n'
    for keys, wanted in (('temperature = "90 K"', 90), ('thermostat = "none"', 300)):
        (folder / "run.inp").write_text(head + dynamics("produce", 100, keys))
        out = program.run(folder, "bench", "-i", "run.inp", "--steps", "3", "--json", expect=FINISHED).out
        found = json.loads(out)["temperature"]
        require(abs(found - wanted) < 0.1 * wanted, f"{found} K where {wanted} K were drawn")


def test_check_speaks_of_masses_and_kinds(program, folder, source):
    """Thirty kinds of methanol and one of water: twenty are named, the rest counted."""
    harness.solution(folder, edge=6, methanols=30)
    kinds = "".join(harness.METHANOL.replace("MOH 3", f"K{n:02d} 3") for n in range(30))
    top = (folder / "box.top").read_text().replace(harness.METHANOL, kinds)
    (folder / "box.top").write_text(top.replace("MOH 30\n", "".join(f"K{n:02d} 1\n" for n in range(30))))
    (folder / "run.inp").write_text(HEAD + dynamics("produce", 10, 'temperature = "300 K"'))
    out = program.run(folder, "-i", "run.inp", "--check", "--set", 'system.hydrogen_mass="3 u"', expect=FINISHED).out
    require("hydrogen mass 3 u: 120 hydrogens" in out, out)
    require("1 x K19 " in out and "1 x K20 " not in out and "and 11 more kinds of molecules" in out, out)
    require("K19: 4 bonds" in out and "K20: 4 bonds" not in out, out)
    text = program.run(folder, "info", "box.top", expect=FINISHED).out
    require("name K19" in text and "and 11 more" in text and "name K20" not in text, text)


def test_box_of_the_prmtop(program, folder, source):
    """A restart without a box beside a periodic prmtop: its box is used, and said; where its one angle does not tell the
    box, it is refused."""
    amber = source / "inputs" / "ubiquitin-amber"
    lines = (amber / "ubiquitin.inpcrd").read_text().splitlines()
    (folder / "no-box.inpcrd").write_text("\n".join(lines[:-1]) + "\n")
    shutil.copy(amber / "ubiquitin.inpcrd", folder)
    text = (amber / "ubiquitin.prmtop").read_text()
    (folder / "dodecahedron.prmtop").write_text(text)
    start = text.index("%FLAG POINTERS")
    counts, box = text[start:].split("%FLAG", 2)[1], "  6.00000171E+01  6.53144980E+01  6.53144980E+01  6.53144316E+01"
    require("       3      24" in counts and box in text, "the bundled prmtop has changed")
    text = text.replace(counts, counts.replace("       3      24", "       1      24"))
    (folder / "cuboid.prmtop").write_text(text.replace(box, "  9.00000000E+01" + box[16:]))

    def check(topology, coordinates):
        head = HEAD.replace("box.top", topology).replace("box.gro", coordinates)
        (folder / "run.inp").write_text(head + dynamics("produce", 10, 'temperature = "300 K"'))
        return program.run(folder, "-i", "run.inp", "--check")

    result = check("cuboid.prmtop", "ubiquitin.inpcrd")
    require(result.code == FINISHED and "box: of" not in result.out, str(result))
    result = check("cuboid.prmtop", "no-box.inpcrd")
    require(result.code == FINISHED and "box: of cuboid.prmtop, since no-box.inpcrd has none" in result.out, str(result))
    require("box 6.53145 6.53145 6.53144 /" in result.out, str(result))
    result = check("dodecahedron.prmtop", "no-box.inpcrd")
    require(result.code == INPUT and "[MD401]" in result.err and "system.box" in result.err, str(result))


TESTS = [
    test_velocity_verlet,
    test_last_minimisation,
    test_monte_carlo_semi_isotropic,
    test_box_that_shrinks,
    test_constraints_that_break,
    test_atoms_on_one_place,
    test_molecules_on_top_of_each_other,
    test_restraints_of_the_topology,
    test_ewald_error,
    test_dispersion_pressure,
    test_bench_starts_warm,
    test_check_speaks_of_masses_and_kinds,
    test_box_of_the_prmtop,
]

if __name__ == "__main__":
    harness.main(TESTS)

# SPDX-License-Identifier: Apache-2.0
"""Every word of selections means the same atoms wherever one may stand, and a mistake is placed at its word everywhere.

    test_selections.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness
from harness import FINISHED, INPUT, require

INPUT_FILE = """\
[system]
topology = "ubiquitin.top"
coordinates = "ubiquitin.gro"
velocities = "generate"
[output]
name = "run"
[[stage]]
name = "heat"
kind = "dynamics"
duration = "2 fs"
timestep = "2 fs"
temperature = "300 K"
"""


class System:
    """What the coordinate file says of its atoms: an independent reading."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        atoms = lines[2:-1]
        self.name = [line[10:15].strip() for line in atoms]
        self.resname = [line[5:10].strip() for line in atoms]
        self.resid = [int(line[:5]) for line in atoms]
        self.x = [tuple(map(float, line[20:].split()[:3])) for line in atoms]
        self.protein = [name not in ("SOL", "HOH", "NA", "CL", "NA+", "CL-") for name in self.resname]
        self.water = [name in ("SOL", "HOH") for name in self.resname]
        # The box is a dodecahedron; its vectors are (a 0 0) (0 b 0) (u v c).
        self.box = [float(word) for word in lines[-1].split()]

    def hydrogen(self, i):
        return self.name[i].startswith("H")

    def near(self, i, j, distance):
        a, b, c, _, _, _, _, u, v = self.box
        d = [p - q for p, q in zip(self.x[i], self.x[j])]
        images = ([(d[0] + n * a + l * u, d[1] + m * b + l * v, d[2] + l * c) for n in (-1, 0, 1) for m in (-1, 0, 1) for l in (-1, 0, 1)])
        return min(x * x + y * y + z * z for x, y, z in images) <= distance * distance

    def count(self, test):
        return sum(1 for i in range(len(self.name)) if test(i))


def words(s):
    """Selections, and who is in them."""
    backbone = {"N", "CA", "C", "O"}
    return {
        "all": lambda i: True,
        "protein": lambda i: s.protein[i],
        "backbone": lambda i: s.protein[i] and s.name[i] in backbone,
        "water": lambda i: s.water[i],
        "name CA CB": lambda i: s.name[i] in ("CA", "CB"),
        "name H?2": lambda i: re.fullmatch("H.2", s.name[i]),
        "name C*": lambda i: s.name[i].startswith("C"),
        "resname ALA, LYS": lambda i: s.resname[i] in ("ALA", "LYS"),
        "protein and resid 1-10 15 to 20": lambda i: s.protein[i] and (s.resid[i] <= 10 or 15 <= s.resid[i] <= 20),
        "index 1-10 20": lambda i: i < 10 or i == 19,
        "water and element o": lambda i: s.water[i] and not s.hydrogen(i),
        "protein and not element H": lambda i: s.protein[i] and not s.hydrogen(i),
        "molecule SOL": lambda i: s.water[i],
        "chain A": lambda i: s.protein[i],
        "within 0.4 nm of index 1": lambda i: s.near(i, 0, 0.4),
        "within 4 A of index 1 and water": lambda i: s.near(i, 0, 0.4) and s.water[i],
        "same residue as index 1": lambda i: s.protein[i] and s.resid[i] == s.resid[0],
        "same molecule as index 1": lambda i: s.protein[i],
        "name CA or name CB and resname ALA": lambda i: s.name[i] == "CA" or s.name[i] == "CB" and s.resname[i] == "ALA",
        "(name CA or name CB) and resname ALA": lambda i: s.name[i] in ("CA", "CB") and s.resname[i] == "ALA",
    }


# What is wrong, and the word that is.
MISTAKES = {
    "protein and protien": "protien",
    "resname ALA and resid 5-x": "5-x",
    "water and within 0.4 parsec of protein": "parsec",
    "name CA protein": "protein",
    "(name CA or )": ")",
    "element Qq or water": "Qq",
    "backbone && water": "&&",
}


def system(folder, source):
    for kind in ("top", "gro"):
        shutil.copy(source / "inputs" / "ubiquitin" / f"ubiquitin.{kind}", folder)
    (folder / "run.inp").write_text(INPUT_FILE)
    return System(folder / "ubiquitin.gro")


def atoms_of(program, folder, name):
    return json.loads(program.run(folder, "info", name, "--json", expect=FINISHED).out)["atoms"]


def test_words(program, folder, source):
    """Counts of `convert`, of restraints and of the trajectory of a run against a reading of the file by other code."""
    s = system(folder, source)
    wanted = {text: s.count(test) for text, test in words(s).items()}
    for text, count in wanted.items():
        require(count > 0, f"{text} says nothing")
        (folder / "part.dcd").unlink(missing_ok=True)
        program.run(folder, "convert", "ubiquitin.gro", "part.dcd", "--topology", "ubiquitin.top", "--select", text, expect=FINISHED)
        found = atoms_of(program, folder, "part.dcd")
        require(found == count, f"convert --select \"{text}\": {found} atoms, not {count}")
    entries = ", ".join(f'{{ select = "{text}", force_constant = "1 kJ/mol/nm^2" }}' for text in wanted)
    plan = program.run(folder, "-i", "run.inp", "--check", "--set", f"stage.heat.restrain=[{entries}]", expect=FINISHED).out
    for text, count in wanted.items():
        require(f"{count} atoms restrained ({text})" in plan, f"restrain: not {count} atoms of \"{text}\"\n{plan}")


def test_words_of_a_run(program, folder, source):
    """A run of a step writes the atoms that distances at its start select."""
    s = system(folder, source)
    text = "same residue as (water and within 0.4 nm of index 1) or backbone"
    near = {s.resid[i] for i in range(len(s.name)) if s.water[i] and s.near(i, 0, 0.4)}
    wanted = s.count(lambda i: s.water[i] and s.resid[i] in near or s.protein[i] and s.name[i] in ("N", "CA", "C", "O"))
    program.run(folder, "-i", "run.inp", "--set", f'output.trajectory={{every="1 steps", format=["xtc"], select="{text}"}}', expect=FINISHED)
    require(atoms_of(program, folder, "run.xtc") == wanted, f"{atoms_of(program, folder, 'run.xtc')} atoms in the run's frames, not {wanted}")


def placed(result, text, word):
    """The message gives the text and the number of the letter where that word of it begins."""
    require(text in result.err and "try:" in result.err, str(result))
    column = re.search(r"(?:at character|, column) (\d+):", result.err)
    require(column is not None, str(result))
    at = int(column.group(1)) - 1
    require(text[at:].startswith(word), f"the message points at \"{text[at:]}\", not at \"{word}\"\n{result}")


def test_mistakes(program, folder, source):
    system(folder, source)
    named = ("--topology", "ubiquitin.top")
    for text, word in MISTAKES.items():
        for option in ("--select", "--centre", "--fit"):
            placed(program.run(folder, "convert", "ubiquitin.gro", "out.dcd", *named, option, text, expect=INPUT), text, word)
        placed(program.run(folder, "map", "ubiquitin.gro", "out.dx", *named, "--select", text, expect=INPUT), text, word)
        for option in ("--select", "--fit"):
            placed(program.run(folder, "analyse", "ubiquitin.gro", "rmsd", *named, option, text, expect=INPUT), text, word)
        for key in ('output.trajectory={{every="1 steps", format=["xtc"], select="{}"}}', 'stage.heat.freeze="{}"',
                    'stage.heat.restrain=[{{select="{}", force_constant="1 kJ/mol/nm^2"}}]',
                    'output.map=[{{quantity="number", select="{}", every="1 steps"}}]'):
            placed(program.run(folder, "-i", "run.inp", "--check", "--set", key.format(text), expect=INPUT), text, word)


if __name__ == "__main__":
    harness.main([test_words, test_words_of_a_run, test_mistakes])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a GROMACS topology as one file: every #include inlined, only what the system uses kept.

    inline_topology.py IN.top OUT.top [--include DIR] [--title TEXT] [--comment TEXT ...]

Kept: [ defaults ], the moleculetypes that [ molecules ] names, the atom types of their atoms, the bonded types that
match at least one interaction of theirs (with wild cards), the #defines that are mentioned, and #ifdef blocks inside
moleculetypes (POSRES, FLEXIBLE), which stay switchable. Order is kept, so what a GROMACS reader picks is unchanged.
"""
import argparse
import os
import re
from collections import defaultdict

FORCE_FIELD_SECTIONS = {"defaults", "atomtypes", "bondtypes", "constrainttypes", "angletypes", "dihedraltypes",
                        "pairtypes", "nonbond_params", "implicit_genborn_params"}
# comments that speak of the files that were inlined, or of types that were dropped
REMARKS = re.compile(r";\s*(Include|In this topology include|entries for all|This means that|not restrained|"
                     r"spc |tip4p|tip5p|dummy|MW=|Dummy)")
# section of types -> (section of interactions that use them, number of atoms)
BONDED = {"bondtypes": ("bonds", 2), "angletypes": ("angles", 3), "dihedraltypes": ("dihedrals", 4)}


def read_lines(path, include_dirs):
    """All lines of a file with its includes in place."""
    for line in open(path):
        match = re.match(r'\s*#include\s+"([^"]+)"', line)
        if not match:
            yield line.rstrip()
            continue
        for folder in [os.path.dirname(path) or ".", *include_dirs]:
            candidate = os.path.join(folder, match.group(1))
            if os.path.exists(candidate):
                yield from read_lines(candidate, include_dirs)
                break
        else:
            raise SystemExit(f"{path}: cannot find {match.group(1)}")


def fields(line):
    return line.split(";")[0].split()


class Block:
    """A directive with its lines; `molecule` is None for the force field and the system."""

    def __init__(self, name, molecule):
        self.name, self.molecule, self.lines = name, molecule, []

    def rows(self):
        return [fields(line) for line in self.lines if fields(line) and not line.startswith("#")]


def parse(lines):
    """Blocks in order, and the #defines of the force field."""
    blocks, defines, molecule, block = [], [], None, None
    for line in lines:
        if line.startswith("#define"):
            defines.append(line)
            continue
        match = re.match(r"\s*\[\s*(\w+)\s*\]", line)
        if match:
            name = match.group(1)
            if name in FORCE_FIELD_SECTIONS or name in ("system", "molecules"):
                molecule = None
            elif name == "moleculetype":
                molecule = object()
            block = Block(name, molecule)
            blocks.append(block)
        elif line.startswith("#"):
            # a conditional may open before its first directive: it belongs where it stands
            block.lines.append(line)
        elif block is not None and line.strip():
            block.lines.append(line)
    return blocks, defines


def matches(types, actual):
    """Type names with wild cards against the bonded types of an interaction, forwards or backwards."""
    def one_way(names):
        return all(t in ("X", n) for t, n in zip(types, names))
    return one_way(actual) or one_way(actual[::-1])


def tidy(line):
    """Single spaces between columns save half the size of pdb2gmx's files; trailing comments stay."""
    if line.startswith((";", "#")):
        return re.sub(r"\s+", " ", line.rstrip())
    data, _, comment = line.partition(";")
    text = " ".join(data.split())
    return f"{text} ; {' '.join(comment.split())}" if comment.strip() else text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--include", action="append", default=["/usr/share/gromacs/top"])
    parser.add_argument("--title")
    parser.add_argument("--comment", action="append", default=[])
    options = parser.parse_args()

    blocks, defines = parse(read_lines(options.source, options.include))
    wanted = {row[0] for b in blocks if b.name == "molecules" for row in b.rows()}
    kept_molecules = {b.molecule for b in blocks if b.name == "moleculetype" and b.rows()[0][0] in wanted}
    kept = [b for b in blocks if b.molecule is None or b.molecule in kept_molecules]

    used_types, type_of = set(), defaultdict(dict)
    for b in kept:
        if b.name == "atoms":
            for row in b.rows():
                used_types.add(row[1])
                type_of[b.molecule][row[0]] = row[1]
    used = defaultdict(set)  # (section, function) -> tuples of types
    mentioned = set()
    for b in kept:
        for section, count in BONDED.values():
            if b.name == section:
                for row in b.rows():
                    used[section, row[count]].add(tuple(type_of[b.molecule][i] for i in row[:count]))
                    mentioned.update(row[count + 1:])

    for b in kept:
        if b.name == "atomtypes":
            b.lines = [x for x in b.lines if x.startswith(";") or (fields(x) and fields(x)[0] in used_types)]
        elif b.name in BONDED:
            section, count = BONDED[b.name]
            b.lines = [x for x in b.lines if x.startswith(";") or
                       (fields(x) and any(matches(fields(x)[:count], t) for t in used[section, fields(x)[count]]))]
        elif b.name in ("constrainttypes", "implicit_genborn_params"):
            b.lines = []
        if b.name in BONDED or b.name == "atomtypes":
            mentioned.update(word for row in b.rows() for word in row)
    kept = [b for b in kept if b.rows()]

    with open(options.target, "w") as out:
        for text in options.comment:
            out.write(f"; {text}\n")
        written_defines = False
        for b in kept:
            if b.name == "moleculetype" and not written_defines:
                written_defines = True
                chosen = [d for d in defines if d.split()[1] in mentioned]
                if chosen:
                    out.write("\n; named torsions: used below in [ dihedrals ]\n")
                    out.writelines(tidy(d) + "\n" for d in chosen)
            out.write(f"\n[ {b.name} ]\n")
            # an #ifdef between two directives is the last line of the first one's block
            for line in b.lines:
                if REMARKS.match(line):
                    continue
                if b.name == "system" and options.title and not line.startswith(";"):
                    line = options.title
                out.write(tidy(line) + "\n")


if __name__ == "__main__":
    main()

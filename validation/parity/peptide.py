# SPDX-License-Identifier: Apache-2.0
"""A stretched peptide with each of the twenty amino acids once, as a PDB file without hydrogens.

Side chains are those of ubiquitin (inputs/ubiquitin/ubiquitin.pdb), moved onto a backbone of ideal lengths and angles
(Engh and Huber, Acta Cryst. A 47 (1991) 392); cysteine, which ubiquitin lacks, is a serine with sulphur, and tryptophan
a phenylalanine whose ring is replaced by a regular pentagon and hexagon."""

import math

SEQUENCE = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET SER PRO PHE THR TRP TYR VAL".split()
BACKBONE = ("N", "CA", "C", "O")
PHI, PSI, OMEGA = -120.0, 130.0, 180.0


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def add(a, *scaled):
    """a + s1 v1 + s2 v2 ..."""
    return [x + sum(s * v[k] for s, v in scaled) for k, x in enumerate(a)]


def unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return [x / length for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def place(a, b, c, length, angle, dihedral):
    """The atom d with |cd|, angle b-c-d and dihedral a-b-c-d in degrees."""
    along = unit(sub(c, b))
    normal = unit(cross(sub(b, a), along))
    aside = cross(normal, along)
    angle, dihedral = math.radians(angle), math.radians(dihedral)
    return add(c, (-length * math.cos(angle), along), (length * math.sin(angle) * math.cos(dihedral), aside),
               (length * math.sin(angle) * math.sin(dihedral), normal))


def frame(n, ca, c):
    """Three axes at CA."""
    x = unit(sub(n, ca))
    z = unit(cross(x, sub(c, ca)))
    return x, cross(z, x), z


def side_chains(pdb):
    """Name of the residue -> (atom, place in the frame of its backbone), of the first residue that is complete."""
    found = {}
    residues = {}
    for line in pdb.read_text().splitlines():
        if line.startswith("ATOM") and line[76:78].strip() != "H" and line[16] in " A":
            place_of = [float(line[k : k + 8]) for k in (30, 38, 46)]
            residues.setdefault((line[17:20], int(line[22:26])), {})[line[12:16].strip()] = place_of
    for (name, _), atoms in residues.items():
        axes = frame(atoms["N"], atoms["CA"], atoms["C"])
        local = {a: [dot(sub(r, atoms["CA"]), axis) for axis in axes] for a, r in atoms.items() if a not in (*BACKBONE, "OXT")}
        if len(local) > len(found.get(name, ())):
            found[name] = local
    found["CYS"] = cysteine(found["SER"])
    found["TRP"] = tryptophan(found["PHE"])
    return found


def cysteine(serine):
    along = unit(sub(serine["OG"], serine["CB"]))
    return {"CB": serine["CB"], "SG": add(serine["CB"], (1.81, along))}


def tryptophan(phenylalanine):
    cb, cg = phenylalanine["CB"], phenylalanine["CG"]
    x = unit(sub(cg, cb))
    y = unit(add(sub(phenylalanine["CD1"], cg), (-dot(sub(phenylalanine["CD1"], cg), x), x)))
    five, six = 1.39 / (2.0 * math.sin(math.radians(36.0))), 1.40
    middle = add(cg, (five, x))
    at = lambda origin, radius, angle: add(  # noqa: E731
        origin, (radius * math.cos(math.radians(angle)), x), (radius * math.sin(math.radians(angle)), y))
    ring = {"CD1": at(middle, five, 108.0), "NE1": at(middle, five, 36.0), "CE2": at(middle, five, -36.0),
            "CD2": at(middle, five, -108.0)}
    # The hexagon lies across the edge CD2-CE2, whose outward normal is at -72 degrees.
    centre = at(middle, five * math.cos(math.radians(36.0)) + six * math.cos(math.radians(30.0)), -72.0)
    ring.update({name: at(centre, six, -72.0 + angle)
                 for name, angle in (("CE3", -90.0), ("CZ3", -30.0), ("CH2", 30.0), ("CZ2", 90.0))})
    return {"CB": cb, "CG": cg, **ring}


def backbone(count):
    """N, CA, C of every residue, and a place for the N after the last one."""
    n, ca = [0.0, 0.0, 0.0], [1.458, 0.0, 0.0]
    c = add(ca, (-1.525 * math.cos(math.radians(111.0)), [1.0, 0.0, 0.0]),
            (1.525 * math.sin(math.radians(111.0)), [0.0, 1.0, 0.0]))
    chain = []
    for residue in range(count):
        following = place(n, ca, c, 1.329, 116.6, PSI)
        chain.append((n, ca, c, following))
        next_ca = place(ca, c, following, 1.458, 121.7, OMEGA)
        phi = -70.0 if residue + 1 < count and SEQUENCE[residue + 1] == "PRO" else PHI
        n, ca, c = following, next_ca, place(c, following, next_ca, 1.525, 111.0, phi)
    return chain


def write_peptide(ubiquitin, path):
    chains = side_chains(ubiquitin)
    lines = []
    for number, (name, (n, ca, c, following)) in enumerate(zip(SEQUENCE, backbone(len(SEQUENCE))), 1):
        axes = frame(n, ca, c)
        atoms = {"N": n, "CA": ca, "C": c, "O": place(n, ca, c, 1.231, 120.1, PSI + 180.0)}
        for atom, local in chains.get(name, {}).items():
            atoms[atom] = add(ca, *zip(local, axes))
        if number == len(SEQUENCE):
            atoms["OXT"] = following
        for atom, (x, y, z) in atoms.items():
            lines.append(f"ATOM  {len(lines) + 1:5d}  {atom:<3} {name} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                         f"  1.00  0.00          {atom[0]:>2}")
    path.write_text("\n".join(lines) + "\nTER\nEND\n")

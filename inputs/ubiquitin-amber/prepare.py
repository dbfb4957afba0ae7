#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From ../ubiquitin/ubiquitin.top and .gro to ubiquitin.prmtop and ubiquitin.inpcrd: the same system in AMBER's formats.

Debian 12:  apt-get install --no-install-recommends python3-parmed
Writes the two files beside itself. Run it with Debian's own python3.
"""
import datetime
import os
import re

import parmed
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "ubiquitin")

# AMBER describes rigid TIP3P by three bonds (O-H, O-H, H-H) of 553 kcal/mol/A^2 and no angle: parm99.dat, frcmod.tip3p.
# Lengths are those of the GROMACS file (0.9572 and 1.5139 A), so that both files mean one and the same rigid molecule.
WATER_FORCE_CONSTANT = 553.0  # [kcal/mol/A^2]
WATER_NAMES = {"OW": "O", "HW1": "H1", "HW2": "H2"}
ION_NAMES = {"NA": "Na+", "CL": "Cl-"}


def keep_only(types, used):
    """Leave only these types in a list (by identity: ParmEd's remove() goes by value, and may take another one)."""
    del types[:]
    types.extend(used)
    types.claim()


def tidy_torsions(parm):
    """One type per set of values. ParmEd makes one per torsion, and gives 1-4 pairs with a hydroxyl hydrogen, whose
    Lennard-Jones energy is zero whatever the divisor, an SCNB of 1e10: the force field's 2.0 says the same plainly."""
    kept = {}
    for dihedral in parm.dihedrals:
        kind = dihedral.type
        if kind.scnb > 1e9:
            assert 0.0 in (dihedral.atom1.epsilon, dihedral.atom4.epsilon), dihedral
            kind.scnb = 2.0
        key = (kind.phi_k, kind.per, kind.phase, kind.scee, kind.scnb)
        dihedral.type = kept.setdefault(key, kind)
    keep_only(parm.dihedral_types, kept.values())
    parm.remake_parm()


def main():
    structure = parmed.gromacs.GromacsTopologyFile(os.path.join(SOURCE, "ubiquitin.top"), defines={})
    frame = parmed.gromacs.GromacsGroFile.parse(os.path.join(SOURCE, "ubiquitin.gro"))
    structure.coordinates = frame.coordinates
    structure.box = frame.box

    lengths = {"OH": parmed.BondType(WATER_FORCE_CONSTANT, 0.9572), "HH": parmed.BondType(WATER_FORCE_CONSTANT, 1.5139)}
    water_bonds = 0
    for bond in structure.bonds:
        if bond.atom1.residue.name != "SOL":
            continue
        elements = sorted((bond.atom1.atomic_number, bond.atom2.atomic_number))
        bond.type = lengths["HH" if elements == [1, 1] else "OH"]
        water_bonds += 1
    keep_only(structure.bond_types, {id(bond.type): bond.type for bond in structure.bonds}.values())

    waters = 0
    for residue in structure.residues:
        if residue.name == "SOL":
            residue.name = "WAT"
            waters += 1
            for atom in residue.atoms:
                atom.name = WATER_NAMES[atom.name]
        elif residue.name in ION_NAMES:
            residue.name = residue.atoms[0].name = ION_NAMES[residue.name]
        elif residue.name == "HIS":
            residue.name = "HIE"  # pdb2gmx chose the hydrogen on N-epsilon
    assert water_bonds == 3 * waters, (water_bonds, waters)

    parm = parmed.amber.AmberParm.from_structure(structure)
    tidy_torsions(parm)
    parm.title = "Ubiquitin in TIP3P water with 0.15 mol/l NaCl"
    parm.parm_data["TITLE"] = [parm.title]
    target = os.path.join(HERE, "ubiquitin.prmtop")
    parm.write_parm(target)
    # a fixed date, so that the file can be made again byte by byte
    text = open(target).read()
    text = re.sub(r"DATE = \S+ +\S+", "DATE = 01/01/26  00:00:00", text, count=1)
    open(target, "w").write(text)

    restart = parmed.amber.Rst7(natom=len(parm.atoms), title=parm.title)
    restart.coordinates = parm.coordinates
    restart.box = parm.box
    restart.write(os.path.join(HERE, "ubiquitin.inpcrd"))
    print(len(parm.atoms), "atoms,", len(parm.residues), "residues, box", parm.box, "IFBOX", parm.ptr("ifbox"))


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts a GROMACS topology and coordinates to AMBER files with ParmEd (Debian's python3-parmed).
usage: convert.py IN.top IN.gro OUT.prmtop OUT.inpcrd"""
import sys, math
import parmed as pmd
from parmed.topologyobjects import Bond, BondType

top, gro, prmtop, inpcrd = sys.argv[1:5]
s = pmd.gromacs.GromacsTopologyFile(top, xyz=gro)
# GROMACS keeps TIP3P rigid by [ settles ] and has no bonds for it; AMBER lists O-H, O-H and H-H with the force
# constant of its parm files (553 kcal/mol/A^2), and constrains them.
oh, hh = BondType(553.0, 0.9572, list=s.bond_types), BondType(553.0, 1.5139, list=s.bond_types)
s.bond_types += [oh, hh]
waters = [r for r in s.residues if r.name == 'SOL']
inside = {id(a) for r in waters for a in r.atoms}
for terms in (s.bonds, s.angles):
    keep = [t for t in terms if id(t.atom1) not in inside]
    for t in terms:
        if id(t.atom1) in inside: t.delete()
    terms[:] = keep
for r in waters:
    o, h1, h2 = r.atoms
    for a, b, t in ((o, h1, oh), (o, h2, oh), (h1, h2, hh)): s.bonds.append(Bond(a, b, t))
    r.name = 'WAT'
p = pmd.amber.AmberParm.from_structure(s)
p.save(prmtop, overwrite=True)
p.save(inpcrd, format='rst7', overwrite=True)

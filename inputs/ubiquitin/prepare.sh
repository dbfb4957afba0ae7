#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prepares ubiquitin in TIP3P water with Debian's GROMACS: ubiquitin.pdb -> ubiquitin.top, ubiquitin.gro.
# usage: prepare.sh WORKFOLDER   (packages: gromacs, freesasa for the coordinates)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1
mkdir -p "$work"; cd "$work"
source=/usr/share/freesasa/test-data/1ubq.pdb
[ -f ubiquitin.pdb ] || grep '^ATOM' "$source" > ubiquitin.pdb   # the protein without its crystal water
gmx="gmx -quiet -nobackup"
$gmx pdb2gmx -f ubiquitin.pdb -ff amber99sb-ildn -water tip3p -ignh -o protein.gro -p topol.top -i posre.itp
$gmx editconf -f protein.gro -bt dodecahedron -d 1.0 -o boxed.gro
$gmx solvate -cp boxed.gro -cs spc216.gro -p topol.top -o solvated.gro
printf 'integrator = steep\nnsteps = 400\nemtol = 500\ncutoff-scheme = Verlet\ncoulombtype = PME\nrcoulomb = 0.9\nrvdw = 0.9\n' > em.mdp
$gmx grompp -f em.mdp -c solvated.gro -p topol.top -o ions.tpr
echo SOL | $gmx genion -s ions.tpr -p topol.top -o ionised.gro -neutral -conc 0.15 -seed 1
$gmx grompp -f em.mdp -c ionised.gro -p topol.top -o em.tpr -pp processed.top
# A short minimisation takes away the overlaps that solvation leaves behind, so that every engine can start here.
$gmx mdrun -s em.tpr -deffnm em -ntmpi 1 -ntomp 2
echo System | $gmx trjconv -s em.tpr -f em.trr -pbc whole -ndec 6 -o whole.gro
# The preprocessed topology holds everything; the position restraints, which pdb2gmx keeps in posre.itp, go back in.
python3 - processed.top posre.itp ubiquitin.top <<'P'
import sys
lines = [l.rstrip() for l in open(sys.argv[1]) if l.strip() and not l.lstrip().startswith((';', '#'))]
restraints = [l.rstrip() for l in open(sys.argv[2]) if l.strip() and not l.lstrip().startswith(';')]
types = [i for i, l in enumerate(lines) if l.replace(' ', '') == '[moleculetype]']
first = next(i for i in types if lines[i + 1].startswith('Protein'))
after = next(i for i in types if i > first)
lines[after:after] = ['#ifdef POSRES'] + restraints + ['#endif']
open(sys.argv[3], 'w').write('; Ubiquitin in TIP3P water, AMBER99SB-ILDN; made by prepare.sh\n' + '\n'.join(lines) + '\n')
P
cp whole.gro ubiquitin.gro

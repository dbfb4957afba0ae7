#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prepares a box of TIP3P water with Debian's GROMACS: water.top, water.gro (with velocities). usage: prepare.sh WORKFOLDER
set -euo pipefail
mkdir -p "$1"; cd "$1"
gmx="gmx -quiet -nobackup"
cat > start.top <<'T'
#include "amber99sb-ildn.ff/forcefield.itp"
#include "amber99sb-ildn.ff/tip3p.itp"
[ system ]
TIP3P water
[ molecules ]
T
printf 'integrator = steep\nnsteps = 200\nemtol = 100\ncoulombtype = PME\nrcoulomb = 0.9\nrvdw = 0.9\n' > em.mdp
printf 'integrator = md\ndt = 0.002\nnsteps = 10000\nnstxout = 10000\nnstvout = 10000\ncoulombtype = PME\nrcoulomb = 0.9\nrvdw = 0.9\nDispCorr = EnerPres\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 300\npcoupl = C-rescale\ntau-p = 1\ncompressibility = 4.5e-5\nref-p = 1\ngen-vel = yes\ngen-temp = 300\ngen-seed = 7\n' > npt.mdp
$gmx solvate -cs spc216.gro -box 3.04 3.04 3.04 -maxsol 900 -p start.top -o start.gro
$gmx grompp -f em.mdp -c start.gro -p start.top -o em.tpr
$gmx mdrun -s em.tpr -deffnm em -ntmpi 1
$gmx grompp -f npt.mdp -c em.gro -p start.top -o npt.tpr -pp processed.top -maxwarn 1
$gmx mdrun -s npt.tpr -deffnm npt -ntmpi 1
echo System | $gmx trjconv -s npt.tpr -f npt.gro -pbc whole -o water.gro
# Of the preprocessed topology only what water needs.
cat > water.top <<'T'
; TIP3P water (Jorgensen et al., J. Chem. Phys. 79 (1983) 926) with AMBER's names and parameters; made by prepare.sh
[ defaults ]
; nbfunc  comb-rule  gen-pairs  fudgeLJ  fudgeQQ
  1       2          yes        0.5      0.8333
[ atomtypes ]
; name  at.num  mass     charge   ptype  sigma        epsilon
  OW    8       16.00    0.0000   A      3.15061e-01  6.36386e-01
  HW    1        1.008   0.0000   A      0.00000e+00  0.00000e+00
[ moleculetype ]
; name  nrexcl
  SOL   2
[ atoms ]
  1  OW  1  SOL  OW   1  -0.834  16.00000
  2  HW  1  SOL  HW1  1   0.417   1.00800
  3  HW  1  SOL  HW2  1   0.417   1.00800
[ settles ]
; OW  funct  doh      dhh
  1   1      0.09572  0.15139
[ exclusions ]
  1  2  3
  2  1  3
  3  1  2
[ system ]
TIP3P water
[ molecules ]
T
grep '^SOL' start.top >> water.top
$gmx grompp -f npt.mdp -c water.gro -p water.top -o check.tpr -maxwarn 1

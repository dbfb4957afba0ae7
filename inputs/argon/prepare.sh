#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prepares liquid argon with Debian's GROMACS: argon.top, argon.gro (with velocities). usage: prepare.sh WORKFOLDER
set -euo pipefail
mkdir -p "$1"; cd "$1"
gmx="gmx -quiet -nobackup"
cat > argon.top <<'T'
; Argon, sigma 0.3405 nm, epsilon/k 119.8 K (Rahman, Phys. Rev. 136 (1964) A405)
[ defaults ]
; nbfunc  comb-rule  gen-pairs  fudgeLJ  fudgeQQ
  1       2          no         1.0      1.0
[ atomtypes ]
; name  at.num  mass    charge  ptype  sigma    epsilon
  Ar    18      39.948  0.0     A      0.34050  0.99607
[ moleculetype ]
; name   nrexcl
  Argon  1
[ atoms ]
  1  Ar  1  AR  AR  1  0.0  39.948
[ system ]
Liquid argon
[ molecules ]
Argon 1728
T
python3 - > start.gro <<'P'
n, a = 12, 0.3618   # 12^3 atoms on a simple lattice at 1.40 g/cm^3 (liquid argon near 87 K)
print('Liquid argon'); print(n ** 3)
i = 0
for x in range(n):
    for y in range(n):
        for z in range(n):
            i += 1
            print('%5d%-5s%5s%5d%8.3f%8.3f%8.3f' % (i, 'AR', 'AR', i, x * a, y * a, z * a))
print('%10.5f%10.5f%10.5f' % ((n * a,) * 3))
P
printf 'integrator = md\ndt = 0.005\nnsteps = 10000\nrvdw = 0.9\nrcoulomb = 0.9\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 87\ngen-vel = yes\ngen-temp = 87\ngen-seed = 7\n' > md.mdp
$gmx grompp -f md.mdp -c start.gro -p argon.top -o md.tpr -maxwarn 1
$gmx mdrun -s md.tpr -deffnm md -ntmpi 1
cp md.gro argon.gro

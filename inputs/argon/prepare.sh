#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 1372 argon atoms as a liquid at 87 K, 1396 kg/m^3: argon.gro. (argon.top was written by hand.)
# Debian 12:  apt-get install --no-install-recommends gromacs gromacs-data python3
# Writes argon.gro beside itself. About a minute on one core.
. "$(dirname "$0")/../gromacs.sh"

# 1. A face-centred cubic crystal of 7 x 7 x 7 cells. The edge is that of the liquid at its boiling point (87.3 K, 1 bar),
#    1396 kg/m^3: edge^3 = 1372 x 39.948 u x 1.66053907e-27 kg / 1396 kg/m^3, edge = 4.02461 nm.
python3 - > crystal.gro <<PY
cells, edge = 7, 4.02461
print("Argon, face-centred cubic")
print(4 * cells**3)
number = 0
for i in range(cells):
    for j in range(cells):
        for k in range(cells):
            for dx, dy, dz in ((0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0)):
                number += 1
                x, y, z = ((n + d + .25) * edge / cells for n, d in ((i, dx), (j, dy), (k, dz)))
                print(f"{number:5d}AR   {'AR':>5s}{number:5d}{x:13.8f}{y:13.8f}{z:13.8f}")
print(f"{edge:13.8f}{edge:13.8f}{edge:13.8f}")
PY

# 2. Melt it at 200 K for 20 ps, hold it at 87 K for 200 ps; then 10 ps of velocity Verlet, so that the velocities in the
#    file belong to the same moment as the positions (leap-frog's are half a step late).
common() { cat <<MDP
cutoff-scheme   = Verlet
coulombtype     = Cut-off
rcoulomb        = 1.0
rvdw            = 1.0
dt              = 0.005
nstcalcenergy   = 10
nstenergy       = 500
tcoupl          = v-rescale
tc-grps         = System
tau-t           = 1
ld-seed         = 1
MDP
}
{ common; echo "integrator = md
nsteps = 4000
ref-t = 200
gen-vel = yes
gen-temp = 200
gen-seed = 87"; } > melt.mdp
{ common; echo "integrator = md
nsteps = 40000
ref-t = 87
continuation = yes"; } > hold.mdp
{ common; echo "integrator = md-vv
nsteps = 2000
nstxout = 2000
nstvout = 2000
ref-t = 87
continuation = yes"; } > last.mdp
from="-c crystal.gro"
for stage in melt hold last; do
    gmx grompp -f $stage.mdp $from -p "$here/argon.top" -o $stage.tpr -maxwarn 1
    gmx mdrun -s $stage.tpr -deffnm $stage -nt 1
    from="-c $stage.gro -t $stage.cpt"
done
printf 'Potential\nPressure\nTemperature\n\n' | gmx energy -f hold.edr -b 70 -o energy.xvg
echo System | gmx rdf -s hold.tpr -f last.gro -ref System -sel System -o rdf.xvg -bin 0.02
grep -v '^[#@]' rdf.xvg | awk '$1 < 1.2'

# 3. Atoms inside the box, 8 decimals, velocities.
echo System | gmx trjconv -s last.tpr -f last.trr -dump 10 -pbc atom -o whole.g96
python3 "$here/../g96_to_gro.py" whole.g96 last.gro "$here/argon.gro" "1372 argon atoms, liquid at 87 K"

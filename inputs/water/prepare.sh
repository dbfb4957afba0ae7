#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A cube of 900 TIP3P waters, equilibrated at 300 K and 1 bar: water.top and water.gro.
# Debian 12:  apt-get install --no-install-recommends gromacs gromacs-data python3
# Writes the two files beside itself. A few minutes on one core.
. "$(dirname "$0")/../gromacs.sh"

cat > topol.top <<TOP
#include "amber99sb-ildn.ff/forcefield.itp"
#include "amber99sb-ildn.ff/tip3p.itp"
[ system ]
Water
[ molecules ]
SOL 900
TOP

# 1. Fill a cube; 3.1 nm takes some more than 900, the rest is left out.
gmx solvate -cs spc216.gro -box 3.1 3.1 3.1 -maxsol 900 -o filled.gro

# 2. Minimise, 20 ps at constant volume, 100 ps at 1 bar, and 2 ps of velocity Verlet at the last volume, so that the
#    velocities in the file belong to the same moment as the positions (leap-frog's are half a step late).
common() { cat <<MDP
cutoff-scheme     = Verlet
coulombtype       = PME
rcoulomb          = 0.9
rvdw              = 0.9
DispCorr          = EnerPres
fourierspacing    = 0.12
nstcalcenergy     = 10
nstenergy         = 500
ld-seed           = 1
MDP
}
{ common; echo "integrator = steep
nsteps = 100
emtol = 100"; } > minimise.mdp
thermostat="dt = 0.002
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300"
{ common; echo "integrator = md
nsteps = 10000
$thermostat
gen-vel = yes
gen-temp = 300
gen-seed = 900"; } > warm.mdp
{ common; echo "integrator = md
nsteps = 50000
$thermostat
pcoupl = C-rescale
tau-p = 1
ref-p = 1
compressibility = 4.5e-5
continuation = yes"; } > settle.mdp
{ common; echo "integrator = md-vv
nsteps = 1000
$thermostat
nstxout = 1000
nstvout = 1000
nstcomm = 100
continuation = yes"; } > last.mdp

gmx grompp -f minimise.mdp -c filled.gro -p topol.top -o minimise.tpr
gmx mdrun -s minimise.tpr -deffnm minimise -nt 1
from="-c minimise.gro"
for stage in warm settle last; do
    gmx grompp -f $stage.mdp $from -p topol.top -o $stage.tpr -maxwarn 1
    gmx mdrun -s $stage.tpr -deffnm $stage -nt 1
    from="-c $stage.gro -t $stage.cpt"
done
printf 'Density\nPressure\nTemperature\n\n' | gmx energy -f settle.edr -b 20 -o energy.xvg

# 3. Whole molecules, 8 decimals, velocities; one topology file.
echo System | gmx trjconv -s last.tpr -f last.trr -dump 2 -pbc mol -o whole.g96
python3 "$here/../g96_to_gro.py" whole.g96 last.gro "$here/water.gro" "900 TIP3P waters at 300 K and 1 bar"
python3 "$here/../inline_topology.py" topol.top "$here/water.top" --title "900 TIP3P waters" \
    --comment "TIP3P water, rigid (SETTLE); GROMACS format, no includes. Made by prepare.sh; see README.md." \
    --comment "Parameters from tip3p.itp in GROMACS' amber99sb-ildn.ff. Switch: FLEXIBLE (springs in place of SETTLE)."

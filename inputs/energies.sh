#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Potential energy of every bundled system, term by term, by GROMACS in double precision: numbers to hold mdsim against.
#
#   energies.sh [cut|shift]       cut (default): exact cutoff of Lennard-Jones; shift: shifted to zero at the cutoff
#
# Cutoff 0.9 nm, Ewald splitting 4.5 /nm, PME of order 12 on a grid of at most 0.065 nm: Coulomb energies are converged to
# about 1e-8. Atoms stay where the files have them; rigid water has no bond or angle terms.
# The AMBER form is turned back into a GROMACS topology by ParmEd first.
# Debian 12:  apt-get install --no-install-recommends gromacs gromacs-data python3-parmed
. "$(dirname "$0")/gromacs.sh"
modifier=None
[ "${1:-cut}" = shift ] && modifier=Potential-shift

/usr/bin/python3 - "$here/ubiquitin-amber/ubiquitin" <<PY
import sys
import parmed
amber = parmed.amber.AmberParm(sys.argv[1] + ".prmtop", sys.argv[1] + ".inpcrd")
parmed.gromacs.GromacsTopologyFile.from_structure(amber).save("amber.top")
amber.save("amber.gro", precision=8)
# ParmEd gives the box five decimals only
a, b, c = (v.value_in_unit(parmed.unit.nanometer) for v in parmed.geometry.box_lengths_and_angles_to_vectors(*amber.box))
lines = open("amber.gro").read().splitlines()
lines[-1] = " ".join(f"{x:.9f}" for x in (a[0], b[1], c[2], a[1], a[2], b[0], b[2], c[0], c[1]))
open("amber.gro", "w").write("\n".join(lines) + "\n")
PY

# ewald-rtol = erfc(4.5/nm x 0.9 nm)
common="cutoff-scheme = Verlet
integrator = md
nsteps = 0
continuation = yes
constraints = none
comm-mode = none
nstlist = 1
verlet-buffer-tolerance = -1
rlist = 1.0
rvdw = 0.9
rcoulomb = 0.9
vdw-modifier = $modifier
DispCorr = EnerPres"
echo "$common
coulombtype = PME
coulomb-modifier = None
ewald-rtol = 1.01882449e-8
pme-order = 12
fourierspacing = 0.065" > charged.mdp
echo "$common
coulombtype = Cut-off" > neutral.mdp

evaluate() { # name, settings, coordinates, topology
    gmx_d -quiet grompp -f "$2" -c "$3" -p "$4" -o "$1.tpr" -maxwarn 2 > "$1.grompp" 2>&1
    gmx_d -quiet mdrun -s "$1.tpr" -deffnm "$1" -nt 1 > "$1.mdrun" 2>&1
    echo "== $1"
    seq 40 | gmx_d -quiet energy -f "$1.edr" -dp -o "$1.xvg" > /dev/null 2>&1
    awk -F'"' '/^@ s[0-9]+ legend/ {name[++n] = $2} !/^[#@]/ {split($0, value, " "); for (i = 1; i <= n; i++)
        if (name[i] !~ /Kinetic|Total|Temp|Surf|T-rest|Box/) printf "%-16s %20.6f\n", name[i], value[i + 1]}' "$1.xvg"
}
evaluate ubiquitin       charged.mdp "$here/ubiquitin/ubiquitin.gro" "$here/ubiquitin/ubiquitin.top"
evaluate ubiquitin-amber charged.mdp amber.gro amber.top
evaluate water           charged.mdp "$here/water/water.gro" "$here/water/water.top"
evaluate argon           neutral.mdp "$here/argon/argon.gro" "$here/argon/argon.top"

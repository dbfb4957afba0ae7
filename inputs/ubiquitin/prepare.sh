#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# From ubiquitin.pdb (PDB entry 1UBQ, unchanged) to ubiquitin.top and ubiquitin.gro.
# Debian 12:  apt-get install --no-install-recommends gromacs gromacs-data python3
# Run in any place; writes the two files beside itself. About a minute on one core.
. "$(dirname "$0")/../gromacs.sh"

# 1. Protein only: the 58 crystal waters are dropped, water is added afresh in step 3.
#    pdb2gmx adds hydrogens at neutral pH: charged ends, Lys+ Arg+ Asp- Glu-; His68 by its hydrogen bonds.
grep '^ATOM' "$here/ubiquitin.pdb" > protein.pdb
gmx pdb2gmx -f protein.pdb -o protein.gro -p topol.top -i posre.itp -ff amber99sb-ildn -water tip3p

# 2. Rhombic dodecahedron, 1.02 nm from the protein to each face: 1.00 nm after the volume has settled at 1 bar.
gmx editconf -f protein.gro -o box.gro -bt dodecahedron -d 1.02 -c

# 3. Water, then 0.15 mol/l of NaCl in place of some of it. The protein is neutral already.
gmx solvate -cp box.gro -cs spc216.gro -p topol.top -o solvated.gro
cat > minimise.mdp <<MDP
integrator      = steep
nsteps          = 200
ld-seed         = 1
emtol           = 1000
emstep          = 0.01
cutoff-scheme   = Verlet
coulombtype     = PME
rcoulomb        = 0.9
rvdw            = 0.9
constraints     = none
MDP
gmx grompp -f minimise.mdp -c solvated.gro -p topol.top -o ions.tpr -maxwarn 1
echo SOL | gmx genion -s ions.tpr -p topol.top -o salted.gro -pname NA -nname CL -neutral -conc 0.15 -seed 2026

# 4. Two hundred steps of steepest descent take away overlaps, no more: the rest is left to mdsim's first stage.
gmx grompp -f minimise.mdp -c salted.gro -p topol.top -o minimise.tpr
gmx_d -quiet mdrun -s minimise.tpr -nt 1 -o minimise.trr -c minimised.gro

# 5. Whole molecules around the protein; 8 decimals, so that nothing is lost against the 7 decimals in Angstrom of AMBER files.
printf 'Protein\nSystem\n' | gmx trjconv -s minimise.tpr -f minimise.trr -o whole.g96 \
    -pbc mol -ur compact -center
python3 "$here/../g96_to_gro.py" whole.g96 minimised.gro "$here/ubiquitin.gro" "Ubiquitin in TIP3P water with 0.15 mol/l NaCl"

# 6. One topology file.
python3 "$here/../inline_topology.py" topol.top "$here/ubiquitin.top" \
    --title "Ubiquitin in TIP3P water with 0.15 mol/l NaCl" \
    --comment "Ubiquitin (PDB entry 1UBQ), AMBER99SB-ILDN, TIP3P, NaCl; GROMACS format, no includes." \
    --comment "Made by prepare.sh with pdb2gmx, solvate and genion of GROMACS 2022.5; see README.md." \
    --comment "Force-field parameters from GROMACS' amber99sb-ildn.ff, reduced to what this system uses." \
    --comment "Switches: POSRES (restrain the protein's heavy atoms), POSRES_WATER, FLEXIBLE (water with springs)."

# 7. The one-file topology must mean the same as GROMACS' own: the two run inputs may differ in nothing.
for switch in "" -DPOSRES -DPOSRES_WATER -DFLEXIBLE; do
    cp minimise.mdp check.mdp
    echo "define = $switch" >> check.mdp
    gmx grompp -f check.mdp -c "$here/ubiquitin.gro" -r "$here/ubiquitin.gro" -p topol.top -o original.tpr -maxwarn 2 2> /dev/null
    gmx grompp -f check.mdp -c "$here/ubiquitin.gro" -r "$here/ubiquitin.gro" -p "$here/ubiquitin.top" -o inlined.tpr -maxwarn 2 2> /dev/null
    gmx dump -s original.tpr 2> /dev/null | grep -vE 'tpr|^   name=|buffer size' > original.txt
    gmx dump -s inlined.tpr  2> /dev/null | grep -vE 'tpr|^   name=|buffer size' > inlined.txt
    cmp original.txt inlined.txt
    echo "inlined topology equals the original with define = '$switch'"
done

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drift of the total energy at constant energy: runs mdsim without a thermostat and fits a line to the total energy.
usage: run.py PROGRAM TOPOLOGY COORDINATES FOLDER [PICOSECONDS=100] [THREADS=2] [KEY=VALUE ...]
The run begins with 2 ps that are not counted. Prints the slope [kJ/mol/ns per atom] and its error from blocks."""
import csv
import statistics
import subprocess
import sys
from pathlib import Path


def slope(times, values):
    t, v = statistics.fmean(times), statistics.fmean(values)
    return sum((a - t) * (b - v) for a, b in zip(times, values)) / sum((a - t) ** 2 for a in times)


def block_error(times, values, blocks=10):
    """Standard error of the slope from the scatter of block means about the fitted line."""
    size = len(values) // blocks
    means = [statistics.fmean(values[i * size:(i + 1) * size]) for i in range(blocks)]
    centres = [statistics.fmean(times[i * size:(i + 1) * size]) for i in range(blocks)]
    b = slope(centres, means)
    middle, level = statistics.fmean(centres), statistics.fmean(means)
    residual = sum((m - level - b * (c - middle)) ** 2 for c, m in zip(centres, means))
    return (residual / (blocks - 2) / sum((c - middle) ** 2 for c in centres)) ** 0.5


def main():
    program, topology, coordinates = (str(Path(p).resolve()) for p in sys.argv[1:4])
    folder = Path(sys.argv[4])
    picoseconds = float(sys.argv[5]) if len(sys.argv) > 5 else 100.0
    threads = sys.argv[6] if len(sys.argv) > 6 else '2'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'nve.inp').write_text(f'''[system]
topology = "{topology}"
coordinates = "{coordinates}"
velocities = "file"
[output]
trajectory = []
energies = {{ every = "0.05 ps" }}
log = {{ every = "10 ps" }}
[[stage]]
name = "nve"
kind = "dynamics"
duration = "{picoseconds} ps"
timestep = "2 fs"
thermostat = "none"
''')
    settings = [word for key in sys.argv[7:] for word in ('--set', key)]
    subprocess.run([program, '-i', 'nve.inp', '--threads', threads, *settings], cwd=folder, check=True)
    rows = list(csv.DictReader(open(folder / 'nve.energies.csv')))
    kept = [r for r in rows if float(r['time [ps]']) >= 2.0]
    times = [float(r['time [ps]']) for r in kept]
    energies = [float(r['total [kJ/mol]']) for r in kept]
    log = (folder / 'nve.log').read_text()
    atoms = int(log[log.index('system: ') + 8:].split()[0])
    scale = 1000.0 / atoms
    print(f'{atoms} atoms, {times[-1] - times[0]:.1f} ps: drift {scale * slope(times, energies):+.4f} '
          f'+- {scale * block_error(times, energies):.4f} kJ/mol/ns per atom, '
          f'standard deviation of the total energy {statistics.pstdev(energies):.2f} kJ/mol')


main()

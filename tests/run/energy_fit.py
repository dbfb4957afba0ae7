# SPDX-License-Identifier: Apache-2.0
"""How well a run conserves its energy: the drift of the total energy, its error, and the fluctuation about the drift."""

import csv
import re
import statistics


def total_energies(folder, name, begin=0.0):
    """Times [ps] and total energies [kJ/mol] of a run's NAME.energies.csv, from `begin` [ps] on."""
    with open(folder / f"{name}.energies.csv", newline="") as file:
        rows = [(float(row["time [ps]"]), float(row["total [kJ/mol]"])) for row in csv.DictReader(file)]
    kept = [row for row in rows if row[0] >= begin - 1e-9]
    return [row[0] for row in kept], [row[1] for row in kept]


def atoms_of(folder, name):
    return int(re.search(r"^system: (\d+) atoms", (folder / f"{name}.log").read_text(), re.MULTILINE).group(1))


def slope(times, values):
    """Of the straight line with the least squares."""
    t, v = statistics.fmean(times), statistics.fmean(values)
    return sum((a - t) * (b - v) for a, b in zip(times, values)) / sum((a - t) ** 2 for a in times)


def block_error(times, values, blocks=10):
    """Standard error of the slope from the scatter of block means about their fitted line."""
    size = len(values) // blocks
    means = [statistics.fmean(values[i * size : (i + 1) * size]) for i in range(blocks)]
    centres = [statistics.fmean(times[i * size : (i + 1) * size]) for i in range(blocks)]
    b = slope(centres, means)
    middle, level = statistics.fmean(centres), statistics.fmean(means)
    residual = sum((m - level - b * (c - middle)) ** 2 for c, m in zip(centres, means))
    return (residual / (blocks - 2) / sum((c - middle) ** 2 for c in centres)) ** 0.5


def drift(folder, name, begin=0.0):
    """Drift of the total energy and its standard error, both [kJ/mol/ns per atom]."""
    times, energies = total_energies(folder, name, begin)
    scale = 1000.0 / atoms_of(folder, name)
    return scale * slope(times, energies), scale * block_error(times, energies)


def fluctuation(folder, name, begin=0.0):
    """Standard deviation of the total energy about its fitted line [kJ/mol]."""
    times, energies = total_energies(folder, name, begin)
    b, t, e = slope(times, energies), statistics.fmean(times), statistics.fmean(energies)
    return statistics.pstdev(energy - e - b * (time - t) for time, energy in zip(times, energies))

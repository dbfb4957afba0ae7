#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Density and oxygen-oxygen radial distribution of a run of water.inp; needs numpy and h5py.

    analyse.py FOLDER [--settle 20]

FOLDER holds water.energies.csv and water.h5; the first --settle ps are not counted. Exit code 1 where the density is
more than 0.3 % from the published one or the first peak more than 0.003 nm."""

import argparse
import csv
import sys
from pathlib import Path

import h5py
import numpy as np

PUBLISHED_DENSITY, PUBLISHED_PEAK = 984.62, 0.277  # [kg/m^3], [nm]; sources in README.md
COMPRESSIBILITY = 5.8e-5  # of TIP3P [1/bar]
BIN = 0.002  # [nm]


def block_error(values, blocks=20):
    means = [part.mean() for part in np.array_split(values, blocks)]
    return np.std(means, ddof=1) / blocks**0.5


def correlation_time(values, interval):
    """Integrated autocorrelation time up to the first zero crossing."""
    d = values - values.mean()
    spectrum = np.abs(np.fft.rfft(d, 2 * len(d))) ** 2
    c = np.fft.irfft(spectrum)[: len(d)] / np.arange(len(d), 0, -1)
    c = c[: np.argmax(c <= 0.0)] / c[0]
    return interval * (0.5 + c[1:].sum())


def energies(folder, settle):
    """Time [ps], density [kg/m^3] and pressure [bar] of every line."""
    columns = ("time [ps]", "density [kg/m^3]", "pressure [bar]")
    with open(folder / "water.energies.csv", newline="") as file:
        rows = np.array([[float(row[column]) for column in columns] for row in csv.DictReader(file)])
    return rows[rows[:, 0] >= settle].T


def radial_distribution(folder, settle, reach=0.6):
    """Centres of the bins [nm] and g(r) of the frames' oxygens, each frame with its own box."""
    edges = np.arange(0.0, reach + 0.5 * BIN, BIN)
    sums, frames = np.zeros(len(edges) - 1), 0
    with h5py.File(folder / "water.h5", "r") as file:
        group = next(iter(file["particles"].values()))
        for n, time in enumerate(group["position/time"][()]):
            if time < settle:
                continue
            x, box = group["position/value"][n], np.diag(group["box/edges/value"][n])
            i, j = np.triu_indices(len(x), 1)
            d = x[i] - x[j]
            d -= box * np.round(d / box)
            counts, _ = np.histogram(np.sqrt((d * d).sum(axis=1)), edges)
            shells = 4.0 / 3.0 * np.pi * np.diff(edges**3)
            sums += counts / (len(i) * shells / box.prod())
            frames += 1
    return 0.5 * (edges[1:] + edges[:-1]), sums / frames


def peak(r, g):
    """Position and height of the first peak, from a cubic through the bins within 0.012 nm of the highest one."""
    near = np.abs(r - r[np.argmax(g)]) <= 0.012
    origin = r[np.argmax(g)]
    cubic = np.polynomial.Polynomial.fit(r[near] - origin, g[near], 3)
    tops = [t.real for t in cubic.deriv().roots() if abs(t.imag) < 1e-9 and cubic.deriv(2)(t.real) < 0.0]
    top = min(tops, key=abs)
    return origin + top, cubic(top)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--settle", type=float, default=20.0)
    options = parser.parse_args()
    time, density, pressure = energies(options.folder, options.settle)
    mean = density.mean()
    print(f"{time[-1] - time[0]:.0f} ps: density {mean:.2f} +- {block_error(density):.2f} kg/m^3, "
          f"{100 * (mean / PUBLISHED_DENSITY - 1):+.2f} % from the published one; "
          f"standard deviation {density.std():.2f}, correlation time {correlation_time(density, time[1] - time[0]):.1f} ps")
    at_1_bar = density * (1.0 - COMPRESSIBILITY * (pressure - 1.0))
    print(f"with the pressure, {pressure.mean():.1f} +- {block_error(pressure):.1f} bar, taken to 1 bar: "
          f"{at_1_bar.mean():.2f} +- {block_error(at_1_bar):.2f} kg/m^3")
    position, height = peak(*radial_distribution(options.folder, options.settle))
    print(f"first peak of g_OO at {position:.4f} nm ({position - PUBLISHED_PEAK:+.4f}), height {height:.3f}")
    good = abs(mean / PUBLISHED_DENSITY - 1) <= 0.003 and abs(position - PUBLISHED_PEAK) <= 0.003
    sys.exit(0 if good else 1)


main()

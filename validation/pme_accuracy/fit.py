#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the error model of src/forces/mesh/pme_parameters.cpp to measured mesh errors.

    unit_mesh "[calibration]" | grep , > mesh_errors.csv ; python3 fit.py mesh_errors.csv

Needs numpy. Prints the five coefficients of each order and, for every system, measured over fitted errors.
"""
import csv
import sys

import numpy as np

KE = 138.935457644  # kJ nm/mol/e^2, CODATA 2018
IONS = ("molten NaCl", "disturbed NaCl lattice")


def design(rows):
    """Columns 1, x, x^2, y, x y with x = ln(beta h / 0.35), y = ln(beta / 3)."""
    x = np.log([r["beta"] * r["spacing"] / 0.35 for r in rows])
    y = np.log([r["beta"] / 3.0 for r in rows])
    return np.stack([np.ones_like(x), x, x * x, y, x * y], axis=1)


def scaled_errors(rows):
    """ln of the error over ke <q^2> sqrt(beta N/V); molecules keep a density of at least 100 atoms/nm^3."""
    density = [r["density"] if r["system"] in IONS else max(r["density"], 100.0) for r in rows]
    size = [KE * r["mean_square_charge"] * np.sqrt(r["beta"] * d) for r, d in zip(rows, density)]
    return np.log([r["error"] / s for r, s in zip(rows, size)])


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        rows = [{k: v if k == "system" else float(v) for k, v in r.items()} for r in csv.DictReader(file)]
    rows = [r for r in rows if 0.15 < r["beta"] * r["spacing"] < 0.65]
    for order in (4, 5, 6):
        of_order = [r for r in rows if r["order"] == order]
        fitted = [r for r in of_order if r["system"] not in IONS and "spce" not in r["system"]]
        coefficients = np.linalg.lstsq(design(fitted), scaled_errors(fitted), rcond=None)[0]
        print(f"order {order}:", ", ".join(f"{c:.3f}" for c in coefficients))
        for system in dict.fromkeys(r["system"] for r in of_order):
            some = [r for r in of_order if r["system"] == system]
            ratio = np.exp(scaled_errors(some) - design(some) @ coefficients)
            print(f"  {system:24s} measured / fitted {ratio.min():.2f} to {ratio.max():.2f}, median {np.median(ratio):.2f}")


if __name__ == "__main__":
    main()

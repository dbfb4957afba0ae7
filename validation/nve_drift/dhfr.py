# SPDX-License-Identifier: Apache-2.0
"""DHFR/JAC in water, 23,558 atoms, whose files are not part of this repository (README.md)."""

import gzip

DECK = """\
[system]
topology = "topol.top"
coordinates = "conf.gro"
velocities = "file"
[output]
trajectory = []
log = { every = "10 ps" }
[[stage]]
name = "produce"
kind = "dynamics"
duration = "1 ps"
timestep = "2 fs"
temperature = "300 K"
"""


def unpack(folder, files):
    """Writes topol.top and conf.gro, which are plain or .gz in the folder `files`, and dhfr.inp. Returns its path."""
    for name in ("topol.top", "conf.gro"):
        packed = files / f"{name}.gz"
        with gzip.open(packed) if packed.exists() else open(files / name, "rb") as file:
            (folder / name).write_bytes(file.read())
    (folder / "dhfr.inp").write_text(DECK)
    return folder / "dhfr.inp"

# SPDX-License-Identifier: Apache-2.0
"""The systems of the device check: water tiled from inputs/water, ubiquitin in water, and DHFR where its files are at hand."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "run"), str(SOURCE / "validation" / "nve_drift")]
import dhfr as dhfr_files  # noqa: E402
import large_water  # noqa: E402


@dataclass
class System:
    """An input file with a stage `produce`, and keys that go with it."""

    name: str
    deck: Path
    keys: tuple = field(default=())

    def with_keys(self, *keys, name=None):
        return System(name or self.name, self.deck, (*self.keys, *keys))

    def at_4_fs(self):
        """Hydrogens of 3 u, so that steps of 4 fs work; water is rigid and keeps its masses."""
        return self.with_keys('system.hydrogen_mass="3 u"', 'stage.produce.timestep="4 fs"', name=f"{self.name}, 4 fs")


def water(folder, tiles):
    """900 waters repeated tiles[k] times along each axis."""
    folder = folder / "water-{}-{}-{}".format(*tiles)
    if not (folder / "water.inp").exists():
        folder.mkdir(parents=True)
        large_water.tile(SOURCE, folder, tiles)
    atoms = 2700 * tiles[0] * tiles[1] * tiles[2]
    size = f"{atoms / 1e6:.2f}M" if atoms >= 1e6 else f"{atoms / 1e3:.0f}k"
    return System(f"water {size}", folder / "water.inp")


def ubiquitin():
    return System("ubiquitin", SOURCE / "validation" / "gpu" / "ubiquitin.inp")


def dhfr(folder, files):
    """DHFR/JAC, 23,558 atoms: topol.top and conf.gro, plain or .gz, from the folder `files`."""
    folder = folder / "dhfr"
    if not folder.exists():
        folder.mkdir(parents=True)
        dhfr_files.unpack(folder, files)
    return System("DHFR", folder / "dhfr.inp")

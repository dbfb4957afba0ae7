# SPDX-License-Identifier: Apache-2.0
"""A fifth of validation/million: 216,000 atoms of water stay below its bounds.

    test_large_system.py PROGRAM SOURCE_DIR [TEST...]
"""

import harness
import large_water
from harness import require


def test_memory_and_time(program, folder, source):
    atoms = large_water.tile(source, folder, (5, 4, 4))
    cost = large_water.measure(program.path, folder, atoms, threads=2)
    print(f"{atoms} atoms: {cost.bytes_an_atom:.0f} bytes per atom, {cost.first_step:.1f} s to the first step, "
          f"{cost.processor:.1f} s of processor time")
    require(cost.bytes_an_atom < 1200.0, f"{cost.bytes_an_atom:.0f} bytes per atom")
    # Two processors for 20 s a million atoms; processor time, since the machine may be busy with other things.
    allowed = 2 * 20.0 * atoms / 1e6
    require(cost.processor < allowed, f"{cost.processor:.1f} s of processor time, {allowed:.1f} s allowed")


if __name__ == "__main__":
    harness.main([test_memory_and_time])

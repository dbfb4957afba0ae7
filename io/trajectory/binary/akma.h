// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim {

/// CHARMM's unit of time [ps], sqrt(u A^2 / (kcal/mol)), in the digits in which programs write and read it.
inline constexpr double akma_time = 4.888821e-2;

}  // namespace mdsim

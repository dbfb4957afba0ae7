// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mdsim {

inline constexpr int element_count = 118;

/// "H" for 1 ... "Og" for 118, "" for anything else.
std::string_view element_symbol(int atomic_number);
/// Upper and lower case are the same ("CL", "Cl"). 0 where there is no such element.
int element_from_symbol(std::string_view symbol);
/// Standard atomic weight [u] (IUPAC 2021, abridged; for elements without one the mass number of the isotope that lives
/// longest), 0 for anything else.
double element_mass(int atomic_number);
/// The element whose weight is nearest to mass [u] and within 0.35 u of it; 0 where there is none (united atoms,
/// hydrogens made heavier, virtual sites).
int element_from_mass(double mass);

}  // namespace mdsim

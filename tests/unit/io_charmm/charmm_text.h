// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <catch2/catch.hpp>

/// A CHARMM system made by hand: a chain of five atoms A-B-C-D-E, two potassium ions and a chloride.
namespace charmm_text {

inline const std::string psf =
    "PSF CMAP XPLOR\n\n"
    "       1 !NTITLE\n* a chain\n\n"
    "       8 !NATOM\n"
    "       1 MOL  1    CHN  A    CT     0.100000       12.0110           0\n"
    "       2 MOL  1    CHN  B    CM     0.200000       12.0110           0\n"
    "       3 MOL  1    CHN  C    CM    -0.100000       12.0110           0\n"
    "       4 MOL  1    CHN  D    OX    -0.500000       15.9994           0\n"
    "       5 MOL  1    CHN  E    HX     0.300000        1.0080           0\n"
    "       6 ION  2    POT  POT  POT    1.000000       39.0983           0\n"
    "       7 ION  3    POT  POT  POT    1.000000       39.0983           0\n"
    "       8 ION  4    CLA  CLA  CLA   -1.000000       35.4500           0\n\n"
    "       4 !NBOND: bonds\n"
    "       1       2       2       3       3       4       4       5\n\n"
    "       3 !NTHETA: angles\n"
    "       1       2       3       2       3       4       3       4       5\n\n"
    "       2 !NPHI: dihedrals\n"
    "       1       2       3       4       2       3       4       5\n\n"
    "       1 !NIMPHI: impropers\n"
    "       1       2       3       4\n\n"
    "       0 !NDON: donors\n\n       0 !NACC: acceptors\n\n"
    "       0 !NNB\n\n       0       0       0       0       0       0       0       0\n\n"
    "       0       0 !NUMLP NUMLPH\n\n"
    "       0 !NCRTERM: cross-terms\n\n";

inline const std::string prm =
    "* parameters made by hand\n*\n\n"
    "ATOMS\n"
    "MASS 31 CT 12.011\nMASS 32 CM 12.011\nMASS 33 OX 15.9994\nMASS 34 HX 1.008\nMASS 35 POT 39.0983\nMASS 36 CLA "
    "35.45\n\n"
    "BONDS\nCT CM 200.0 1.5 ! comment\ncm cm 300.0 1.4\nOX CM 400.0 1.2\nHX OX 500.0 0.96\n\n"
    "ANGLES\nCT CM CM 50.0 110.0 10.0 2.5\nOX CM CM 60.0 120.0\nCM OX HX 55.0 104.0\n\n"
    "DIHEDRALS\nX CM CM X 9.0 2 0.0\nOX CM CM CT 1.0 1 0.0\nOX CM CM CT 0.5 3 180.0\nX CM OX X 2.0 2 180.0\n\n"
    "IMPROPER\nX CM CM OX 40.0 0 5.0\nOX X X CT 30.0 0 0.0\n\n"
    "NONBONDED nbxmod 5 atom cdiel fshift vatom -\ncutnb 14.0 ctofnb 12.0 e14fac 0.5 wmin 1.5\n"
    "CT 0.0 -0.10 2.0 0.0 -0.05 1.9\nCM 0.0 -0.20 2.1\nOX 0.0 -0.12 1.7 0.0 -0.12 1.4\nHX 0.0 -0.046 0.2245\n"
    "POT 0.0 -0.087 1.76375\nCLA 0.0 -0.150 2.27\n\n"
    "NBFIX\nPOT CLA -0.114236 4.081\nPOT OZ -0.5 3.0\n\n"
    "HBOND CUTHB 0.5\n\nEND\nwhat follows is not read\n";

/// The text with one part of it in place of another.
inline std::string with(std::string text, const std::string& old, const std::string& now) {
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), now);
}

}  // namespace charmm_text

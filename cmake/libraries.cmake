# SPDX-License-Identifier: Apache-2.0
# Everything that scripts/install-deps.sh installs and mdsim links to.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3 fftw3f)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
if(NOT TARGET hwy::hwy)
  add_library(hwy::hwy ALIAS PkgConfig::HWY)
endif()
# Debian's gemmi has no CMake package; only its headers and its one library are used.
find_path(GEMMI_INCLUDE gemmi/version.hpp REQUIRED)
add_library(gemmi INTERFACE)
target_include_directories(gemmi SYSTEM INTERFACE ${GEMMI_INCLUDE})

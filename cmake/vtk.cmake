# SPDX-License-Identifier: Apache-2.0
# Files for ParaView are written by VTK, in a small shared library of its own that is opened when it is needed: the
# engine neither links VTK nor loads it otherwise.
set(MDSIM_VTK AUTO CACHE STRING "files for ParaView through VTK: AUTO (where VTK is there), ON or OFF")
set_property(CACHE MDSIM_VTK PROPERTY STRINGS AUTO ON OFF)
set(MDSIM_VTK_LIBRARY "")
if(NOT MDSIM_VTK STREQUAL "OFF")
  # Where scripts/install-deps.sh unpacks it. Components, since all of VTK wants Qt and a serial HDF5.
  list(APPEND CMAKE_PREFIX_PATH ${PROJECT_SOURCE_DIR}/build/vtk/usr)
  set(components CommonCore CommonDataModel IOXML)
  if(MDSIM_VTK STREQUAL "ON")
    find_package(VTK 9.0 REQUIRED COMPONENTS ${components})
  else()
    find_package(VTK 9.0 QUIET COMPONENTS ${components})
  endif()
endif()
if(VTK_FOUND)
  add_library(mdsim_vtk SHARED io/vtk/library/encoder.cpp)
  target_include_directories(mdsim_vtk PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(mdsim_vtk PRIVATE VTK::CommonCore VTK::CommonDataModel VTK::IOXML)
  # VTK 9.1's vtkSMPTools.h is not C++20.
  set_target_properties(mdsim_vtk PROPERTIES CXX_STANDARD 17 LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  # VTK's libraries find each other by the path that is inherited, which is the old one.
  target_link_options(mdsim_vtk PRIVATE LINKER:--disable-new-dtags)
  set(MDSIM_VTK_LIBRARY ${CMAKE_BINARY_DIR}/libmdsim_vtk.so)
endif()
# Tells a library's vtk_library.cpp what to open, if anything, and has it built along.
function(mdsim_files_for_paraview library)
  set_source_files_properties(io/vtk/vtk_library.cpp PROPERTIES COMPILE_DEFINITIONS "MDSIM_VTK_LIBRARY=\"${MDSIM_VTK_LIBRARY}\"")
  if(TARGET mdsim_vtk)
    add_dependencies(${library} mdsim_vtk)
  endif()
endfunction()

message(STATUS "VTK: ${VTK_VERSION} (MDSIM_VTK=${MDSIM_VTK})")

# SPDX-License-Identifier: Apache-2.0
# Language level and the flags on which reproducible bits rest.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -ffp-contract=off: a fused multiply-add happens where the source says so and nowhere else, so that
# a kernel has the same bits in every place it is inlined.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wno-missing-field-initializers;-Wno-maybe-uninitialized;-ffp-contract=off;-fno-math-errno;-fno-trapping-math>")
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
# Targets with the property MDSIM_PLAIN keep the commands of the preset cpu, so that the compiler's cache has them for both.
option(MDSIM_SANITIZE "address and undefined-behaviour sanitizers" OFF)
if(MDSIM_SANITIZE)
  add_compile_options("$<$<NOT:$<BOOL:$<TARGET_PROPERTY:MDSIM_PLAIN>>>:-O1;-g1;-fsanitize=address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=address,undefined)
endif()
# Vector kernels are compiled for all instruction sets that Highway knows but these.
set(MDSIM_SKIPPED_TARGETS "HWY_SSSE3" CACHE STRING "Highway targets to leave out, joined by +")
add_compile_definitions(HWY_DISABLED_TARGETS=${MDSIM_SKIPPED_TARGETS})

# mdsim_library(NAME FOLDER USES target... OBJECTS file...): all sources below FOLDER; header-only folders become interface
# libraries. OBJECTS among the sources are compiled by a target of their own, mdsim_NAME_objects.
function(mdsim_library name folder)
  cmake_parse_arguments(ARG "" "" "USES;OBJECTS" ${ARGN})
  set(includes ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  # What needs a vendor's headers is added where that is switched on (cmake/gpu.cmake, cmake/vtk.cmake, mdsim_mpi below).
  list(FILTER sources EXCLUDE REGEX "/gpu/api/(cuda|hip)/|/src/parallel/(mpi|serial)/|/io/vtk/library/")
  if(ARG_OBJECTS)
    list(REMOVE_ITEM sources ${ARG_OBJECTS})
    add_library(mdsim_${name}_objects OBJECT ${ARG_OBJECTS})
    target_include_directories(mdsim_${name}_objects PRIVATE ${includes})
    target_link_libraries(mdsim_${name}_objects PRIVATE ${ARG_USES})
    list(APPEND sources $<TARGET_OBJECTS:mdsim_${name}_objects>)
  endif()
  if(sources)
    add_library(mdsim_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(mdsim_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(mdsim_${name} ${scope} ${includes})
  target_link_libraries(mdsim_${name} ${scope} ${ARG_USES})
  add_library(mdsim::${name} ALIAS mdsim_${name})
endfunction()

# Ranks over MPI, or a process that is always alone.
function(mdsim_mpi library)
  if(MPI_CXX_FOUND)
    target_sources(${library} PRIVATE ${PROJECT_SOURCE_DIR}/src/parallel/mpi/comm_mpi.cpp
                                      ${PROJECT_SOURCE_DIR}/src/parallel/mpi/mpi_library.cpp)
    target_link_libraries(${library} PRIVATE MPI::MPI_CXX)
  else()
    target_sources(${library} PRIVATE ${PROJECT_SOURCE_DIR}/src/parallel/serial/comm_serial.cpp)
  endif()
endfunction()

execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --always --dirty
                OUTPUT_VARIABLE MDSIM_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT MDSIM_REVISION)
  set(MDSIM_REVISION "unknown revision")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/generated/core/version.h)

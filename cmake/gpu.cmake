# SPDX-License-Identifier: Apache-2.0
# Back ends of the GPU kernels. The host back end is always built; presets cuda and hip switch on the other two.
option(MDSIM_CUDA "build the CUDA back end (nvcc)" OFF)
option(MDSIM_HIP "build the HIP back end (clang with ROCm's device libraries)" OFF)

# What the formulas of src/physics are declared as for a compiler of kernels.
set(MDSIM_DEVICE_FORMULA "__host__ __device__ inline")

if(MDSIM_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(CMAKE_CUDA_COMPILER nvcc PATH_SUFFIXES cuda/bin REQUIRED)
  endif()
  # Each architecture as machine code, the last one also as PTX for those to come. Another list: -DCMAKE_CUDA_ARCHITECTURES=...
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100-real 120)
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc compiles C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  find_package(CUDAToolkit REQUIRED)
  # A fused multiply-add happens where the source says so. The host's part of a .cu has inline functions in common with
  # the rest: the same flags, or the linker would take one of two versions that differ in bits.
  set(MDSIM_CUDA_FLAGS --expt-relaxed-constexpr --fmad=false -Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-math-errno,-fno-trapping-math)
endif()

if(MDSIM_HIP)
  set(MDSIM_HIP_ARCHITECTURES gfx90a gfx1030 CACHE STRING "AMD architectures")
  find_program(MDSIM_HIP_COMPILER NAMES clang++-15 amdclang++ clang++ PATH_SUFFIXES opt/rocm/bin REQUIRED)
  find_path(MDSIM_HIP_INCLUDE hip/hip_runtime.h PATH_SUFFIXES opt/rocm/include REQUIRED)
  find_path(MDSIM_HIP_DEVICE_LIBRARIES ockl.bc PATH_SUFFIXES opt/rocm/amdgcn/bitcode amdgcn/bitcode
            lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode REQUIRED)
  find_library(MDSIM_HIP_LIBRARY amdhip64 PATH_SUFFIXES opt/rocm/lib REQUIRED)
  find_library(MDSIM_HIPRTC_LIBRARY NAMES hiprtc amdhip64 PATH_SUFFIXES opt/rocm/lib REQUIRED)
  find_path(MDSIM_VKFFT_INCLUDE vkFFT.h REQUIRED)
  cmake_path(GET MDSIM_HIP_INCLUDE PARENT_PATH MDSIM_HIP_ROOT)
  list(TRANSFORM MDSIM_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE MDSIM_HIP_TARGETS)
  set(MDSIM_HIP_FLAGS -x hip --rocm-path=${MDSIM_HIP_ROOT} --rocm-device-lib-path=${MDSIM_HIP_DEVICE_LIBRARIES}
      ${MDSIM_HIP_TARGETS} -std=c++20 -O3 -Wall -Wextra -ffp-contract=off -fno-math-errno -fno-trapping-math)
endif()

# The portability layer: gpu/api and the back ends that are switched on.
function(mdsim_gpu_back_ends library)
  target_compile_definitions(${library} PUBLIC MDSIM_GPU_CUDA=$<BOOL:${MDSIM_CUDA}> MDSIM_GPU_HIP=$<BOOL:${MDSIM_HIP}>)
  if(MDSIM_CUDA)
    target_sources(${library} PRIVATE gpu/api/cuda/runtime.cpp gpu/api/cuda/fft.cpp)
    list(JOIN CMAKE_CUDA_ARCHITECTURES "," built_for)
    set_source_files_properties(gpu/api/cuda/runtime.cpp PROPERTIES COMPILE_DEFINITIONS "MDSIM_BUILT_FOR=\"${built_for}\"")
    target_link_libraries(${library} PUBLIC CUDA::cudart_static CUDA::cufft)
  endif()
  if(MDSIM_HIP)
    set(sources gpu/api/hip/runtime.cpp gpu/api/hip/fft.cpp)
    target_sources(${library} PRIVATE ${sources})
    list(JOIN MDSIM_HIP_ARCHITECTURES "," built_for)
    set_source_files_properties(${sources} PROPERTIES COMPILE_DEFINITIONS
      "__HIP_PLATFORM_AMD__;__HIP_PLATFORM_HCC__;MDSIM_BUILT_FOR=\"${built_for}\"")
    # Warnings of others' headers are not ours.
    target_include_directories(${library} SYSTEM PRIVATE ${MDSIM_HIP_INCLUDE} ${MDSIM_VKFFT_INCLUDE})
    target_link_libraries(${library} PUBLIC ${MDSIM_HIP_LIBRARY} ${MDSIM_HIPRTC_LIBRARY})
  endif()
endfunction()

# mdsim_kernels(NAME FOLDER USES target...): every .cu of the folder and those below for every back end.
function(mdsim_kernels name folder)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${folder}/*.cu)
  set(includes ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  add_library(mdsim_${name} STATIC)
  foreach(kernel IN LISTS kernels)
    get_filename_component(stem ${kernel} NAME_WE)
    # As C++, through a file that includes it: a source has one language in a project.
    set(wrapper ${PROJECT_BINARY_DIR}/host_kernels/${name}/${stem}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${kernel}\"\n" @ONLY)
    target_sources(mdsim_${name} PRIVATE ${wrapper})
    if(MDSIM_CUDA)
      target_sources(mdsim_${name} PRIVATE ${PROJECT_SOURCE_DIR}/${kernel})
    endif()
    if(MDSIM_HIP)
      mdsim_hip_object(mdsim_${name} ${PROJECT_SOURCE_DIR}/${kernel} "${includes}")
    endif()
  endforeach()
  target_include_directories(mdsim_${name} PUBLIC ${includes})
  target_link_libraries(mdsim_${name} PUBLIC ${ARG_USES})
  if(MDSIM_CUDA)
    target_compile_definitions(mdsim_${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:MDSIM_FORMULA=${MDSIM_DEVICE_FORMULA}>")
    target_compile_options(mdsim_${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${MDSIM_CUDA_FLAGS}>")
  endif()
  add_library(mdsim::${name} ALIAS mdsim_${name})
endfunction()

# CMake's own HIP language does not find Debian's ROCm; a command does.
function(mdsim_hip_object library kernel includes)
  get_filename_component(stem ${kernel} NAME_WE)
  set(object ${PROJECT_BINARY_DIR}/hip_kernels/${library}/${stem}.o)
  list(TRANSFORM includes PREPEND -I)
  set(definitions "-DMDSIM_FORMULA=${MDSIM_DEVICE_FORMULA}" -DMDSIM_GPU_CUDA=$<BOOL:${MDSIM_CUDA}> -DMDSIM_GPU_HIP=1)
  add_custom_command(OUTPUT ${object}
    COMMAND ${MDSIM_HIP_COMPILER} ${MDSIM_HIP_FLAGS} ${definitions} ${includes} -MD -MF ${object}.d -c ${kernel} -o ${object}
    DEPENDS ${kernel} DEPFILE ${object}.d COMMENT "HIP ${kernel}" VERBATIM)
  target_sources(${library} PRIVATE ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
endfunction()

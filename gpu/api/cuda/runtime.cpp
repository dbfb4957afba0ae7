// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/vendor/cuda_names.h"

#define MDSIM_GET_PROPERTIES(properties, index) cudaGetDeviceProperties(properties, index)
#define MDSIM_VERSION_MAJOR 1000  // 12020 is 12.2
#define MDSIM_VERSION_MINOR 10

#include <string>

namespace mdsim::gpu {
inline namespace cuda {
namespace {

std::string architecture_of(const cudaDeviceProp& properties) {
    return "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
}
const char* uuid_of(const cudaDeviceProp& properties, int) {
    return properties.uuid.bytes;
}

}  // namespace
}  // namespace cuda
}  // namespace mdsim::gpu

#include "gpu/api/vendor/runtime.inl"

namespace mdsim::gpu {

Survey survey_cuda() {
    return survey_vendor(Backend::cuda);
}

std::unique_ptr<Driver> make_cuda_driver(int device) {
    return std::make_unique<VendorDriver>(device);
}

}  // namespace mdsim::gpu

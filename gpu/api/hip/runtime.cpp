// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/vendor/hip_names.h"

#define MDSIM_GET_PROPERTIES(properties, index) hipGetDeviceProperties(properties, index)
#define MDSIM_VERSION_MAJOR 10000000  // 50223000 is 5.2.23000
#define MDSIM_VERSION_MINOR 100000

#include <array>
#include <cstring>
#include <string>

namespace mdsim::gpu {
inline namespace hip {
namespace {

using hipDeviceProp = hipDeviceProp_t;

std::string architecture_of(const hipDeviceProp_t& properties) {
    return properties.gcnArchName;
}
// The digits of what rocminfo shows as "GPU-0123456789abcdef"; "XX" for all devices that have none.
std::array<char, 16> uuid_of(const hipDeviceProp_t&, int index) {
    hipUUID uuid{};
    std::array<char, 16> bytes{};
    const bool known = hipDeviceGetUuid(&uuid, index) == hipSuccess && uuid.bytes[0] != 'X';
    if (known) std::memcpy(bytes.data(), uuid.bytes, bytes.size());
    return bytes;
}

}  // namespace
}  // namespace hip
}  // namespace mdsim::gpu

#include "gpu/api/vendor/runtime.inl"

namespace mdsim::gpu {

Survey survey_hip() {
    return survey_vendor(Backend::hip);
}

std::unique_ptr<Driver> make_hip_driver(int device) {
    return std::make_unique<VendorDriver>(device);
}

}  // namespace mdsim::gpu

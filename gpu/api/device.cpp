// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/device.h"

#include <cstdlib>
#include <utility>

#include "gpu/api/backends.h"

namespace mdsim::gpu {

const char* name_of(Backend backend) {
    return backend == Backend::cuda ? "CUDA" : backend == Backend::hip ? "HIP" : "host";
}

namespace {

std::unique_ptr<Driver> make_driver(const DeviceInfo& info, const HostSettings& settings) {
    switch (info.backend) {
#if MDSIM_GPU_CUDA
        case Backend::cuda:
            return make_cuda_driver(info.index);
#endif
#if MDSIM_GPU_HIP
        case Backend::hip:
            return make_hip_driver(info.index);
#endif
        case Backend::host:
            return make_host_driver(settings);
        default:
            break;
    }
    throw DeviceError(Failure::no_device, {}, std::string("this program has no ") + name_of(info.backend));
}

std::string join(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text;
}

std::vector<DeviceInfo> listed(std::span<const int> list, const std::vector<DeviceInfo>& all) {
    if (list.empty()) return all;
    std::vector<DeviceInfo> found;
    for (const int number : list) {
        if (number < 0 || static_cast<std::size_t>(number) >= all.size()) {
            throw DeviceError(Failure::no_device, {},
                              "there is no device " + std::to_string(number) + " among the " +
                                  std::to_string(all.size()) + " that this process sees, counted from 0");
        }
        found.push_back(all[static_cast<std::size_t>(number)]);
    }
    return found;
}

// Takes out those for which there are no kernels, and says of each why.
void remove_unusable(std::vector<DeviceInfo>& devices, std::vector<std::string>& missing) {
    for (const DeviceInfo& device : devices) {
        if (!device.unusable.empty()) missing.push_back(device.unusable);
    }
    std::erase_if(devices, [](const DeviceInfo& device) { return !device.unusable.empty(); });
}

}  // namespace

Device::Device(DeviceInfo info, const HostSettings& settings)
    : info_(std::move(info)), driver_(make_driver(info_, settings)) {}

DeviceInfo host_device() {
    return survey_host().devices.front();
}

std::vector<Survey> survey_devices() {
    std::vector<Survey> surveys;
#if MDSIM_GPU_CUDA
    surveys.push_back(survey_cuda());
#endif
#if MDSIM_GPU_HIP
    surveys.push_back(survey_hip());
#endif
    for (Survey& survey : surveys) {
        if (survey.devices.empty())
            survey.missing += visible_devices(survey.backend, [](const char* name) { return std::getenv(name); });
    }
    return surveys;
}

// CUDA C++ Programming Guide, "CUDA Environment Variables"; ROCm documentation, "GPU isolation techniques".
std::string visible_devices(Backend backend, const std::function<const char*(const char*)>& environment) {
    static constexpr const char* names[] = {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                            "GPU_DEVICE_ORDINAL"};
    std::string text;
    for (const char* name : names) {
        const char* value = environment(name);
        if (value == nullptr) continue;
        text += (text.empty() ? ", visible are those of " : ", ") + std::string(name) + " = \"" + value + "\"";
        if (backend == Backend::cuda) break;  // only the first of them is CUDA's
    }
    return text;
}

Candidates candidates(Wish wish, std::span<const int> list, std::span<const Survey> surveys) {
    std::vector<DeviceInfo> all;
    std::vector<std::string> missing;
    Failure failure = Failure::no_device;
    for (const Survey& survey : surveys) {
        all.insert(all.end(), survey.devices.begin(), survey.devices.end());
        if (!survey.devices.empty()) continue;
        missing.push_back(survey.missing);
        if (survey.failure == Failure::driver_too_old) failure = survey.failure;
    }
    for (std::size_t n = 0; n < all.size(); ++n) all[n].number = static_cast<int>(n);
    if (surveys.empty())
        missing.emplace_back("this program was built without a GPU back end (presets cuda and hip have one)");
    std::vector<DeviceInfo> devices = all.empty() ? all : listed(list, all);
    remove_unusable(devices, missing);
    if (devices.empty() && wish == Wish::required) throw DeviceError(failure, {}, join(missing));
    return {std::move(devices), join(missing)};
}

}  // namespace mdsim::gpu

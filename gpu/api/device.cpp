// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/device.h"

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
    for (const int index : list) {
        if (index < 0 || static_cast<std::size_t>(index) >= all.size()) {
            throw DeviceError(Failure::no_device, {},
                              "there is no device " + std::to_string(index) + " among the " +
                                  std::to_string(all.size()) + " that this process sees");
        }
        found.push_back(all[static_cast<std::size_t>(index)]);
    }
    return found;
}

std::string describe(const DeviceInfo& info) {
    std::string text = info.name;
    if (!info.architecture.empty()) text += " (" + info.architecture + ")";
    if (!info.pci.empty()) text += " at " + info.pci;
    if (!info.uuid.empty()) text += ", " + info.uuid;
    return text;
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
    return surveys;
}

Choice choose_device(Wish wish, std::span<const int> list, int local_rank, std::span<const Survey> surveys) {
    if (wish == Wish::off) return {std::nullopt, "no GPU, as the input asks"};
    if (wish == Wish::host) return {host_device(), "kernels of the GPU, executed on the CPU (slow; for tests)"};
    const bool required = wish == Wish::required || !list.empty();
    std::vector<DeviceInfo> all;
    std::vector<std::string> missing;
    Failure failure = Failure::no_device;
    for (const Survey& survey : surveys) {
        all.insert(all.end(), survey.devices.begin(), survey.devices.end());
        if (!survey.devices.empty()) continue;
        missing.push_back(survey.missing);
        if (survey.failure == Failure::driver_too_old) failure = survey.failure;
    }
    if (surveys.empty())
        missing.emplace_back("this program was built without a GPU back end (presets cuda and hip have one)");
    if (all.empty()) {
        if (required) throw DeviceError(failure, {}, join(missing));
        return {std::nullopt, "no GPU: " + join(missing)};
    }
    const std::vector<DeviceInfo> usable = listed(list, all);
    const DeviceInfo& chosen = usable[static_cast<std::size_t>(local_rank) % usable.size()];
    return {chosen,
            std::string(name_of(chosen.backend)) + " device " + std::to_string(chosen.index) + ": " + describe(chosen)};
}

}  // namespace mdsim::gpu

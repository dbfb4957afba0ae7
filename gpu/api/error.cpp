// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/error.h"

#include <utility>

namespace mdsim::gpu {

namespace {

std::string during(const Work& work) {
    std::string text = work.operation;
    if (*work.physics != '\0') text += std::string(text.empty() ? "" : ", ") + "for " + work.physics;
    return text.empty() ? text : " (" + text + ")";
}

Problem problem_of(Failure failure, const Work& work, const std::string& detail) {
    Problem p;
    switch (failure) {
        case Failure::no_device:
            p.code = "MD701";
            p.what = "no GPU can be used" + during(work) + ": " + detail;
            if (*work.operation == '\0') p.why = "the input asks for one";  // else it was there, and is not to be had
            p.remedy = "gpu = \"auto\" takes the CPU where there is no GPU; gpu = \"off\" always does";
            break;
        case Failure::driver_too_old:
            p.code = "MD702";
            p.what = "the GPU's driver is too old: " + detail;
            p.why = "a driver runs programs of its own version of the toolkit and of older ones";
            p.remedy = "update the driver, or build mdsim with an older toolkit, or run with gpu = \"off\"";
            break;
        case Failure::out_of_memory:
            p.code = "MD703";
            p.what = "out of memory on the GPU" + during(work) + ": " + detail;
            p.remedy =
                "end other programs that use this GPU, or take one with more memory; a run goes on from its checkpoint";
            break;
        case Failure::device_lost:
            p.code = "MD704";
            p.what = "the GPU was lost" + during(work) + ": " + detail;
            p.why = "a hardware or driver fault; nothing on the device can be used any more";
            p.remedy = "run the same command again: it goes on from the last checkpoint";
            break;
        case Failure::operation:
            p.code = "MD705";
            p.what = "the GPU reported an error" + during(work) + ": " + detail;
            p.why = "an error in mdsim, its build, or the driver";
            p.remedy = "run with gpu = \"off\" from the last checkpoint, and report this";
            break;
    }
    return p;
}

ExitCode exit_of(Failure failure) {
    if (failure == Failure::no_device || failure == Failure::driver_too_old) return ExitCode::input_error;
    return failure == Failure::device_lost ? ExitCode::stopped : ExitCode::internal_error;
}

}  // namespace

DeviceError::DeviceError(Failure failure, const Work& work, const std::string& detail)
    : Error(exit_of(failure), problem_of(failure, work, detail)), failure_(failure), work_(work) {}

}  // namespace mdsim::gpu

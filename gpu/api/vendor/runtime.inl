// SPDX-License-Identifier: Apache-2.0

// The Driver of CUDA and of HIP, whose calls differ in the beginnings of their names. Included by cuda/runtime.cpp and
// hip/runtime.cpp after the vendor's names.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "gpu/api/driver.h"
#include "gpu/api/vendor/architectures.h"
#include "gpu/api/vendor/check.h"
#include "gpu/api/vendor/fft.h"

namespace mdsim::gpu {
inline namespace MDSIM_BACKEND {

namespace {

using VendorStream = MDSIM_VENDOR(Stream_t);
using VendorEvent = MDSIM_VENDOR(Event_t);

class VendorDriver final : public Driver {
  public:
    explicit VendorDriver(int device) : device_(device) {
        make_current({"taking the device", ""});
        int least = 0;
        check(MDSIM_VENDOR(DeviceGetStreamPriorityRange)(&least, &greatest_), {"priorities of streams", ""});
    }

    void* allocate(Memory where, std::size_t bytes, const Work& work) override {
        make_current(work);
        void* memory = nullptr;
        const auto error = where == Memory::device ? MDSIM_VENDOR(Malloc)(&memory, bytes)
                                                   : MDSIM_PINNED_ALLOCATE(&memory, bytes);
        if (error == MDSIM_OUT_OF_MEMORY) throw_out_of_memory(where, bytes, work);
        check(error, work);
        return memory;
    }
    void release(Memory where, void* memory) noexcept override {
        (void)(where == Memory::device ? MDSIM_VENDOR(Free)(memory) : MDSIM_PINNED_RELEASE(memory));
    }

    void* make_stream(Priority priority) override {
        make_current({"making a stream", ""});
        VendorStream stream = nullptr;
        check(MDSIM_VENDOR(StreamCreateWithPriority)(&stream, MDSIM_VENDOR(StreamNonBlocking),
                                                     priority == Priority::high ? greatest_ : 0),
              {"making a stream", ""});
        return stream;
    }
    void destroy_stream(void* stream) noexcept override {
        (void)MDSIM_VENDOR(StreamDestroy)(static_cast<VendorStream>(stream));
    }
    void* make_event() override {
        make_current({"making an event", ""});
        VendorEvent event = nullptr;
        check(MDSIM_VENDOR(EventCreate)(&event), {"making an event", ""});
        return event;
    }
    void destroy_event(void* event) noexcept override {
        (void)MDSIM_VENDOR(EventDestroy)(static_cast<VendorEvent>(event));
    }
    std::unique_ptr<LineTransform> make_fft(const LineShape& shape) override {
        make_current({"making a plan", "the Fourier transforms"});
        return make_transform(device_, shape);
    }

    void copy(void* stream, const Copy& copy, const Work& work) override {
        make_current(work);
        constexpr std::array kinds{MDSIM_VENDOR(MemcpyHostToDevice), MDSIM_VENDOR(MemcpyDeviceToHost),
                                   MDSIM_VENDOR(MemcpyDeviceToDevice)};
        check(MDSIM_VENDOR(MemcpyAsync)(copy.to, copy.from, copy.bytes, kinds[static_cast<std::size_t>(copy.way)],
                                        static_cast<VendorStream>(stream)),
              work);
        // Memory that is not pinned belongs to the caller again at once.
        if (!copy.pinned) check(MDSIM_VENDOR(StreamSynchronize)(static_cast<VendorStream>(stream)), work);
    }
    void zero(void* stream, void* to, std::size_t bytes, const Work& work) override {
        make_current(work);
        check(MDSIM_VENDOR(MemsetAsync)(to, 0, bytes, static_cast<VendorStream>(stream)), work);
    }
    void record(void* event, void* stream, const Work& work) override {
        make_current(work);
        check(MDSIM_VENDOR(EventRecord)(static_cast<VendorEvent>(event), static_cast<VendorStream>(stream)), work);
    }
    void hold(void* stream, void* event, const Work& work) override {
        make_current(work);
        check(MDSIM_VENDOR(StreamWaitEvent)(static_cast<VendorStream>(stream), static_cast<VendorEvent>(event), 0), work);
    }
    void finish(void* stream, const Work& work) override {
        make_current(work);
        check(MDSIM_VENDOR(StreamSynchronize)(static_cast<VendorStream>(stream)), work);
    }
    void finish_event(void* event, const Work& work) override {
        make_current(work);
        check(MDSIM_VENDOR(EventSynchronize)(static_cast<VendorEvent>(event)), work);
    }
    bool passed(void* event, const Work& work) override {
        make_current(work);
        const auto error = MDSIM_VENDOR(EventQuery)(static_cast<VendorEvent>(event));
        if (error != MDSIM_VENDOR(ErrorNotReady)) check(error, work);
        return error == MDSIM_VENDOR(Success);
    }
    double seconds(void* from, void* to) override {
        float milliseconds = 0.0f;
        check(MDSIM_VENDOR(EventElapsedTime)(&milliseconds, static_cast<VendorEvent>(from), static_cast<VendorEvent>(to)),
              {"timing", ""});
        return 1e-3 * static_cast<double>(milliseconds);
    }
    void make_current(const Work& work) override { check(MDSIM_VENDOR(SetDevice)(device_), work); }

  private:
    int device_;
    int greatest_ = 0;  // priority of a stream; 0 is the usual one, and the least is below it on AMD

    [[noreturn]] static void throw_out_of_memory(Memory where, std::size_t bytes, const Work& work) {
        std::size_t free = 0, total = 0;
        (void)MDSIM_VENDOR(GetLastError)();
        (void)MDSIM_VENDOR(MemGetInfo)(&free, &total);
        const auto mebibytes = [](std::size_t n) { return std::to_string(n >> 20) + " MiB"; };
        std::string detail = mebibytes(bytes) + " asked for";
        detail += where == Memory::device ? ", " + mebibytes(free) + " of " + mebibytes(total) + " free"
                                          : " as pinned memory of the host";
        throw DeviceError(Failure::out_of_memory, work, detail);
    }
};

std::string version_text(int version) {
    return std::to_string(version / MDSIM_VERSION_MAJOR) + "." +
           std::to_string(version % MDSIM_VERSION_MAJOR / MDSIM_VERSION_MINOR);
}

// Empty where the driver knows none. The bytes may be hexadecimal digits already (AMD).
template <class Bytes>
std::string uuid_text(const Bytes& bytes) {
    const char *begin = &bytes[0], *end = begin + 16;
    if (std::all_of(begin, end, [](char c) { return c == 0; })) return {};
    std::string text = "GPU-";
    if (std::all_of(begin, end, [](unsigned char c) { return std::isxdigit(c) != 0; })) return text.append(begin, end);
    for (std::size_t i = 0; i < 16; ++i) {
        char hex[3];
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
        text += hex;
        if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
    }
    return text;
}

// Why there is no device. A driver's version of zero means that there is no driver.
void explain(Survey& survey, MDSIM_VENDOR(Error_t) error) {
    int driver = 0, toolkit = 0;
    (void)MDSIM_VENDOR(DriverGetVersion)(&driver);
    (void)MDSIM_VENDOR(RuntimeGetVersion)(&toolkit);
    (void)MDSIM_VENDOR(GetLastError)();
    const std::string name = name_of(survey.backend);
    if (failure_of(error) == Failure::driver_too_old && driver > 0) {
        survey.failure = Failure::driver_too_old;
        survey.missing = "the driver is for " + name + " " + version_text(driver) + ", this program for " + name + " " +
                         version_text(toolkit);
    } else if (failure_of(error) == Failure::driver_too_old) {
        survey.missing = std::string("no ") + MDSIM_VENDOR_NAME + " driver is installed (this program needs one for " + name + " " +
                         version_text(toolkit) + ")";
    } else {
        survey.missing = "no " + name + " device (" + MDSIM_VENDOR(GetErrorString)(error) + ")";
    }
}

DeviceInfo info_of(int index) {
    const Work work{"describing a device", ""};
    MDSIM_VENDOR(DeviceProp) properties;
    check(MDSIM_GET_PROPERTIES(&properties, index), work);
    DeviceInfo info;
    info.index = index;
    info.name = properties.name;
    info.architecture = architecture_of(properties);
    info.uuid = uuid_text(uuid_of(properties, index));
    info.memory = properties.totalGlobalMem;
    char pci[32] = "";
    check(MDSIM_VENDOR(DeviceGetPCIBusId)(pci, sizeof pci, index), work);
    info.pci = pci;
    if (!has_kernels_for(info.architecture, MDSIM_BUILT_FOR))
        info.unusable = info.name + " is " + info.architecture + ", this program has kernels for " MDSIM_BUILT_FOR;
    return info;
}

Survey survey_vendor(Backend backend) {
    Survey survey;
    survey.backend = backend;
    int count = 0;
    const auto error = MDSIM_VENDOR(GetDeviceCount)(&count);
    if (error != MDSIM_VENDOR(Success) || count == 0) {
        explain(survey, error == MDSIM_VENDOR(Success) ? MDSIM_VENDOR(ErrorNoDevice) : error);
        return survey;
    }
    try {
        for (int i = 0; i < count; ++i) {
            survey.devices.push_back(info_of(i));
            survey.devices.back().backend = backend;
        }
    } catch (const DeviceError& failure) {  // a device that cannot be described cannot be used
        survey.devices.clear();
        survey.missing = failure.problems().front().what;
    }
    return survey;
}

}  // namespace

}  // namespace MDSIM_BACKEND
}  // namespace mdsim::gpu

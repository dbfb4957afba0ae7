// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/stream.h"

#include "gpu/api/timing/timeline.h"

namespace mdsim::gpu {

Stream::Stream(const Device& device, Priority priority)
    : device_(device), handle_(device.driver().make_stream(priority)) {}

Stream::~Stream() {
    driver().destroy_stream(handle_);
}

void Stream::wait(const Event& event) {
    driver().hold(handle_, event.handle(), event.last());
}

void Stream::finish() {
    driver().finish(handle_, last_);
}

void Stream::begin_measured(std::string_view name) {
    constexpr std::string_view kernel = "kernel ";
    if (name.starts_with(kernel)) name.remove_prefix(kernel.size());
    timeline_->begin(*this, name);
}

void Stream::end_measured() {
    timeline_->end(*this);
}

Event::Event(const Device& device) : device_(device), handle_(device.driver().make_event()) {}

Event::~Event() {
    device_.driver().destroy_event(handle_);
}

void Event::record(Stream& stream) {
    last_ = stream.last();
    device_.driver().record(handle_, stream.handle(), last_);
}

void Event::finish() {
    device_.driver().finish_event(handle_, last_);
}

bool Event::passed() const {
    return device_.driver().passed(handle_, last_);
}

double Event::seconds_since(const Event& earlier) const {
    return device_.driver().seconds(earlier.handle_, handle_);
}

}  // namespace mdsim::gpu

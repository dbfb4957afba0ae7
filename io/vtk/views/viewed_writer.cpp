// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/views/viewed_writer.h"

#include "io/trajectory/h5md/h5md_writer.h"

namespace mdsim {

ViewedWriter::ViewedWriter(const std::filesystem::path& h5, const TrajectoryInfo& info, const OutputMark* mark,
                           const Open& open)
    : views_(h5, *info.topology, info.ids), name_(info.name) {
    // This completes a change of the file that was interrupted, which would be found half done.
    const std::uint64_t frames = mark == nullptr ? 0 : H5mdWriter::frames_of(h5, *mark);
    if (frames > 0 && std::filesystem::exists(h5)) shown_ = views_.bonds();
    views_.shrink(frames, shown_);
    file_ = open();
}

void ViewedWriter::append(const Frame& frame) {
    if (views_.bonds(frame) == H5mdViews::Bonds::left_out) shown_ = H5mdViews::Bonds::left_out;
    file_->append(frame);
}

OutputMark ViewedWriter::follow(const OutputMark& mark) {
    if (name_ == FileName::lasting && mark.length != length_) views_.grow(shown_);
    length_ = mark.length;
    return mark;
}

void ViewedWriter::moved_to(const std::filesystem::path& path) {
    file_->moved_to(path);
    file_.reset();  // what is made of the whole file needs the room
    views_.follow_to(path);
    views_.grow(shown_);
}

}  // namespace mdsim

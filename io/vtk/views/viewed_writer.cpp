// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/views/viewed_writer.h"

#include "io/hdf5/transaction.h"

namespace mdsim {

ViewedWriter::ViewedWriter(const std::filesystem::path& h5, const TrajectoryInfo& info, const OutputMark* mark,
                           const Open& open)
    : views_(h5, *info.topology, info.ids) {
    // A change of the file that was interrupted would be found half done.
    if (mark != nullptr) h5::recover(h5);
    const std::uint64_t frames = mark == nullptr ? 0 : mark->length;
    if (frames > 0 && std::filesystem::exists(h5)) shown_ = views_.bonds();
    views_.shrink(frames, shown_);
    file_ = open();
}

void ViewedWriter::append(const Frame& frame) {
    if (views_.bonds(frame) == H5mdViews::Bonds::left_out) shown_ = H5mdViews::Bonds::left_out;
    file_->append(frame);
}

OutputMark ViewedWriter::sync() {
    const OutputMark mark = file_->sync();
    if (mark.length != frames_) views_.grow(shown_);
    frames_ = mark.length;
    return mark;
}

}  // namespace mdsim

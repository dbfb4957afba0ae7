// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/text/text_reader.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/structure/amber_restart.h"
#include "io/structure/charmm/charmm_crd.h"
#include "io/structure/structure_file.h"
#include "io/trajectory/text/label_topology.h"

namespace mdsim {

namespace {

class SingleStructure final : public StructureFrames {
  public:
    explicit SingleStructure(std::filesystem::path path) : path_(std::move(path)) {}
    bool next(Structure* out) override {
        if (done_) return false;
        done_ = true;
        const bool charmm = structure_format(path_) == StructureFormat::charmm_crd;
        if (out != nullptr) *out = charmm ? read_charmm_crd(path_) : read_amber_restart(path_);
        return true;
    }
    void rewind() override { done_ = false; }
    double progress() const override { return done_ ? 1.0 : 0.0; }

  private:
    std::filesystem::path path_;
    bool done_ = false;
};

}  // namespace

TextReader::TextReader(std::filesystem::path path, std::unique_ptr<StructureFrames> frames)
    : path_(std::move(path)), frames_(std::move(frames)) {
    Structure first;
    if (!frames_->next(&first)) {
        throw_input_error({.code = "MD316",
                           .place = {path_.string()},
                           .what = "the file holds no atoms",
                           .remedy = "check that its name ends as its format does"});
    }
    named_ = !first.labels.empty();
    topology_ = topology_of_labels(first);
    frames_->rewind();
    frames_->read_labels(StructureFrames::Labels::left);
}

bool TextReader::read(StoredFrame& frame) {
    now_.x.swap(frame.x);  // its memory is used again
    if (!frames_->next(&now_)) return false;
    if (static_cast<std::int64_t>(now_.x.size()) != atoms()) {
        throw_input_error(
            {.code = "MD316",
             .place = {path_.string()},
             .what = fmt::format("frame {} (from 0) has {} atoms, the first one has {}", next_, now_.x.size(), atoms()),
             .why = "frames of one trajectory are the same atoms in several states",
             .remedy = fmt::format("convert the frames before it: --to {}", next_ - 1)});
    }
    frame.step = next_++;
    frame.time = now_.time;
    frame.box = now_.box;
    frame.x.swap(now_.x);
    frame.v.swap(now_.v);
    frame.f.clear();
    frame.images.clear();
    return true;
}

void TextReader::seek(std::int64_t frame) {
    if (frame < next_) {
        frames_->rewind();
        next_ = 0;
    }
    while (next_ < frame && frames_->next(nullptr)) ++next_;
}

std::unique_ptr<StructureFrames> single_structure(const std::filesystem::path& path) {
    return std::make_unique<SingleStructure>(path);
}

}  // namespace mdsim

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/checkpoint/checkpoint.h"
#include "io/describe/kinds.h"
#include "io/input/input.h"
#include "io/trajectory/h5md/h5md_reader.h"
#include "io/trajectory/trajectory_file.h"
#include "system/state_hash.h"

namespace mdsim {

namespace {

using nlohmann::json;

json rows(const Mat3d& box) {
    json out = json::array();
    for (const Vec3d& row : box) out.push_back({row.x, row.y, row.z});
    return out;
}

}  // namespace

bool is_checkpoint_file(const FileHead& head) {
    return is_checkpoint(head.bytes);
}

json describe_checkpoint(const FileHead& head) {
    const Checkpoint c = read_checkpoint_file(head.file);
    json out{{"format", "mdsim checkpoint"},
             {"atoms", c.state.x.size()},
             {"step", c.state.step},
             {"time", c.state.time},
             {"seed", c.seed},
             {"state_hash", fmt::format("{:016x}", state_hash(c.state))}};
    // When all are done the last one is that of the checkpoint.
    const auto stages = static_cast<std::int64_t>(parse_input(c.input, head.file).stages.size());
    out["stage"] = std::min(c.stage + 1, stages);
    out["stages"] = stages;
    out["stages_done"] = c.stage;
    if (c.state.box.periodic()) out["box"] = box_to_json(c.state.box);
    for (const OutputMark& mark : c.outputs) out["outputs"][mark.path] = mark.length;
    return out;
}

bool is_trajectory(const FileHead& head) {
    return head.bytes.starts_with("\x89HDF\r\n\x1a\n") || format_of_name(head.file).has_value();
}

json describe_trajectory(const FileHead& head) {
    const auto reader = open_trajectory(head.file);
    const bool hdf5 = head.bytes.starts_with("\x89HDF\r\n\x1a\n");
    const TrajectoryFormat format = hdf5 ? TrajectoryFormat::h5md : format_of_name(head.file).value();
    if (hdf5) require_observables(head.file);
    json out{{"format", facts_of(format).name}, {"atoms", reader->atoms()}};
    StoredFrame frame;
    std::int64_t frames = 0;
    while (reader->read(frame)) {
        if (frames++ == 0) out["first_time"] = frame.time;
    }
    out["frames"] = frames;
    if (frames == 0) return out;
    out["time"] = frame.time;
    out["step"] = frame.step;
    out["velocities"] = !frame.v.empty();
    out["forces"] = !frame.f.empty();
    if (frame.box.periodic()) out["box"] = rows(frame.box.rows());
    return out;
}

}  // namespace mdsim

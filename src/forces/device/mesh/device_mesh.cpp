// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/device_mesh.h"

namespace mdsim {

void DeviceMesh::launch(gpu::Stream& stream, const MeshRun& run) {
    atoms_.spread(stream, run, solver_.nodes());
    solver_.forward_z(stream, run.flags);
    solver_.forward_y(stream);
    solver_.along_x(stream, run);
    solver_.backward_y(stream);
    solver_.backward_z(stream);
    atoms_.gather(stream, run, solver_.nodes());
    if (run.with_energy) solver_.download_sums(stream);
}

}  // namespace mdsim

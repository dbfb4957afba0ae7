// SPDX-License-Identifier: Apache-2.0
#include "run/ranks/share_setup.h"

#include "run/ranks/topology_archive.h"

namespace mdsim {

namespace {

template <class Archive>
void archive(Archive& a, Setup& setup) {
    std::string file = setup.input.file.string();
    a(file), a(setup.input.canonical);
    setup.input.file = file;
    a(setup.topology), a(setup.start.box), a(setup.vacuum), a(setup.has_velocities);
}

}  // namespace

void share_setup(Setup& setup, const Comm& comm) {
    if (comm.alone()) return;
    ArchiveWriter writer;
    if (comm.leads()) archive(writer, setup);
    comm.broadcast(writer.bytes());
    if (comm.leads()) return;
    ArchiveReader reader(writer.bytes());
    archive(reader, setup);
    setup.input = parse_input(setup.input.canonical, setup.input.file);
}

}  // namespace mdsim

// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/node_step.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "forces/mesh/ranks/mesh_tile.h"
#include "parallel/threads.h"

namespace mdsim::mesh {

namespace {

/// Without a call: rows are often no longer than a window.
template <class T>
void copy_row(const std::type_identity_t<T>* from, int count, T* to) {
    constexpr int step = 4;
    if (count >= step) {
        for (int i = 0; i + step < count; i += step) std::copy_n(from + i, step, to + i);
        std::copy_n(from + count - step, step, to + count - step);
    } else {
        for (int i = 0; i < count; ++i) to[i] = from[i];
    }
}

/// f(plane) for all planes of a block, from all threads.
template <class Real, class F>
void for_planes(const MeshBlock<Real>& block, F&& f) {
    if (block.box().empty()) return;
    parallel_ranges(static_cast<std::size_t>(block.box().count[0]), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t x = begin; x < end; ++x) f(static_cast<int>(x));
    });
}

}  // namespace

template <class Real>
NodeStep<Real>::NodeStep(const Comm& comm, const MeshStep& step, const std::array<int, 3>& n)
    : comm_(&comm), traffic_(step.traffic) {
    const auto here = static_cast<std::size_t>(comm.rank());
    for (const std::vector<int>& row : step.rows) {
        if (std::find(row.begin(), row.end(), comm.rank()) == row.end()) continue;
        for (const int rank : row) {
            const auto there = static_cast<std::size_t>(rank);
            NodeOverlap out(step.from[here], step.to[there], n);
            if (rank == comm.rank()) {
                own_ = std::move(out);
            } else {
                add_link(up_, rank, std::move(out));
                add_link(down_, rank, NodeOverlap(step.from[there], step.to[here], n));
            }
        }
    }
}

template <class Real>
void NodeStep<Real>::add_link(std::vector<Link>& links, int rank, NodeOverlap overlap) {
    const auto nodes = static_cast<std::size_t>(overlap.nodes());
    if (nodes == 0) return;
    links.push_back({rank, std::move(overlap), std::vector<GridInteger<Real>>(nodes), std::vector<Real>(nodes)});
}

template <class Real>
void NodeStep<Real>::begin_receives() {
    for (Link& link : down_) {
        charges_coming_.push_back(
            comm_->begin_receive(link.rank, charges_tag, std::as_writable_bytes(std::span(link.charges))));
    }
    for (Link& link : up_) {
        potentials_coming_.push_back(
            comm_->begin_receive(link.rank, potential_tag, std::as_writable_bytes(std::span(link.potential))));
    }
}

template <class Real>
void NodeStep<Real>::send_charges(MeshBlock<Real>& from) {
    for_planes(from, [&](int x) {
        for (Link& link : up_) {
            link.overlap.with_plane_of_from(x, [&](NodeOverlap::Plane plane) {
                link.overlap.for_rows(plane.number, [&](const NodeOverlap::Row& row) {
                    copy_row(from.charges(x, row.from_y) + row.from_z, row.count, link.charges.data() + row.at);
                });
            });
        }
    });
    for (const Link& link : up_) {
        sending_.push_back(comm_->begin_send(link.rank, charges_tag, as_bytes_of(link.charges), traffic_));
    }
}

// f(charges, potential, row) for the rows of plane x of `to` that others share, or this rank itself in other memory:
// charges and potential there.
template <class Real>
template <class F>
void NodeStep<Real>::for_rows_of_to(int x, MeshBlock<Real>& from, const MeshBlock<Real>& to, F&& f) {
    if (own_ && !to.shares_memory_with(from)) {
        own_->with_plane_of_to(x, [&](NodeOverlap::Plane plane) {
            own_->for_rows(plane.number, [&](const NodeOverlap::Row& row) {
                f(from.charges(plane.there, row.from_y) + row.from_z,
                  from.potential(plane.there, row.from_y) + row.from_z, row);
            });
        });
    }
    for (Link& link : down_) {
        link.overlap.with_plane_of_to(x, [&](NodeOverlap::Plane plane) {
            link.overlap.for_rows(plane.number, [&](const NodeOverlap::Row& row) {
                f(link.charges.data() + row.at, link.potential.data() + row.at, row);
            });
        });
    }
}

template <class Real>
bool NodeStep<Real>::charges_came() {
    return done_all(charges_coming_);
}

template <class Real>
void NodeStep<Real>::wait_for_charges() {
    wait_all(charges_coming_);
}

template <class Real>
void NodeStep<Real>::collect_charges(MeshBlock<Real>& from, MeshBlock<Real>& to) {
    for_planes(to, [&](int x) {
        if (!to.shares_memory_with(from)) to.clear(x);
        for_rows_of_to(x, from, to, [&](const GridInteger<Real>* charges, Real*, const NodeOverlap::Row& row) {
            GridInteger<Real>* sum = to.charges(x, row.to_y) + row.to_z;
            for (int i = 0; i < row.count; ++i) sum[i] += charges[i];
        });
    });
}

template <class Real>
void NodeStep<Real>::send_potential(MeshBlock<Real>& from, MeshBlock<Real>& to) {
    for_planes(to, [&](int x) {
        for_rows_of_to(x, from, to, [&](GridInteger<Real>*, Real* potential, const NodeOverlap::Row& row) {
            copy_row(to.potential(x, row.to_y) + row.to_z, row.count, potential);
        });
    });
    for (const Link& link : down_) {
        sending_.push_back(comm_->begin_send(link.rank, potential_tag, as_bytes_of(link.potential), traffic_));
    }
}

template <class Real>
void NodeStep<Real>::collect_potential(MeshBlock<Real>& from) {
    wait_all(potentials_coming_);
    for_planes(from, [&](int x) {
        for (const Link& link : up_) {
            link.overlap.with_plane_of_from(x, [&](NodeOverlap::Plane plane) {
                link.overlap.for_rows(plane.number, [&](const NodeOverlap::Row& row) {
                    copy_row(link.potential.data() + row.at, row.count, from.potential(x, row.from_y) + row.from_z);
                });
            });
        }
    });
}

template <class Real>
void NodeStep<Real>::finish() {
    wait_all(sending_);
}

template class NodeStep<float>;
template class NodeStep<double>;

}  // namespace mdsim::mesh

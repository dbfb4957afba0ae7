// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "gpu/api/buffer.h"
#include "pairs/clusters.h"
#include "tests/device/devices.h"

namespace mdsim::test {

inline Box triclinic_box() {
    return Box::from_rows({Vec3d{3.1, 0, 0}, Vec3d{0.4, 2.9, 0}, Vec3d{-0.7, 0.5, 2.7}});
}

/// Atoms anywhere in a box, some of them without charge, and their clusters.
struct SomeAtoms {
    Box box;
    std::vector<LatticePoint> points;
    std::vector<double> charges;  // of atoms [e]
    Clusters clusters;
    std::vector<float> slot_charges;  // zero in slots that repeat an atom

    explicit SomeAtoms(std::size_t atoms, const Box& box = triclinic_box()) : box(box) {
        std::mt19937 random(7);
        std::vector<unsigned char> has_lj;
        for (std::size_t i = 0; i < atoms; ++i) {
            const auto next = [&] { return static_cast<std::uint32_t>(random()); };
            points.push_back({next(), next(), next()});
            charges.push_back(i % 5 == 0 ? 0.0 : static_cast<double>(next()) * 0x1p-31 - 1.0);
            has_lj.push_back(i % 3 == 0 ? 1 : 0);
        }
        clusters.build(box, points, has_lj, AtomZones::of_one_rank(points.size()));
        for (std::size_t slot = 0; slot < clusters.atoms().size(); ++slot) {
            const double q = charges[clusters.atoms()[slot]];
            slot_charges.push_back(clusters.real(slot) ? static_cast<float>(q) : 0.0f);
        }
    }
};

/// A filled array on a device.
template <class T, class Range>
gpu::Buffer<T> on_device(const gpu::Device& device, gpu::Stream& stream, const Range& values) {
    gpu::Buffer<T> buffer(device, {"array of a test", "a test"});
    buffer.resize(values.size());
    buffer.upload(stream, std::span<const T>(values));
    return buffer;
}

template <class T>
std::vector<T> from_device(gpu::Stream& stream, const gpu::Buffer<T>& buffer) {
    std::vector<T> values(buffer.size());
    buffer.download(stream, values);
    return values;
}

}  // namespace mdsim::test

// SPDX-License-Identifier: Apache-2.0
#include "domain/halo.h"

#include <algorithm>
#include <cmath>

#include "core/arrays/resize_tightly.h"

namespace mdsim {

namespace {

constexpr double lattice_unit = 1.0 / 4294967296.0;
constexpr int tag_of_atoms = 100, tag_of_positions = 200, tag_of_forces = 300, tag_of_reading = 350;

/// What is told once about an atom of the halo.
struct HaloAtom {
    std::int64_t id;
    Vec3l place;  // as the receiver sees it
    Vec3d x;
    Zone zone;
};

}  // namespace

/// Says which local atoms the rank below along one axis needs.
struct Halo::Selector {
    const Regions& regions;
    Regions::Cell cell;  // of this rank
    Vec3d heights;       // of the lattice's cell [nm]
    const Overhang& overhang;
    HaloReach reach;
    bool rectangular;
    std::size_t axis;

    std::int64_t upper_face(std::size_t a) const { return regions.planes(a)[static_cast<std::size_t>(cell[a]) + 1]; }

    // The receiver's upper face along `axis` is this rank's lower one; along the others its faces are this rank's.
    bool needs(const Vec3l& place, Zone zone) const {
        const double limit = reach.distance;
        double sum = 0.0;
        for (std::size_t a = 0; a < 3; ++a) {
            const bool of_axis = a == axis;
            if (!of_axis && (zone.above >> a & 1u) == 0) continue;
            const std::int64_t face = of_axis ? regions.planes(a)[static_cast<std::size_t>(cell[a])] : upper_face(a);
            const int i = static_cast<int>(a);
            const double beyond = static_cast<double>(place[i] - face) * lattice_unit * heights[i] - overhang.up[i];
            const double gap = std::max(0.0, beyond);
            if (gap > limit) return false;
            sum += gap * gap;
        }
        return !rectangular || sum <= limit * limit;
    }
};

void Halo::measure_overhang(const Regions& regions, const Lattice& lattice, const LocalAtoms& atoms) {
    const Regions::Cell cell = regions.cell_of(comm_.rank());
    std::array<double, 6> farthest{};
    for (std::size_t a = 0; a < 3; ++a) {
        if (regions.grid()[a] == 1) continue;
        const int i = static_cast<int>(a);
        const auto c = static_cast<std::size_t>(cell[a]);
        std::int64_t up = 0, down = 0;
        for (std::size_t n = 0; n < atoms.home; ++n) {
            up = std::max(up, atoms.places[n][i] - regions.planes(a)[c + 1]);
            down = std::max(down, regions.planes(a)[c] - atoms.places[n][i]);
        }
        const double unit = lattice.cell().heights()[i] * lattice_unit;
        farthest[a] = static_cast<double>(up) * unit;
        farthest[a + 3] = static_cast<double>(down) * unit;
    }
    comm_.max(farthest);
    overhang_ = {{farthest[0], farthest[1], farthest[2]}, {farthest[3], farthest[4], farthest[5]}};
}

// As many as the rank needs whose upper face has the most regions within reach; the same on all ranks.
int Halo::pulses_along(std::size_t axis, const Regions& regions, const Lattice& lattice, const HaloReach& reach) const {
    const int n = regions.grid()[axis], i = static_cast<int>(axis);
    if (n == 1) return 0;
    const double depth = reach.distance + overhang_.up[i] + overhang_.down[i];
    const double limit = depth / (lattice.cell().heights()[i] * lattice_unit);
    const auto planes = regions.planes(axis);
    int most = 1;
    for (int c = 0; c < n; ++c) {
        const double face = static_cast<double>(planes[static_cast<std::size_t>(c) + 1]);
        for (int k = 2; k < n; ++k) {
            const auto above = static_cast<std::size_t>((c + k) % n);
            const double turns = c + k >= n ? 4294967296.0 : 0.0;
            if (static_cast<double>(planes[above]) + turns - face <= limit) most = std::max(most, k);
        }
    }
    return most;
}

void Halo::make(const Regions& regions, const Lattice& lattice, const HaloReach& reach, LocalAtoms& atoms,
                std::vector<Vec3d>& x) {
    atoms.ids.resize(atoms.home);
    atoms.zones.assign(atoms.home, Zone{});
    atoms.places.resize(atoms.home);
    x.resize(atoms.home);
    measure_overhang(regions, lattice, atoms);
    pulses_.clear();
    for (const std::size_t axis : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
        const Selector selector{regions,
                                regions.cell_of(comm_.rank()),
                                lattice.cell().heights(),
                                overhang_,
                                reach,
                                lattice.cell().rectangular(),
                                axis};
        std::size_t first = 0, last = atoms.size();
        for (int k = pulses_along(axis, regions, lattice, reach); k > 0; --k) {
            Pulse pulse;
            pulse.to = regions.neighbour(comm_.rank(), axis, -1);
            pulse.from = regions.neighbour(comm_.rank(), axis, +1);
            make_pulse(selector, first, last, pulse, atoms, x);
            first = pulse.begin;
            last = atoms.size();
            pulses_.push_back(std::move(pulse));
        }
    }
}

void Halo::make_pulse(const Selector& selector, std::size_t first, std::size_t last, Pulse& pulse, LocalAtoms& atoms,
                      std::vector<Vec3d>& x) {
    const std::size_t axis = selector.axis;
    const bool wraps = selector.cell[axis] == 0;
    const auto bit = static_cast<std::uint8_t>(1u << axis);
    std::vector<HaloAtom> out;
    // Without a box nothing is sent across its end.
    for (std::size_t n = first; n < last && (selector.reach.periodic || !wraps); ++n) {
        if (!selector.needs(atoms.places[n], atoms.zones[n])) continue;
        HaloAtom atom{atoms.ids[n], atoms.places[n], x[n], atoms.zones[n]};
        atom.zone.above |= bit;
        if (wraps) {
            atom.zone.wrapped |= bit;
            atom.place[static_cast<int>(axis)] += std::int64_t{1} << 32;
        }
        out.push_back(atom);
        pulse.send.push_back(static_cast<std::uint32_t>(n));
    }
    Request sent = comm_.begin_send(pulse.to, tag_of_atoms, as_bytes_of(out), Traffic::repartition);
    const std::vector<HaloAtom> in = values_of<HaloAtom>(comm_.receive(pulse.from, tag_of_atoms));
    sent.wait();
    pulse.begin = atoms.size();
    pulse.count = in.size();
    reserve_tightly(atoms.ids, pulse.begin + pulse.count);
    reserve_tightly(atoms.zones, pulse.begin + pulse.count);
    reserve_tightly(atoms.places, pulse.begin + pulse.count);
    reserve_tightly(x, pulse.begin + pulse.count);
    for (const HaloAtom& atom : in) {
        atoms.ids.push_back(atom.id);
        atoms.zones.push_back(atom.zone);
        atoms.places.push_back(atom.place);
        x.push_back(atom.x);
    }
}

// What a rank reads of what it has got along later axes, it has to get along the earlier ones.
void Halo::choose_read(std::vector<unsigned char> read) {
    for (auto pulse = pulses_.rbegin(); pulse != pulses_.rend(); ++pulse) {
        const std::span<const unsigned char> wanted = std::span(read).subspan(pulse->begin, pulse->count);
        std::vector<unsigned char> below(pulse->send.size());
        Request receive = comm_.begin_receive(pulse->to, tag_of_reading, std::as_writable_bytes(std::span(below)));
        Request send = comm_.begin_send(pulse->from, tag_of_reading, std::as_bytes(wanted), Traffic::repartition);
        receive.wait();
        pulse->read_send.clear();
        pulse->read_receive.clear();
        for (std::size_t k = 0; k < pulse->count; ++k) {
            if (wanted[k]) pulse->read_receive.push_back(static_cast<std::uint32_t>(pulse->begin + k));
        }
        for (std::size_t k = 0; k < below.size(); ++k) {
            if (!below[k]) continue;
            pulse->read_send.push_back(pulse->send[k]);
            read[pulse->send[k]] = 1;
        }
        send.wait();
    }
}

std::span<const std::uint32_t> Halo::sent(const Pulse& pulse) const {
    return part_ == HaloPart::all ? pulse.send : pulse.read_send;
}

std::size_t Halo::received(const Pulse& pulse) const {
    return part_ == HaloPart::all ? pulse.count : pulse.read_receive.size();
}

void Halo::begin(std::span<Vec3d> x, HaloPart part) {
    x_ = x;
    part_ = part;
    next_ = 0;
    start_pulse();
}

// Packs the next pulse that has anything to do; what it sends has arrived by then.
void Halo::start_pulse() {
    for (; next_ < pulses_.size(); ++next_) {
        Pulse& pulse = pulses_[next_];
        const std::span<const std::uint32_t> atoms = sent(pulse);
        if (received(pulse) > 0) {
            pulse.in.resize(part_ == HaloPart::all ? 0 : received(pulse));
            const auto to = part_ == HaloPart::all ? x_.subspan(pulse.begin, pulse.count) : std::span(pulse.in);
            receiving_ = comm_.begin_receive(pulse.from, tag_of_positions, std::as_writable_bytes(to));
        }
        if (!atoms.empty()) {
            pulse.out.resize(atoms.size());
            for (std::size_t k = 0; k < atoms.size(); ++k) pulse.out[k] = x_[atoms[k]];
            sending_ = comm_.begin_send(pulse.to, tag_of_positions, as_bytes_of(pulse.out), Traffic::halo_positions);
        }
        if (received(pulse) > 0 || !atoms.empty()) return;
    }
}

void Halo::end_pulse() {
    const Pulse& pulse = pulses_[next_++];
    for (std::size_t k = 0; k < pulse.in.size(); ++k) x_[pulse.read_receive[k]] = pulse.in[k];
    start_pulse();
}

bool Halo::progress() {
    // Never waits: the rank below may be busy with something for which it needs this one.
    while (next_ < pulses_.size() && receiving_.test() && sending_.test()) end_pulse();
    return next_ == pulses_.size();
}

void Halo::finish() {
    while (next_ < pulses_.size()) {
        receiving_.wait();
        sending_.wait();
        end_pulse();
    }
}

// What came in the last pulse goes back first, so that each rank passes on complete sums.
void Halo::return_forces(std::span<Vec3l> forces) {
    for (auto pulse = pulses_.rbegin(); pulse != pulses_.rend(); ++pulse) {
        Request receive, send;
        const std::span<const std::uint32_t> atoms = sent(*pulse);
        if (!atoms.empty()) {
            pulse->forces_in.resize(atoms.size());
            receive =
                comm_.begin_receive(pulse->to, tag_of_forces, std::as_writable_bytes(std::span(pulse->forces_in)));
        }
        if (received(*pulse) > 0) {
            std::span<const Vec3l> out = forces.subspan(pulse->begin, pulse->count);
            if (part_ == HaloPart::read) {
                pulse->forces_out.clear();
                for (const std::uint32_t atom : pulse->read_receive) pulse->forces_out.push_back(forces[atom]);
                out = pulse->forces_out;
            }
            send = comm_.begin_send(pulse->from, tag_of_forces, std::as_bytes(out), Traffic::halo_forces);
        }
        receive.wait();
        for (std::size_t k = 0; k < atoms.size(); ++k) forces[atoms[k]] += pulse->forces_in[k];
        send.wait();
    }
}

}  // namespace mdsim

// SPDX-License-Identifier: Apache-2.0
#include "domain/home_fields.h"

#include <algorithm>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"

namespace mdsim {

namespace {

template <class T>
void put(const T& value, std::byte*& to) {
    to = std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, to);
}
template <class T>
void take(const std::byte*& from, T& value) {
    std::copy_n(from, sizeof value, reinterpret_cast<std::byte*>(&value));
    from += sizeof value;
}

struct Arrival {
    std::int64_t id;
    const std::byte* values;
};

// By ascending id.
std::vector<Arrival> arrivals_of(std::span<const Bytes> parts, std::size_t record) {
    std::vector<Arrival> arrivals;
    for (const Bytes& part : parts) {
        MDSIM_EXPECT(part.size() % record == 0);
        for (std::size_t at = 0; at < part.size(); at += record) {
            Arrival arrival{0, part.data() + at};
            take(arrival.values, arrival.id);
            arrivals.push_back(arrival);
        }
    }
    std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.id < b.id; });
    return arrivals;
}

}  // namespace

Bytes HomeFields::pack(std::span<const std::uint32_t> atoms) const {
    Bytes records(atoms.size() * record());
    std::byte* to = records.data();
    for (const std::uint32_t n : atoms) {
        put(ids_[n], to);
        for (const std::vector<Vec3d>* field : fields_) put((*field)[n], to);
    }
    return records;
}

void HomeFields::resize(std::size_t atoms) {
    resize_tightly(ids_, atoms);
    for (std::vector<Vec3d>* field : fields_) resize_tightly(*field, atoms);
}

// From the highest id downwards, so that those that are here move to their new places without being in the way.
void HomeFields::merge(std::span<const Bytes> parts) {
    const std::vector<Arrival> arrivals = arrivals_of(parts, record());
    std::size_t here = ids_.size();
    resize(here + arrivals.size());
    std::size_t place = ids_.size();
    for (auto next = arrivals.rbegin(); next != arrivals.rend(); ++next) {
        while (here > 0 && ids_[here - 1] > next->id) move(--here, --place);
        ids_[--place] = next->id;
        const std::byte* from = next->values;
        for (std::vector<Vec3d>* field : fields_) take(from, (*field)[place]);
    }
}

void HomeFields::release_room() {
    ids_.shrink_to_fit();
    for (std::vector<Vec3d>* field : fields_) field->shrink_to_fit();
}

}  // namespace mdsim

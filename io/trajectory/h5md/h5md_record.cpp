// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_record.h"

#include <cmath>
#include <limits>
#include <span>

#include "io/hdf5/packed_rows.h"

namespace mdsim::h5md {

namespace {

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
std::span<char> writable(std::vector<T>& values) {
    return {reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)};
}

// Single precision, after what is there.
void add_field(std::vector<float>& out, std::span<const Vec3d> values) {
    const std::size_t begin = out.size(), numbers = 3 * values.size();
    const auto* from = reinterpret_cast<const double*>(values.data());
    out.resize(begin + numbers);
    for (std::size_t n = 0; n < numbers; ++n) out[begin + n] = static_cast<float>(from[n]);
}

void add_rounded(std::vector<float>& out, std::span<const Vec3d> values, double grid) {
    for (const Vec3d& v : values) {
        for (int axis = 0; axis < 3; ++axis) out.push_back(static_cast<float>(std::round(v[axis] / grid) * grid));
    }
}

}  // namespace

void Record::add_to(Checksum& checksum) const {
    checksum.add(bytes_of(step));
    checksum.add(bytes_of(time));
    if (kind == Kind::frame) checksum.add(bytes_of(box));
    checksum.add(bytes_of(fields));
    checksum.add(bytes_of(images));
    checksum.add(bytes_of(values));
}

std::size_t Record::bytes() const {
    return sizeof(Record) + bytes_of(fields).size() + bytes_of(images).size() + bytes_of(values).size();
}

Record record_of(const Frame& frame, const H5mdContent& content) {
    Record record;
    record.step = frame.step;
    record.time = frame.time;
    record.periodic = frame.box.periodic();
    for (std::size_t n = 0; n < 9; ++n)
        record.box[n] = static_cast<float>(frame.box.rows()[n / 3][static_cast<int>(n % 3)]);
    record.fields.reserve(fields_of(content).size() * 3 * frame.x.size());
    if (content.grid > 0.0) add_rounded(record.fields, frame.x, content.grid);
    if (content.grid <= 0.0) add_field(record.fields, frame.x);
    const std::vector<Vec3d> none(frame.x.size());
    if (content.velocities == WithVelocities::yes) add_field(record.fields, frame.v.empty() ? none : frame.v);
    if (content.forces == WithForces::yes) add_field(record.fields, frame.f.empty() ? none : frame.f);
    for (const Image& image : frame.images) record.images.insert(record.images.end(), {image.x, image.y, image.z});
    if (frame.energies != nullptr) {
        record.values = energy_values(*frame.energies);
        record.values.resize(observable_count);
    }
    return record;
}

Record record_of(const EnergyRow& row) {
    Record record;
    record.kind = Kind::energies;
    record.step = row.step;
    record.time = row.time;
    record.values = energy_values(row);
    return record;
}

Record stored_record(const h5::File& file, const H5mdContent& content, const Extras& extras, Kind kind, hsize_t index) {
    Record record;
    record.kind = kind;
    const auto scalar = [&](const std::string& set, hid_t type, auto& value) {
        file.read_row(set, index, type, {reinterpret_cast<char*>(&value), sizeof value});
    };
    const std::string place = kind == Kind::frame ? group + "/position" : energies;
    scalar(place + "/step", H5T_NATIVE_INT64, record.step);
    scalar(place + "/time", H5T_NATIVE_DOUBLE, record.time);
    if (kind == Kind::energies) {
        record.values.resize(energy_columns().size());
        file.read_row(energies + "/value", index, H5T_NATIVE_DOUBLE, writable(record.values));
        return record;
    }
    file.read_row(group + "/box/edges/value", index, H5T_NATIVE_FLOAT,
                  {reinterpret_cast<char*>(record.box.data()), sizeof record.box});
    const std::vector<Field> fields = fields_of(content);
    const std::size_t numbers = 3 * content.atoms.id.size();
    record.fields.resize(fields.size() * numbers);
    for (std::size_t n = 0; n < fields.size(); ++n)
        file.read_row(group + "/" + fields[n].name + "/value", index, H5T_NATIVE_FLOAT,
                      writable(record.fields).subspan(4 * n * numbers, 4 * numbers));
    if (extras.images) {
        record.images.resize(numbers);
        file.read_row(group + "/image/value", index, H5T_NATIVE_INT32, writable(record.images));
    }
    if (extras.observables) {
        record.values.resize(observable_count);
        const std::vector<std::string> names = observables();
        for (std::size_t n = 0; n < names.size(); ++n) scalar(names[n] + "/value", H5T_NATIVE_DOUBLE, record.values[n]);
    }
    return record;
}

namespace {

// One column of what several records have, as one piece for HDF5.
template <class T, class Get>
std::vector<T> gathered(const std::vector<const Record*>& records, Get&& get) {
    std::vector<T> all;
    for (const Record* record : records) {
        const auto part = get(*record);
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

// The bytes of one array of each record.
template <class Get>
std::vector<std::span<const char>> rows_of(const std::vector<const Record*>& records, Get&& get) {
    std::vector<std::span<const char>> rows;
    for (const Record* record : records) {
        const auto values = get(*record);
        rows.emplace_back(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    return rows;
}

void append_frames(h5::File& file, const H5mdContent& content, const Extras& extras,
                   const std::vector<const Record*>& frames) {
    if (frames.empty()) return;
    const hsize_t count = frames.size();
    const std::size_t numbers = 3 * content.atoms.id.size();
    const auto steps = gathered<std::int64_t>(frames, [](const Record& r) { return std::array{r.step}; });
    const auto times = gathered<double>(frames, [](const Record& r) { return std::array{r.time}; });
    const auto boxes = gathered<float>(frames, [](const Record& r) { return r.box; });
    file.append_rows(group + "/position/step", H5T_NATIVE_INT64, steps.data(), count);
    file.append_rows(group + "/position/time", H5T_NATIVE_DOUBLE, times.data(), count);
    file.append_rows(group + "/box/edges/value", H5T_NATIVE_FLOAT, boxes.data(), count);
    const auto by = content.durability == Durability::cached ? h5::PackedBy::all_threads : h5::PackedBy::this_thread;
    const std::vector<Field> fields = fields_of(content);
    for (std::size_t n = 0; n < fields.size(); ++n) {
        h5::append_packed_rows(
            file, group + "/" + fields[n].name + "/value", H5T_NATIVE_FLOAT,
            rows_of(frames, [&](const Record& r) { return std::span(r.fields).subspan(n * numbers, numbers); }), by);
    }
    if (extras.images) {
        h5::append_packed_rows(file, group + "/image/value", H5T_NATIVE_INT32,
                               rows_of(frames, [](const Record& r) { return std::span(r.images); }), by);
    }
    if (!extras.observables) return;
    const std::vector<std::string> names = observables();
    for (std::size_t n = 0; n < names.size(); ++n) {
        const auto values = gathered<double>(frames, [&](const Record& r) { return std::array{r.values[n]}; });
        file.append_rows(names[n] + "/value", H5T_NATIVE_DOUBLE, values.data(), count);
    }
}

void append_rows(h5::File& file, const std::vector<const Record*>& rows) {
    if (rows.empty()) return;
    if (!file.has(energies + "/value")) create_energies(file);
    const auto steps = gathered<std::int64_t>(rows, [](const Record& r) { return std::array{r.step}; });
    const auto times = gathered<double>(rows, [](const Record& r) { return std::array{r.time}; });
    const auto values = gathered<double>(rows, [](const Record& r) { return std::span(r.values); });
    file.append_rows(energies + "/step", H5T_NATIVE_INT64, steps.data(), rows.size());
    file.append_rows(energies + "/time", H5T_NATIVE_DOUBLE, times.data(), rows.size());
    file.append_rows(energies + "/value", H5T_NATIVE_DOUBLE, values.data(), rows.size());
}

}  // namespace

void append_records(h5::File& file, const H5mdContent& content, const Extras& extras,
                    const std::vector<Record>& records) {
    std::vector<const Record*> frames, rows;
    std::vector<std::uint8_t> kinds;
    for (const Record& record : records) {
        kinds.push_back(static_cast<std::uint8_t>(record.kind));
        (record.kind == Kind::frame ? frames : rows).push_back(&record);
    }
    append_frames(file, content, extras, frames);
    append_rows(file, rows);
    file.append_rows(h5md::records, H5T_NATIVE_UINT8, kinds.data(), kinds.size());
}

}  // namespace mdsim::h5md

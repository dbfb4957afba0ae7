// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_record.h"

#include <cmath>
#include <istream>
#include <limits>
#include <span>

#include "io/hdf5/packed_rows.h"

namespace mdsim::h5md {

namespace {

struct Header {
    std::int64_t step = 0;
    double time = 0.0;
    std::array<float, 9> box{};
    std::uint32_t kind = 0, periodic = 0;
    std::uint64_t fields = 0, images = 0, values = 0;  // extents
};

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

template <class T>
void read_values(std::istream& in, std::uint64_t extent, std::vector<T>& values) {
    values.resize(extent);
    in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(extent * sizeof(T)));
}

void add_field(std::vector<float>& out, std::span<const Vec3d> values) {
    for (const Vec3d& v : values)
        out.insert(out.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
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
    return sizeof(Header) + bytes_of(fields).size() + bytes_of(images).size() + bytes_of(values).size();
}

void Record::write(std::string& journal) const {
    const Header header{
        step,          time,          box,          static_cast<std::uint32_t>(kind), periodic ? 1U : 0U,
        fields.size(), images.size(), values.size()};
    journal += bytes_of(header);
    journal += bytes_of(fields);
    journal += bytes_of(images);
    journal += bytes_of(values);
}

bool Record::read(std::istream& journal) {
    Header header;
    journal.read(reinterpret_cast<char*>(&header), sizeof header);
    if (!journal) return false;
    kind = static_cast<Kind>(header.kind);
    step = header.step;
    time = header.time;
    box = header.box;
    periodic = header.periodic != 0;
    read_values(journal, header.fields, fields);
    read_values(journal, header.images, images);
    read_values(journal, header.values, values);
    return static_cast<bool>(journal);
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
    const std::vector<Field> fields = fields_of(content);
    for (std::size_t n = 0; n < fields.size(); ++n) {
        const auto values =
            gathered<float>(frames, [&](const Record& r) { return std::span(r.fields).subspan(n * numbers, numbers); });
        h5::append_packed_rows(file, group + "/" + fields[n].name + "/value", H5T_NATIVE_FLOAT, bytes_of(values),
                               count);
    }
    if (extras.images) {
        const auto images = gathered<std::int32_t>(frames, [](const Record& r) { return std::span(r.images); });
        h5::append_packed_rows(file, group + "/image/value", H5T_NATIVE_INT32, bytes_of(images), count);
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

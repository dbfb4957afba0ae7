// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_layout.h"

#include <algorithm>

#include "core/version.h"
#include "io/tables/energies_csv.h"

namespace mdsim::h5md {

namespace {

using Packing = h5::File::Packing;

constexpr hsize_t chunk_bytes = 16384;  // at least; frames of large systems have chunks of their own

hsize_t rows_of_chunk(hsize_t row_bytes) {
    return std::clamp<hsize_t>(chunk_bytes / std::max<hsize_t>(1, row_bytes), 1, 64);
}

// An element {step, time, value}; step and time are those of the position, as hard links.
void create_element(h5::File& file, const std::string& element, hid_t type, const std::string& unit,
                    const std::vector<hsize_t>& row) {
    hsize_t bytes = 4;
    for (const hsize_t n : row) bytes *= n;
    file.create_growing(element + "/value", type, row, rows_of_chunk(bytes), Packing::deflate);
    if (!unit.empty()) file.set_attribute(element + "/value", "unit", unit);
    if (element == group + "/position") {
        file.create_growing(element + "/step", H5T_STD_I64LE, {}, 1024, Packing::deflate);
        file.create_growing(element + "/time", H5T_IEEE_F64LE, {}, 1024, Packing::deflate);
        file.set_attribute(element + "/time", "unit", "ps");
    } else {
        file.hard_link(group + "/position/step", element + "/step");
        file.hard_link(group + "/position/time", element + "/time");
    }
}

void create_header(h5::File& file) {
    file.make_group("/h5md/author");
    file.make_group("/h5md/creator");
    file.make_group("/h5md/modules/units");
    file.set_attribute("/h5md", "version", std::vector<std::int64_t>{1, 1});
    file.set_attribute("/h5md/author", "name", "not given");
    file.set_attribute("/h5md/creator", "name", "mdsim");
    file.set_attribute("/h5md/creator", "version", std::string(version));
    file.set_attribute("/h5md/modules/units", "version", std::vector<std::int64_t>{1, 0});
    file.set_attribute("/h5md/modules/units", "system", "SI");
}

void create_atoms(h5::File& file, const H5mdAtoms& atoms) {
    file.write(group + "/id", atoms.id, {atoms.id.size()});
    file.write(group + "/species", atoms.species, {atoms.species.size()});
    file.write(group + "/mass", atoms.mass, {atoms.mass.size()});
    file.set_attribute(group + "/mass", "unit", "u");
    file.write(group + "/charge", atoms.charge, {atoms.charge.size()});
    file.set_attribute(group + "/charge", "unit", "e");
    if (!atoms.bonds.empty()) {
        file.write("/connectivity/bonds", atoms.bonds, {atoms.bonds.size() / 2, 2});
        file.set_reference("/connectivity/bonds", "particles_group", group);
    }
    if (atoms.name.empty()) return;
    file.write("/mdsim/atoms/name", atoms.name);
    file.write("/mdsim/atoms/residue", atoms.residue, {atoms.residue.size()});
    file.write("/mdsim/residues/name", atoms.residue_name);
    file.write("/mdsim/residues/chain", atoms.residue_chain);
    file.write("/mdsim/residues/number", atoms.residue_number, {atoms.residue_number.size()});
    if (!atoms.residue_insertion.empty()) file.write("/mdsim/residues/insertion", atoms.residue_insertion);
}

// Units as H5MD writes them: "kJ mol-1", "kg m-3", "nm3".
std::string h5md_unit(const std::string& unit) {
    if (unit == "kJ/mol") return "kJ mol-1";
    if (unit == "kg/m^3") return "kg m-3";
    if (unit == "nm^3") return "nm3";
    return unit;
}

}  // namespace

Extras extras_of(const h5::File& file) {
    return {.periodic = true,
            .images = file.has(group + "/image/value"),
            .observables = file.has(observables().front() + "/value")};
}

std::vector<Field> fields_of(const H5mdContent& content) {
    std::vector<Field> fields{{"position", "nm"}};
    if (content.velocities == WithVelocities::yes) fields.push_back({"velocity", "nm ps-1"});
    if (content.forces == WithForces::yes) fields.push_back({"force", "kJ mol-1 nm-1"});
    return fields;
}

std::vector<std::string> observables() {
    std::vector<std::string> names;
    const std::vector<EnergyColumn> columns = energy_columns();
    for (std::size_t n = 0; n < observable_count; ++n) names.push_back("/observables/" + columns[n].name);
    return names;
}

void create_layout(h5::File& file, const H5mdContent& content, const Extras& extras) {
    const hsize_t atoms = content.atoms.id.size();
    create_header(file);
    for (const Field& field : fields_of(content))
        create_element(file, group + "/" + field.name, H5T_IEEE_F32LE, field.unit, {atoms, 3});
    if (content.grid > 0.0) {
        file.set_attribute(group + "/position/value", "precision", content.grid);
        file.set_attribute(group + "/position/value", "largest_error", 0.5 * content.grid);
    }
    create_element(file, group + "/box/edges", H5T_IEEE_F32LE, "nm", {3, 3});
    file.set_attribute(group + "/box", "dimension", std::vector<std::int64_t>{3});
    file.set_attribute(group + "/box", "boundary", std::vector<std::string>(3, extras.periodic ? "periodic" : "none"));
    if (extras.images) create_element(file, group + "/image", H5T_STD_I32LE, "", {atoms, 3});
    if (extras.observables) {
        const std::vector<EnergyColumn> columns = energy_columns();
        const std::vector<std::string> names = observables();
        for (std::size_t n = 0; n < names.size(); ++n)
            create_element(file, names[n], H5T_IEEE_F64LE, h5md_unit(columns[n].unit), {});
    }
    create_atoms(file, content.atoms);
    file.create_growing(records, H5T_STD_U8LE, {}, 4096, Packing::deflate);
    for (const auto& [name, text] : content.provenance) file.write(h5md::provenance + name, text);
}

void create_energies(h5::File& file) {
    std::vector<std::string> names, units;
    for (const EnergyColumn& column : energy_columns()) {
        names.push_back(column.name);
        units.push_back(h5md_unit(column.unit));
    }
    file.create_growing(energies + "/value", H5T_IEEE_F64LE, {names.size()}, 64, Packing::deflate);
    file.create_growing(energies + "/step", H5T_STD_I64LE, {}, 1024, Packing::deflate);
    file.create_growing(energies + "/time", H5T_IEEE_F64LE, {}, 1024, Packing::deflate);
    file.set_attribute(energies + "/time", "unit", "ps");
    file.write(energies + "/names", names);
    file.write(energies + "/units", units);
}

std::vector<std::string> frame_sets(const H5mdContent& content, const Extras& extras) {
    std::vector<std::string> sets{group + "/position/step", group + "/position/time", group + "/box/edges/value"};
    for (const Field& field : fields_of(content)) sets.push_back(group + "/" + field.name + "/value");
    if (extras.images) sets.push_back(group + "/image/value");
    if (extras.observables) {
        for (const std::string& name : observables()) sets.push_back(name + "/value");
    }
    return sets;
}

}  // namespace mdsim::h5md

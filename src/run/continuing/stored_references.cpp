// SPDX-License-Identifier: Apache-2.0
#include "run/continuing/stored_references.h"

#include <span>

#include <fmt/format.h>

namespace mdsim {

namespace {

std::string reference_key(std::size_t entry) {
    return fmt::format("restraint_reference_{}", entry);
}

std::vector<double> as_numbers(std::span<const Vec3d> v) {
    std::vector<double> numbers;
    for (const Vec3d& r : v) numbers.insert(numbers.end(), {r.x, r.y, r.z});
    return numbers;
}

std::vector<Vec3d> as_vectors(const std::vector<double>& numbers) {
    std::vector<Vec3d> v;
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) v.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    return v;
}

}  // namespace

std::map<std::string, std::vector<double>> as_numbers(const RestraintReferences& references) {
    std::map<std::string, std::vector<double>> numbers;
    std::vector<Vec3d> boxes;
    for (std::size_t n = 0; n < references.of_entry.size(); ++n) {
        numbers[reference_key(n)] = as_numbers(references.of_entry[n]);
        for (const Vec3d& row : references.boxes[n].rows()) boxes.push_back(row);
    }
    numbers["restraint_reference_boxes"] = as_numbers(boxes);
    return numbers;
}

RestraintReferences restore_references(const std::map<std::string, std::vector<double>>& numbers, std::size_t entries) {
    RestraintReferences references;
    const std::vector<Vec3d> rows = as_vectors(numbers.at("restraint_reference_boxes"));
    for (std::size_t n = 0; n < entries; ++n) {
        references.of_entry.push_back(as_vectors(numbers.at(reference_key(n))));
        const Mat3d box{rows.at(3 * n), rows.at(3 * n + 1), rows.at(3 * n + 2)};
        references.boxes.push_back(box[0].x > 0.0 ? Box::from_rows(box) : Box());
    }
    return references;
}

}  // namespace mdsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/vec3.h"
#include "system/box.h"
#include "system/topology.h"

namespace mdsim::analyse {

/// One frame as measures see it: all atoms of the topology, molecules whole where they are bonded.
struct Snapshot {
    double time = 0.0;  ///< [ps]
    const Box& box;
    std::span<const Vec3d> x;  ///< [nm]
};

/// A field of a table: a number or a name.
using Field = std::variant<double, std::int64_t, std::string>;
using Row = std::vector<Field>;

/// Something that is measured over a trajectory, frame by frame, in memory that does not grow with their number.
class Measure {
  public:
    virtual ~Measure() = default;
    /// Heads of the table, with units: "time [ps]".
    virtual std::vector<std::string> columns() const = 0;
    /// Takes a frame; appends the rows that are complete with it.
    virtual void add(const Snapshot& frame, std::vector<Row>& rows) = 0;
    /// Appends what is known only when all frames have been taken.
    virtual void finish(std::vector<Row>& rows) = 0;
};

/// What measures need of all atoms, one after the other.
struct AtomTable {
    std::vector<double> mass;            ///< [u]
    std::vector<double> charge;          ///< [e]
    std::vector<int> element;            ///< atomic numbers
    std::vector<std::int64_t> molecule;  ///< numbers from 0
};
AtomTable atom_table(const Topology& topology);

/// Whether atoms are selected once, in the first frame, or in each frame anew. Selections without distances are the
/// same in all.
enum class Selecting { once, each_frame };

/// The atoms of a selection.
class Group {
  public:
    /// text: checked before. The topology must outlive this.
    Group(std::string text, const Topology& topology, Selecting selecting)
        : text_(std::move(text)), topology_(&topology), selecting_(selecting) {}
    /// Atoms in this frame, numbers from 0, ascending.
    const std::vector<std::int64_t>& atoms(const Snapshot& frame);

  private:
    std::string text_;
    const Topology* topology_;
    Selecting selecting_;
    bool selected_ = false;
    std::vector<std::int64_t> atoms_;
};

/// Positions of some atoms, in their order.
std::vector<Vec3d> positions(std::span<const Vec3d> x, std::span<const std::int64_t> atoms);

}  // namespace mdsim::analyse

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyse/measure.h"

namespace mdsim::analyse {

enum class Weights { equal, mass };

/// How a structure is laid upon the reference before it is compared.
struct Fitting {
    std::string select;  ///< atoms that are superposed; empty: those that are measured
    Weights weights = Weights::equal;
    std::vector<Vec3d> reference;  ///< [nm], extent: all atoms; empty: the first frame
};

/// Lays frames upon the reference. Atoms are those of the first frame.
class Fitter {
  public:
    Fitter(const Topology& topology, const std::string& select, Fitting fitting);
    /// Positions of the measured atoms, laid upon the reference.
    std::vector<Vec3d> fitted(const Snapshot& frame);
    const std::vector<std::int64_t>& atoms() const { return atoms_; }
    const std::vector<Vec3d>& reference() const { return reference_; }  ///< of the measured atoms
    const std::vector<double>& weights() const { return weights_; }     ///< of the measured atoms

  private:
    AtomTable table_;
    Group measured_, superposed_;
    Fitting fitting_;
    bool begun_ = false;
    std::vector<std::int64_t> atoms_, fit_atoms_;
    std::vector<Vec3d> reference_, fit_reference_;
    std::vector<double> weights_, fit_weights_;

    void begin(const Snapshot& frame);
    std::vector<double> weights_of(const std::vector<std::int64_t>& atoms) const;
};

/// Root of the mean squared distance from the reference after superposition, frame by frame.
class Rmsd final : public Measure {
  public:
    Rmsd(const Topology& topology, const std::string& select, Fitting fitting)
        : fitter_(topology, select, std::move(fitting)) {}
    std::vector<std::string> columns() const override { return {"time [ps]", "rmsd [nm]"}; }
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>&) override {}

  private:
    Fitter fitter_;
};

/// Root of the mean squared distance of each atom from its mean position, after superposition of every frame on the
/// reference.
class Rmsf final : public Measure {
  public:
    Rmsf(const Topology& topology, const std::string& select, Fitting fitting)
        : topology_(topology), fitter_(topology, select, std::move(fitting)) {}
    std::vector<std::string> columns() const override { return {"index", "resid", "resname", "name", "rmsf [nm]"}; }
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>& rows) override;

  private:
    const Topology& topology_;
    Fitter fitter_;
    std::int64_t frames_ = 0;
    std::vector<Vec3d> mean_;     // of the frames so far
    std::vector<double> spread_;  // sum of squared distances from the mean
};

/// Radius of gyration: root of the mean squared distance from the centre of mass, weighted by mass.
class RadiusOfGyration final : public Measure {
  public:
    RadiusOfGyration(const Topology& topology, const std::string& select)
        : table_(atom_table(topology)), group_(select, topology, Selecting::each_frame) {}
    std::vector<std::string> columns() const override { return {"time [ps]", "rgyr [nm]"}; }
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>&) override {}

  private:
    AtomTable table_;
    Group group_;
};

}  // namespace mdsim::analyse

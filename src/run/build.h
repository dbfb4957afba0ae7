// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forces/mesh/pme_parameters.h"
#include "forces/mesh/prolate/esp_parameters.h"
#include "forces/reference/ewald_parameters.h"
#include "run/setup.h"
#include "run/simulation.h"
#include "system/preparation/constraint_choice.h"

namespace mdsim {

/// The ranks that compute this system together.
const Comm& ranks_of(const Setup& setup);

/// Points along each box vector, and nodes along an axis that a charge is spread over.
struct MeshSize {
    std::array<int, 3> points{};
    int order = 0;
};

/// What mdsim has chosen where the input left it open; for the log, --check and `energy --json`.
struct ChosenForces {
    NonbondedSettings nonbonded;
    std::optional<MeshSize> mesh;  ///< where there is one: of the next or of the one after it
    std::optional<mesh::PmeParameters> pme;
    std::optional<mesh::EspParameters> esp;
    std::optional<EwaldParameters> ewald;  ///< of the plain sum
    std::vector<std::string> notes;        ///< lines for the log
};
ChosenForces choose_forces(const Setup& setup);

/// Atoms of a selection from the input, by where they are at the start; an input error where the text is wrong or
/// selects nothing. Where they are is known on the leading rank.
std::vector<AtomId> select_atoms(const Setup& setup, const std::string& text, const std::string& key);

/// The ranks that compute this system together.
const Comm& ranks_of(const Setup& setup);

/// Of these so many, the last ones, only transform the mesh, as the input says it: none where it leaves that open, or
/// where there is no mesh.
int separate_mesh_ranks(const Setup& setup);
/// Numbers of those that transform the mesh.
std::vector<int> ranks_with_mesh(const Domain& domain);

/// Their part of it each, of no atoms yet where there are several.
std::unique_ptr<Domain> make_domain(const Setup& setup, int mesh_ranks);

/// Reference positions of the restraints of a stage, those of the input's entries one after the other. Taken when the
/// stage starts, and kept in checkpoints.
struct RestraintReferences {
    std::vector<std::vector<Vec3d>> of_entry;  ///< on the leading rank; extent: atoms of each entry
    std::vector<Box> boxes;                    ///< the one that each entry's positions belong to
};
/// Throws what make_references and add_restraints would, on the leading rank.
void require_references(const Setup& setup, const StageInput& stage);
/// stage_start: of home atoms. Collective.
RestraintReferences make_references(const Setup& setup, const StageInput& stage, const State& stage_start,
                                    const Domain& domain);
/// State::references of the home atoms. Collective.
std::vector<std::vector<Vec3d>> home_references(const Setup& setup, const StageInput& stage,
                                                const RestraintReferences& references, const Domain& domain);

/// The name of the topology's own in energies and log.
inline constexpr const char* topology_restraints = "topology";

/// What holds atoms in a stage, in the order of its entries, then what the topology holds to the positions of the
/// input. Of `references` the boxes are read. Collective; the ranks must outlive the terms.
void add_restraints(std::vector<std::unique_ptr<HostTerm>>& terms, const Setup& setup, const StageInput* stage,
                    const RestraintReferences& references, const Comm& ranks);

/// Masses and charges of home atoms with the stage's frozen atoms made immovable.
class StageAtoms {
  public:
    StageAtoms(const Setup& setup, const StageInput& stage);
    AtomParameters of(const Domain& domain) const;
    /// One flag an atom of the system; none where nothing is frozen.
    const std::vector<bool>& frozen() const { return frozen_; }

  private:
    std::vector<bool> frozen_;
};

/// All terms of one stage. The only place that knows concrete force terms. Of `references` the boxes are read. The
/// domain must outlive it.
std::unique_ptr<ForceSet> build_forces(const Setup& setup, const StageInput* stage,
                                       const RestraintReferences& references, Domain& domain,
                                       PrecisionChoice precision);

/// Atoms that the topology's own [ position_restraints ] hold in place.
std::int64_t atoms_held_by_topology(const Topology& topology);

/// Steps between removals of the motion of the centre of mass in a stage; 0: never. As the input says; where it says
/// nothing, never with anything that holds atoms to places, the topology's restraints included.
std::int64_t remove_com_every(const Setup& setup, const StageInput& stage);
ComRemoval com_removal(const Setup& setup, const StageInput& stage);

double stage_degrees_of_freedom(const Setup& setup, const StageInput& stage, const StageAtoms& atoms);

/// Everything that a stage of dynamics needs. The domain must outlive it.
DynamicsParts build_dynamics(const Setup& setup, const StageInput& stage, const RestraintReferences& references,
                             Domain& domain, const StageStart& start);

}  // namespace mdsim

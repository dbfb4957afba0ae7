// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/pme_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "forces/mesh/window.h"
#include "physics/pair_tails.h"

namespace mdsim::mesh {

ChargeStatistics charge_statistics(const Topology& topology) {
    ChargeStatistics s;
    for (const MoleculeBlock& block : topology.blocks) {
        const MoleculeType& type = topology.types[static_cast<std::size_t>(block.type)];
        std::vector<bool> excluded(type.atoms.size(), false);
        for (const Exclusion& e : type.exclusions) {
            excluded[static_cast<std::size_t>(e.i)] = excluded[static_cast<std::size_t>(e.j)] = true;
        }
        const auto count = static_cast<double>(block.count);
        for (std::size_t i = 0; i < type.atoms.size(); ++i) {
            const double square = count * type.atoms[i].charge * type.atoms[i].charge;
            s.sum_squares += square;
            if (!excluded[i]) s.free_squares += square;
        }
        s.atoms += block.count * type.size();
    }
    return s;
}

double PmeParameters::force_error() const {
    return std::hypot(direct_error, mesh_error);
}

int transform_size(int n) {
    for (int size = std::max(n, 8);; ++size) {
        int rest = size;
        for (int prime : {2, 3, 5, 7}) {
            while (rest % prime == 0) rest /= prime;
        }
        if (rest == 1) return size;
    }
}

namespace {

/// Expected errors of one system; validation/pme_accuracy says how its numbers were measured.
class ErrorModel {
  public:
    ErrorModel(const Box& box, const ChargeStatistics& charges, double coulomb_constant)
        : atoms_(static_cast<double>(std::max<std::int64_t>(charges.atoms, 1))),
          volume_(box.volume()),
          mean_square_(coulomb_constant * charges.sum_squares / atoms_),
          ions_(charges.sum_squares > 0.0 ? charges.free_squares / charges.sum_squares : 0.0) {
        for (std::size_t a = 0; a < 3; ++a) edge_[a] = norm(box.rows()[a]);
    }

    /// RMS force: a fraction of ke <q^2> (N/V)^(2/3), 0.95 in molecular liquids and 0.65 in molten salt.
    double force_scale() const { return mixed(0.95, 0.65) * mean_square_ * std::pow(atoms_ / volume_, 2.0 / 3.0); }

    /// Kolafa & Perram, Mol. Simul. 9 (1992) 351, eq. 18, times what correlation between charges leaves of it.
    double direct(double beta, double cutoff) const {
        return mixed(0.76, 0.9) * 2.0 * mean_square_ * std::sqrt(atoms_ / (cutoff * volume_)) *
               std::exp(-beta * beta * cutoff * cutoff) / force_scale();
    }

    double mesh(double beta, int order, const std::array<int, 3>& n) const {
        double sum = 0.0;
        for (std::size_t a = 0; a < 3; ++a) {
            const double error = along_axis(beta, order, edge_[a] / n[a]);
            sum += error * error / 3.0;
        }
        // Molecules keep their own density where the box is partly empty.
        const double density = atoms_ / volume_;
        const double molecules = 1.12 * std::sqrt(std::max(density, 100.0));
        const double free_ions = 2.2 * std::max(1.0, beta * beta / (2.8 * 2.8)) * std::sqrt(density);
        return mixed(molecules, free_ions) * mean_square_ * std::sqrt(beta * sum) / force_scale();
    }

    const std::array<double, 3>& edges() const { return edge_; }

  private:
    double atoms_, volume_;
    double mean_square_;  // ke <q^2> [kJ nm/mol]
    double ions_;         // share of free ions in the sum of squares
    std::array<double, 3> edge_{};

    double mixed(double molecules, double ions) const {
        return std::sqrt((1.0 - ions_) * molecules * molecules + ions_ * ions * ions);
    }

    // Error over ke <q^2> sqrt(beta N/V) at equal spacings h: a fit in beta h and beta to water, proteins and DNA.
    static double along_axis(double beta, int order, double h) {
        constexpr std::array<std::array<double, 5>, 3> fit{{{-7.726, 4.463, -0.028, 0.397, 1.187},
                                                            {-9.306, 5.862, 0.058, 0.586, 1.417},
                                                            {-10.751, 7.323, 0.207, 0.715, 1.691}}};
        const std::array<double, 5>& c = fit[static_cast<std::size_t>(order - smallest_order)];
        const double x = std::log(beta * h / 0.35), y = std::log(beta / 3.0);
        if (beta * h > 0.65) return 1.0;  // beyond what was measured
        return std::exp(c[0] + (c[1] + c[2] * x) * x + (c[3] + c[4] * x) * y);
    }
};

}  // namespace

double expected_force(const Box& box, const ChargeStatistics& charges, double coulomb_constant) {
    return ErrorModel(box, charges, coulomb_constant).force_scale();
}

double direct_force_error(double beta, double cutoff, const Box& box, const ChargeStatistics& charges,
                          double coulomb_constant) {
    const ErrorModel model(box, charges, coulomb_constant);
    return model.direct(beta, cutoff) * model.force_scale();
}

namespace {

/// Time of one evaluation on one thread [ns], measured on a Zen 5 core; only ratios matter.
double cost(int order, const std::array<int, 3>& n, std::int64_t atoms) {
    constexpr std::array<double, 3> per_atom{31.0, 47.0, 60.0};
    // Eight lines: the transform, by how well its length suits vector registers, and moving them.
    const auto batch = [](int length) {
        const bool power = (length & (length - 1)) == 0;
        const double suits = power ? 0.6 : length % 16 == 0 ? 0.9 : length % 4 == 0 ? 1.2 : 1.6;
        return length * (1.15 * suits * std::log2(length) + 4.0);
    };
    const int planes = n[0] / 2 + 1;
    const double y_batches = std::ceil(n[2] / 8.0), z_batches = std::ceil(n[1] / 8.0);
    const double transforms =
        n[1] * std::ceil(n[2] / 16.0) * batch(n[0]) + planes * (y_batches * batch(n[1]) + z_batches * batch(n[2]));
    return per_atom[static_cast<std::size_t>(order - smallest_order)] * static_cast<double>(atoms) + 2.0 * transforms;
}

/// Splittings are multiples of this [1/nm], so that they can be read and typed.
constexpr double splitting_step = 0.01;

PmeParameters evaluate(const ErrorModel& model, const PmeRequest& request, double beta, int order,
                       const std::array<int, 3>& n) {
    return {beta, n, order, model.force_scale(), model.direct(beta, request.cutoff), model.mesh(beta, order, n)};
}

PmeParameters best_splitting(const ErrorModel& model, const PmeRequest& request, int order,
                             const std::array<int, 3>& n) {
    if (request.splitting) return evaluate(model, request, *request.splitting, order, n);
    PmeParameters best;
    double least = std::numeric_limits<double>::infinity();
    const int first = static_cast<int>(1.8 / request.cutoff / splitting_step);
    const int last = static_cast<int>(6.0 / request.cutoff / splitting_step);
    for (int i = first; i <= last; ++i) {
        const PmeParameters p = evaluate(model, request, i * splitting_step, order, n);
        if (p.force_error() >= least) continue;
        least = p.force_error();
        best = p;
    }
    return best;
}

// Up to ewald_polynomial_limit the pair kernels are a quarter faster: a splitting as small as that, where it will do.
PmeParameters suited_to_kernels(const ErrorModel& model, const PmeRequest& request, double wanted,
                                const PmeParameters& chosen) {
    const double limit = physics::ewald_polynomial_limit / request.cutoff;
    if (request.splitting || chosen.splitting <= limit) return chosen;
    const double splitting = std::floor(limit / splitting_step) * splitting_step;
    const PmeParameters smaller = evaluate(model, request, splitting, chosen.order, chosen.mesh);
    return smaller.force_error() <= wanted ? smaller : chosen;
}

std::array<int, 3> mesh_of(const ErrorModel& model, double spacing) {
    std::array<int, 3> n{};
    for (std::size_t a = 0; a < 3; ++a) {
        // A spacing that divides the edge up to rounding is not exceeded by it.
        n[a] = transform_size(static_cast<int>(std::ceil(model.edges()[a] / spacing - 1e-6)));
    }
    return n;
}

std::vector<std::array<int, 3>> candidate_meshes(const ErrorModel& model, const PmeRequest& request) {
    if (request.mesh) return {*request.mesh};
    if (request.spacing) return {mesh_of(model, *request.spacing)};
    std::vector<std::array<int, 3>> meshes;
    double spacing = 0.30;  // [nm]
    while (spacing > 0.025) {
        const std::array<int, 3> n = mesh_of(model, spacing);
        if (meshes.empty() || meshes.back() != n) meshes.push_back(n);
        spacing *= 0.98;
    }
    return meshes;
}

void refuse(std::string what, std::string remedy) {
    Problem problem;
    problem.code = "MD454";
    problem.what = std::move(what);
    problem.why = "particle mesh Ewald cannot be computed with it";
    problem.remedy = std::move(remedy);
    throw_input_error(std::move(problem));
}

void check(const PmeRequest& request) {
    if (request.mesh && *std::min_element(request.mesh->begin(), request.mesh->end()) < 8) {
        refuse("the mesh has fewer than 8 points along a box vector",
               "give forces.mesh at least 8 points, or leave it out");
    }
    if (request.order && (*request.order < smallest_order || *request.order > largest_order)) {
        refuse("the mesh order is not 4, 5 or 6", "give forces.mesh_order = 4, 5 or 6, or leave it out");
    }
    if (request.splitting && !(*request.splitting > 0.0)) {
        refuse("the Ewald splitting is not positive", "leave out forces.ewald_splitting: it is chosen then");
    }
    if (request.spacing && !(*request.spacing > 0.005)) {
        refuse("the mesh spacing is below 0.005 nm", "leave out forces.mesh_spacing: it is chosen then");
    }
}

// The model was fitted down to 1e-5. Below, the last digits of the mesh weigh more than it knows: up to 2.0 times at
// 1e-6 and 3.3 times at 1e-7 in water, proteins and DNA.
double aimed_at(double force_error) {
    return 0.9 * force_error * std::pow(std::min(1.0, force_error / 1e-5), 0.4);
}

}  // namespace

PmeParameters choose_pme(const PmeRequest& given, const Box& box, const ChargeStatistics& charges,
                         double coulomb_constant) {
    MDSIM_EXPECT(box.periodic() && given.cutoff > 0.0 && given.force_error > 0.0);
    check(given);
    PmeRequest request = given;
    // Without charges every splitting is as good, and the kernels hold for a usual one.
    if (charges.sum_squares == 0.0 && !request.splitting) request.splitting = 3.0 / request.cutoff;
    const ErrorModel model(box, charges, coulomb_constant);
    const double wanted = aimed_at(request.force_error);
    PmeParameters cheapest, most_accurate;
    double least_cost = std::numeric_limits<double>::infinity(), least_error = least_cost;
    for (const std::array<int, 3>& n : candidate_meshes(model, request)) {
        for (int order = smallest_order; order <= largest_order; ++order) {
            if (request.order && *request.order != order) continue;
            const PmeParameters p = best_splitting(model, request, order, n);
            if (p.force_error() < least_error) {
                least_error = p.force_error();
                most_accurate = p;
            }
            const double time = cost(order, n, charges.atoms);
            if (p.force_error() > wanted || time >= least_cost) continue;
            least_cost = time;
            cheapest = p;
        }
    }
    if (std::isfinite(least_cost)) return suited_to_kernels(model, request, wanted, cheapest);
    const bool ours = !request.mesh && !request.spacing && !request.order && !request.splitting;
    if (ours && least_error > request.force_error) {
        refuse(fmt::format(
                   "forces.force_error = {:g} is out of reach at this cutoff: {:.1e} is the least that a mesh gives",
                   request.force_error, least_error),
               "a longer forces.cutoff, or a larger force_error");
    }
    return most_accurate;
}

}  // namespace mdsim::mesh

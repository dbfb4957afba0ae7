// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <memory>
#include <random>

#include <catch2/catch.hpp>

#include "forces/pair_settings.h"
#include "forces/short_range/short_range.h"
#include "short_range/evaluate_terms.h"
#include "short_range/liquid.h"
#include "short_range/regions_by_hand.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr StepPlan everything{0, Need::yes, Need::yes, Need::no}, forces_only{};
const std::array<int, 3> grids[] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 2, 2}, {3, 2, 1}, {4, 1, 1}};

struct Result {
    std::vector<Vec3l> forces;
    EnergySums energies;

    explicit Result(std::size_t atoms) : forces(atoms) {}
    void add(const ForceSink& sink, const std::vector<std::int64_t>& ids) {
        for (std::size_t i = 0; i < ids.size(); ++i) forces[static_cast<std::size_t>(ids[i])] += sink.forces()[i];
        energies.add(sink.energies());
    }
};

void check_equal(Result a, Result b) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.forces.size(); ++i) different += !(a.forces[i] == b.forces[i]);
    CHECK(different == 0);
    bool equal = true;
    for (std::size_t k = 0; k < a.energies.parts().size(); ++k) {
        equal = equal && a.energies.parts()[k].units() == b.energies.parts()[k].units();
    }
    CHECK(equal);
    CHECK(a.energies.out_of_range() == b.energies.out_of_range());
}

/// The same system on one rank and on several, all in this process.
class Ranks {
  public:
    Ranks(const Liquid& liquid, const NonbondedSettings& settings, PairPrecision precision, PairListSettings lists = {})
        : settings_(settings), precision_(precision), lists_(lists), liquid_(liquid), lattice_(liquid.box, liquid.x) {}

    /// Cuts the system as it is now; `all_of_it`: every atom above is in the halo, near or far.
    void cut(const std::array<int, 3>& grid, bool all_of_it = false) {
        atoms_.clear();
        terms_.clear();
        const std::vector<int> types{2, 0, 1};
        const auto make = [&] {
            return std::make_unique<ShortRange>(ShortRangeSystem{liquid_.force_field, types, {}, {}, settings_},
                                                precision_, lists_);
        };
        farthest_move_ = make()->farthest_move(lattice_.cell());
        const double reach = make()->reach(lattice_.cell());
        atoms_ = RegionsByHand(liquid_, lattice_, grid, all_of_it ? infinite : reach).ranks();
        for (RankAtoms& rank : atoms_) {
            rank.update(liquid_);
            terms_.push_back(make());
            terms_.back()->assign(rank.system());
            CHECK(terms_.back()->expired(evaluation(rank, rank.points, {})));
            terms_.back()->rebuild(evaluation(rank, rank.points, {}));
        }
    }
    /// Each atom goes anywhere, but no farther than farthest_move from where it was when the system was cut.
    void move(double share, std::mt19937& random) {
        std::normal_distribution<double> normal(0.0, 1.0);
        if (before_.empty()) before_ = liquid_.x;
        for (std::size_t i = 0; i < before_.size(); ++i) {
            const Vec3d direction{normal(random), normal(random), normal(random)};
            liquid_.x[i] = before_[i] + share * farthest_move_ / norm(direction) * direction;
        }
        find_points();
    }
    void scale(double factor) {
        liquid_.box = liquid_.box.transformed({Vec3d{factor, 0, 0}, Vec3d{0, factor, 0}, Vec3d{0, 0, factor}});
        for (Vec3d& x : liquid_.x) x = factor * x;
        lattice_ = Lattice(liquid_.box, liquid_.x);
        find_points();
    }

    Result of_one(StepPlan plan) {
        const std::vector<double> charges = scaled_charges(liquid_.charges, settings_);
        ShortRange term({liquid_.force_field, liquid_.types, charges, liquid_.exclusions, settings_}, precision_,
                        lists_);
        const Evaluation e{liquid_.box, lattice_, liquid_.x, liquid_.points, plan};
        ForceSink sink;
        sink.resize(liquid_.x.size(), thread_count());
        sink.begin();
        term.compute_home(e, sink);
        term.compute(e, sink);
        sink.finish();
        std::vector<std::int64_t> ids;
        for (std::size_t i = 0; i < liquid_.x.size(); ++i) ids.push_back(static_cast<std::int64_t>(i));
        Result result(ids.size());
        result.add(sink, ids);
        return result;
    }
    Result of_all(StepPlan plan) {
        Result result(liquid_.x.size());
        for (std::size_t r = 0; r < atoms_.size(); ++r) {
            RankAtoms& rank = atoms_[r];
            ForceSink sink;
            sink.resize(rank.atoms.size(), thread_count());
            sink.begin();
            // Positions of the halo are not there yet.
            std::vector<LatticePoint> home_only = rank.points;
            std::fill(home_only.begin() + static_cast<std::ptrdiff_t>(rank.atoms.home), home_only.end(),
                      LatticePoint{77, 77, 77});
            terms_[r]->compute_home(evaluation(rank, home_only, plan), sink);
            terms_[r]->compute(evaluation(rank, rank.points, plan), sink);
            sink.finish();
            result.add(sink, rank.atoms.ids);
        }
        return result;
    }
    void check(StepPlan plan) {
        const Result all = of_all(plan), one = of_one(plan);
        CHECK(all.energies.strong_pair() == one.energies.strong_pair());
        if (!one.energies.strong_pair()) return check_equal(all, one);
        plan.overlaps = Need::yes;
        check_equal(of_all(plan), of_one(plan));
    }

    /// Every pair within the cutoff that is not excluded is in the list of one rank, once; no excluded pair is in any.
    void check_lists() const {
        const std::size_t n = liquid_.x.size();
        std::vector<unsigned char> listed(n * n, 0);
        for (std::size_t r = 0; r < atoms_.size(); ++r) {
            for (const PairSet set : {PairSet::home, PairSet::halo}) count_pairs(r, set, listed);
        }
        std::vector<unsigned char> expected(n * n, 1);
        for (const Exclusion& e : liquid_.exclusions) {
            expected[static_cast<std::size_t>(e.i) * n + static_cast<std::size_t>(e.j)] = 0;
        }
        int wrong = 0, within = 0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                if (norm2(difference(i, j)) >= settings_.cutoff * settings_.cutoff) continue;
                wrong += listed[i * n + j] != expected[i * n + j];
                ++within;
            }
        }
        CHECK(within > 0);
        CHECK(wrong == 0);
    }
    std::int64_t prunings() const {
        std::int64_t sum = 0;
        for (const auto& term : terms_) sum += term->lists().prunings() - term->lists().searches();
        return sum;
    }
    bool expired() {
        for (std::size_t r = 0; r < atoms_.size(); ++r) {
            if (terms_[r]->expired(evaluation(atoms_[r], atoms_[r].points, {}))) return true;
        }
        return false;
    }
    Liquid& liquid() { return liquid_; }
    void find_points() {
        lattice_.points(liquid_.x, liquid_.points);
        for (RankAtoms& rank : atoms_) rank.update(liquid_);
    }

  private:
    NonbondedSettings settings_;
    PairPrecision precision_;
    PairListSettings lists_;
    Liquid liquid_;
    Lattice lattice_;
    std::vector<RankAtoms> atoms_;
    std::vector<std::unique_ptr<ShortRange>> terms_;
    std::vector<Vec3d> before_;
    double farthest_move_ = 0.0;

    Evaluation evaluation(const RankAtoms& rank, const std::vector<LatticePoint>& points, StepPlan plan) const {
        return {liquid_.box, lattice_, rank.x, points, plan};
    }
    Vec3d difference(std::size_t i, std::size_t j) const {
        const LatticeMetric<double> m(lattice_.cell());
        const LatticePoint &p = liquid_.points[i], &q = liquid_.points[j];
        const double dx = lattice_difference(p.x, q.x), dy = lattice_difference(p.y, q.y),
                     dz = lattice_difference(p.z, q.z);
        return {dx * m.xx + dy * m.yx + dz * m.zx, dy * m.yy + dz * m.zy, dz * m.zz};
    }
    void count_pairs(std::size_t r, PairSet set, std::vector<unsigned char>& listed) const {
        const Clusters& c = terms_[r]->lists().clusters();
        const auto id_in = [&](std::uint32_t slot) {
            return static_cast<std::size_t>(atoms_[r].atoms.ids[c.atoms()[slot]]);
        };
        const auto visit = [&](const PairRow& row, std::uint32_t cluster, std::uint32_t mask) {
            for (std::uint32_t bit = 0; bit < 32; ++bit) {
                if (!(mask >> bit & 1)) continue;
                const std::uint32_t slot_i = row.group * group_rows + bit / 8,
                                    slot_j = cluster * cluster_size + bit % 8;
                if (!c.real(slot_i) || !c.real(slot_j)) continue;
                const std::size_t i = id_in(slot_i), j = id_in(slot_j);
                ++listed[std::min(i, j) * liquid_.x.size() + std::max(i, j)];
            }
        };
        for (const PairChunk& chunk : terms_[r]->lists().list(set).chunks) {
            for (const PairRow& row : chunk.rows) {
                for (std::uint32_t k = row.begin; k < row.end(); ++k) visit(row, chunk.plain[k], ~0u);
                for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k) {
                    visit(row, chunk.masked[k].cluster, chunk.masked[k].mask);
                }
            }
        }
    }
};

const Box brick = Box::rectangular(3.9, 3.4, 4.3);
const Box skewed = Box::from_lengths_angles({3.4, 3.9, 4.3}, {75, 80, 70});

}  // namespace

TEST_CASE("ranks together compute what one rank does, bit for bit") {
    const NonbondedSettings s = pme();
    const Liquid liquids[] = {{cubic, 330, Rule::lorentz_berthelot, 1},
                              {dodecahedron, 400, Rule::table, 11},
                              {brick, 600, Rule::geometric, 25},
                              {skewed, 600, Rule::lorentz_berthelot, 31}};
    for (const Liquid& l : liquids) {
        for (const auto& grid : grids) {
            INFO(l.x.size() << " atoms, " << grid[0] << "x" << grid[1] << "x" << grid[2]);
            for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::double_}) {
                Ranks ranks(l, s, precision);
                ranks.cut(grid);
                CHECK(!ranks.of_all(everything).energies.strong_pair());
                ranks.check(everything);
                ranks.check(forces_only);
                if (precision == PairPrecision::mixed) ranks.check_lists();
                ranks.cut(grid, true);
                ranks.check(everything);
            }
        }
    }
}

TEST_CASE("lists of ranks hold as long as atoms keep to the farthest move") {
    std::mt19937 random(3);
    for (const bool small : {true, false}) {
        for (const auto& grid : grids) {
            if (grid == grids[0]) continue;
            INFO(grid[0] << "x" << grid[1] << "x" << grid[2]);
            Ranks ranks({small ? cubic : skewed, 350, Rule::lorentz_berthelot, 7}, pme(), PairPrecision::mixed);
            ranks.cut(grid);
            for (const double share : {0.1, 0.5, 0.999, 0.999, 0.2, 0.999}) {
                ranks.move(share, random);
                CHECK(!ranks.expired());
                ranks.check(everything);
                ranks.check_lists();
            }
            CHECK(ranks.prunings() > 0);
            // Smaller ones are soon too small for lists that reach half across.
            ranks.scale(small ? 1.0015 : 0.9985);
            CHECK(!ranks.expired());
            ranks.check(everything);
            ranks.scale(0.99);
            CHECK(ranks.expired());
            // Too far: whatever comes out is of no use, but it does come out, for a new halo to be made.
            ranks.move(3.0, random);
            ranks.of_all(everything);
            ranks.cut(grid);
            ranks.check(everything);
        }
    }
}

TEST_CASE("ranks share a system without a box, some of them without an atom") {
    NonbondedSettings s = pme();
    const Liquid drop(Box(), 150, Rule::geometric, 4);
    for (const Electrostatics form : {Electrostatics::none, Electrostatics::reaction_field}) {
        s.electrostatics = form;
        for (const auto& grid : grids) {
            Ranks ranks(drop, s, PairPrecision::mixed);
            ranks.cut(grid);
            ranks.check(everything);
            ranks.check(forces_only);
        }
    }
}

TEST_CASE("a pair that is too strong is noted by the rank that computes it") {
    for (const auto& grid : grids) {
        Ranks ranks({cubic, 300, Rule::lorentz_berthelot, 9}, pme(), PairPrecision::mixed);
        ranks.cut(grid);
        CHECK(!ranks.of_all(everything).energies.strong_pair());
        ranks.liquid().x[3] = ranks.liquid().x[0] + Vec3d{0.05, 0.01, 0.0};
        ranks.find_points();
        ranks.cut(grid);
        CHECK(ranks.of_all(everything).energies.strong_pair());
        CHECK(ranks.of_all(forces_only).energies.strong_pair());
        ranks.check({0, Need::yes, Need::yes, Need::yes});
    }
}

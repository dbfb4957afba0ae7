// SPDX-License-Identifier: Apache-2.0
#include "system/selection/words.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/edit_distance.h"

namespace mdsim::selection {

namespace {

constexpr Keyword keywords[] = {
    {"all", Op::all},           {"none", Op::none},        {"protein", Op::protein}, {"backbone", Op::backbone},
    {"water", Op::water},       {"ions", Op::ions},        {"name", Op::name},       {"resname", Op::resname},
    {"element", Op::element},   {"resid", Op::resid},      {"index", Op::index},     {"chain", Op::chain},
    {"molecule", Op::molecule}, {"moltype", Op::molecule}, {"within", Op::within},   {"same", Op::same_residue},
    {"and", Op::op_and},        {"or", Op::op_or},         {"not", Op::op_not},
};

/// Words of the selections of VMD, MDAnalysis, MDTraj, PyMOL and AMBER, and ours.
struct Translation {
    std::string_view theirs, ours;
};
constexpr Translation translations[] = {
    {"&", "and"},
    {"&&", "and"},
    {"|", "or"},
    {"||", "or"},
    {"!", "not"},
    {"*", "all"},
    {"everything", "all"},
    {"nothing", "none"},
    {"solvent", "water"},
    {"waters", "water"},
    {"ion", "ions"},
    {"atomname", "name"},
    {"atom", "name"},
    {"type", "element"},
    {"symbol", "element"},
    {"resn", "resname"},
    {"residue", "resname"},
    {"resi", "resid"},
    {"resnum", "resid"},
    {"resSeq", "resid"},
    {"id", "index"},
    {"serial", "index"},
    {"bynum", "index"},
    {"chainid", "chain"},
    {"segid", "chain"},
    {"segname", "chain"},
    {"segment", "chain"},
    {"fragment", "molecule"},
    {"molname", "molecule"},
    {"mol", "molecule"},
    {"around", "within 0.5 nm of ..."},
    {"near", "within 0.5 nm of ..."},
    {"byres", "same residue as ..."},
    {"bymolecule", "same molecule as ..."},
};

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// Letters that have changed places count as one mistake.
std::size_t mistakes(std::string word, std::string name) {
    const std::size_t distance = edit_distance(word, name);
    std::sort(word.begin(), word.end());
    std::sort(name.begin(), name.end());
    return word == name ? std::min<std::size_t>(distance, 1) : distance;
}

}  // namespace

const Keyword* find_keyword(std::string_view word) {
    const auto* found =
        std::find_if(std::begin(keywords), std::end(keywords), [&](const Keyword& k) { return k.word == word; });
    return found == std::end(keywords) ? nullptr : found;
}

std::string known_words() {
    std::string text = "the words are ";
    for (const Keyword& keyword : keywords) {
        if (&keyword != keywords) text += ", ";
        text += keyword.word;
    }
    return text;
}

std::string remedy_for(std::string_view unknown) {
    const std::string word = lower(unknown);
    for (const Translation& t : translations) {
        if (lower(t.theirs) == word) return "write '" + std::string(t.ours) + "'";
    }
    std::vector<std::string> known;
    for (const Keyword& keyword : keywords) known.emplace_back(keyword.word);
    const std::string near = nearest_name(unknown, known);
    return near.empty() ? known_words() : "did you mean '" + near + "'?";
}

// A third of the letters may be wrong.
std::string nearest_name(std::string_view word, std::span<const std::string> known) {
    const std::string wanted = lower(word);
    std::string nearest;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3 + 1);
    for (const std::string& name : known) {
        const std::size_t distance = mistakes(wanted, lower(name));
        if (distance >= least || distance >= name.size()) continue;
        least = distance;
        nearest = name;
    }
    return nearest;
}

bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace mdsim::selection

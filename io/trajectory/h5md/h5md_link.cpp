// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_link.h"

namespace mdsim {

namespace {

std::filesystem::path link_path(std::filesystem::path h5) {
    return h5.replace_extension(".h5md");
}

}  // namespace

void link_h5md(const std::filesystem::path& h5) {
    if (h5.extension() != ".h5") return;
    std::error_code none;
    const std::filesystem::path link = link_path(h5);
    if (std::filesystem::read_symlink(link, none) == h5.filename()) return;
    unlink_h5md(h5);
    std::filesystem::create_symlink(h5.filename(), link, none);
}

void unlink_h5md(const std::filesystem::path& h5) {
    std::error_code none;
    const std::filesystem::path link = link_path(h5);
    if (h5.extension() == ".h5" && std::filesystem::is_symlink(link, none)) std::filesystem::remove(link, none);
}

}  // namespace mdsim

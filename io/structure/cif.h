// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "io/trajectory/text/structure_frames.h"
#include "system/structure.h"

namespace mdsim {

/// Reads the first model of an mmCIF file (gemmi takes the CIF syntax apart), atoms in the order of _atom_site. Names
/// are the author's where the file has them. Box from _cell; lengths of 1 1 1 are none. Throws Error (MD340, MD341);
/// alternate locations and models of different size are refused.
/// Format: PDBx/mmCIF dictionary, mmcif.wwpdb.org, categories atom_site and cell.
Structure read_cif(const std::filesystem::path& file);

/// The same, model by model. The whole file is in memory.
class CifFrames final : public StructureFrames {
  public:
    explicit CifFrames(const std::filesystem::path& file);
    ~CifFrames() override;

    bool next(Structure* out) override;
    void rewind() override { next_ = 0; }
    double progress() const override;

  private:
    class Models;
    std::unique_ptr<Models> models_;
    std::size_t next_ = 0;
};

}  // namespace mdsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/structure.h"

namespace mdsim {

/// A file of structures, one after the other (frames of .gro, models of .pdb and .cif).
class StructureFrames {
  public:
    /// Whether names are read, or left as they are where they are known already.
    enum class Labels { read, left };

    virtual ~StructureFrames() = default;
    /// The next one; false at the end. out: null where only its shape is to be checked.
    virtual bool next(Structure* out) = 0;
    virtual void rewind() = 0;
    /// What next() reads from here on.
    void read_labels(Labels labels) { labels_ = labels; }
    /// Share of the file that lies behind, from 0 to 1.
    virtual double progress() const = 0;

  protected:
    bool labels_wanted() const { return labels_ == Labels::read; }

  private:
    Labels labels_ = Labels::read;
};

}  // namespace mdsim

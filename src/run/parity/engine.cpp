// SPDX-License-Identifier: Apache-2.0
#include "run/parity/engine.h"

#include "core/error.h"

namespace mdsim::parity {

void refuse(const Setup& setup, const std::string& what, const std::string& remedy) {
    throw_input_error({.code = "MD122", .place = {setup.input.file.string()}, .what = what, .remedy = remedy});
}

}  // namespace mdsim::parity

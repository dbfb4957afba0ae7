// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "run/report/run_data.h"

namespace mdsim::report {

/// The report as one HTML page that needs nothing else: no script, no network, plots as inline SVG.
std::string page_of(const RunData& data);

}  // namespace mdsim::report

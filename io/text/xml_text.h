// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mdsim {

/// Text as it stands between tags or in quotes of XML and HTML.
std::string as_xml(std::string_view text);

}  // namespace mdsim

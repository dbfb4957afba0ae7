// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "core/version.h"

int main() {
    std::printf("mdsim %s (%s)\n", mdsim::version, mdsim::revision);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mdsim {

/// How this build starts several ranks on this machine.
struct Launcher {
    std::string program;  ///< mpirun of the MPI that this build has; empty: none
    std::string library;  ///< what mpi_library() says
    int processors = 1;   ///< that this process may use
    bool root = false;    ///< started by the superuser
};
Launcher this_launcher();

/// What a launcher is asked for.
struct RanksToStart {
    int ranks = 1;
    int threads = 1;  ///< of each rank
};

/// The command that starts these ranks of a program. Open MPI refuses more ranks than processors and the superuser
/// unless it is told, and would bind all threads of a rank to one core.
std::vector<std::string> launch_command(const Launcher& launcher, const RanksToStart& launch,
                                        const std::vector<std::string>& program);

/// "1,2,4": whole numbers of 1 or more, each once. Input error (MD116) with the option's name otherwise.
std::vector<int> parse_counts(const std::string& text, const std::string& option);

/// Runs a command to its end; what it writes to standard output. Its messages go where ours do. Errors: MD117, with
/// its own exit code, where it cannot be started or fails.
std::string output_of(const std::vector<std::string>& command);

/// Input error (MD116) where a launcher has started this process with others. place: the option or command that does
/// not work then; why and remedy are for the message.
void require_started_alone(const std::string& place, const std::string& why, const std::string& remedy);

/// This program's own file, for another start of it.
std::string this_program();

}  // namespace mdsim

// Turns the words of the command line into calls. Exit codes: 0 success, 1 failure, 2 wrong command line.
#pragma once

namespace gputop {

int run_cli(int argc, char** argv);

}  // namespace gputop

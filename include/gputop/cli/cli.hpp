// Words of the command line → calls. Exit codes: 0 well, 1 it failed, 2 the command line was wrong.
#pragma once

namespace gputop {

int run_cli(int argc, char** argv);

}  // namespace gputop

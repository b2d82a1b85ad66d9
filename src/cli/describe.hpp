// The command line as data, for its documentation: the man page and the shells' completions.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gputop::cli {

// JSON, schema gputop.cli/1: commands, their options and arguments, in the order of --help. packaging/cli_docs.py renders it.
std::string describe(const CLI::App& app);

}  // namespace gputop::cli

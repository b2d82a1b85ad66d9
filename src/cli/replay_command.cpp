#include "cli/commands.hpp"

namespace gputop::cli {

int replay(const Options&) { return 1; }

}  // namespace gputop::cli

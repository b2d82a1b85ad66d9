// A planned change put into texts: the files, the command line and the variables as they will be.
#pragma once

#include <span>

#include "gputop/knobs/change_set.hpp"

namespace gputop::knobs {

Status write_change(const RunCommand& run, std::span<const SourceFile> files, bool also_shared, ChangeSet& set);

}  // namespace gputop::knobs

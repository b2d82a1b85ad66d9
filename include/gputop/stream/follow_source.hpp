// A growing recording as a source: everything so far, then what is appended.
#pragma once

#include <memory>
#include <string>

#include "gputop/core/source.hpp"

namespace gputop {

std::unique_ptr<Source> make_follow_source(std::string path);

}  // namespace gputop

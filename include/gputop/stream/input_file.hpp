// Which file a user means who names a path, or a run by its id or name.
#pragma once

#include <string>

#include "gputop/core/result.hpp"

namespace gputop {

struct InputFile {
  std::string path;
  bool still_written = false;  // a run that goes on writes it
};

// A path; else the recording of a run that goes on; else the newest recording of a run of that name.
Result<InputFile> find_input(const std::string& input);

}  // namespace gputop

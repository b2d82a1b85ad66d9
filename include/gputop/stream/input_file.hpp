// Which file a user means who names a path, or a run by its id or name.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop {

// Where runs are recorded by default: recordings_folder() of this process's environment.
Result<std::string> default_recordings_folder();

struct InputFile {
  std::string path;
  bool still_written = false;  // a run that goes on writes it
};

// The files in that folder, the one written last first.
std::vector<InputFile> recordings();

// "": what was recorded last. A path; else the recording of a run that goes on; else the newest recording of a run of that name. A file whose plain
// name is also a run's is meant only where it is a recording: "train.py" is the script.
Result<InputFile> find_input(const std::string& input);

}  // namespace gputop

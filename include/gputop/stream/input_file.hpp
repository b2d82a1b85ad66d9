// Finds the file for a path, or for the id or name of a run.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop {

// The default folder for recordings: recordings_folder() with this process's environment.
Result<std::string> default_recordings_folder();

struct InputFile {
  std::string path;
  bool still_written = false;  // a live run is writing it
};

// The files in that folder, the newest first.
std::vector<InputFile> recordings();

// "": the newest recording. Otherwise a path, the recording of a live run, or the newest recording of a run with that
// name. A file whose plain name is also a run's is used only if it is a recording: "train.py" is the script.
Result<InputFile> find_input(const std::string& input);

}  // namespace gputop

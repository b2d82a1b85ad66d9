// The end of a recording whose writer was killed: where another one has to go on.
#pragma once

#include <cstdint>
#include <string>

#include "gputop/core/result.hpp"
#include "gputop/store/output_ends.hpp"

namespace gputop {

struct RecordingTail {
  std::uint64_t bytes = 0;  // of the file
  OutputEnds output{};      // what is recorded of the job's output, and stays readable when more is appended
};

// Reads only the last frames. Errors: no such file, not a file. Nothing that can be read in it is a tail with no
// output.
Result<RecordingTail> read_recording_tail(const std::string& path);

}  // namespace gputop

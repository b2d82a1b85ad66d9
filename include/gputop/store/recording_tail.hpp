// The end of a recording whose writer was killed: where the next writer continues.
#pragma once

#include <cstdint>
#include <string>

#include "gputop/core/result.hpp"
#include "gputop/store/output_ends.hpp"

namespace gputop {

struct RecordingTail {
  std::uint64_t bytes = 0;  // of the file
  OutputEnds output{};      // the recorded part of the job's output that stays readable after an append
};

// Reads only the last frames. Errors: no such file, not a file. A file without anything readable gives a tail without
// output.
Result<RecordingTail> read_recording_tail(const std::string& path);

}  // namespace gputop

// Reads what the earlier engines of a run recorded on its own thread: a new engine must accept the job's output at
// once, however long the run has been going on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "gputop/app/model.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/tuning/change_measure.hpp"

namespace gputop {

class RunHistory {
 public:
  struct Past {
    Model model;
    std::string output;     // the end of the job's terminal output or stdout
    ChangeMeasure measure;  // of a change in progress
    unsigned starts = 0;    // of the job: the first, and one after each change
  };
  static constexpr std::size_t kMostOutput = std::size_t{2} << 20U;  // more than anyone scrolls back on the screen

  // Reads the first `bytes` of the file. Calls `ready` once, on the loop, unless this object is destroyed first.
  RunHistory(Loop& loop, const std::string& path, std::uint64_t bytes, std::function<void(Past)> ready);

 private:
  std::jthread reader_;
};

// Keeps the last kMostOutput bytes.
void add_recent(std::string& recent, std::string_view bytes);

// Whether the recording's first `bytes` name its run. A writer that was killed at once may not have written that.
bool names_its_run(const std::string& path, std::uint64_t bytes);

}  // namespace gputop

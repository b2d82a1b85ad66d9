// What the earlier engines of a run recorded, read by a thread of its own: a new engine has to take the job's output at
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
    std::string output;     // the last of the job's terminal or stdout
    ChangeMeasure measure;  // of a change that was being made
    unsigned starts = 0;    // of the job: the first, and those after a change
  };
  static constexpr std::size_t kMostOutput = std::size_t{2} << 20U;  // more than anybody scrolls back on the screen

  // Reads the first `bytes` of the file. `ready` is called once, on the loop, unless this is destroyed before.
  RunHistory(Loop& loop, const std::string& path, std::uint64_t bytes, std::function<void(Past)> ready);

 private:
  std::jthread reader_;
};

// Keeps the last kMostOutput bytes of what was added.
void add_recent(std::string& recent, std::string_view bytes);

// Whether the recording's first `bytes` say which run it is of. A writer that was killed at once may not have come so
// far.
bool names_its_run(const std::string& path, std::uint64_t bytes);

}  // namespace gputop

// What earlier runs of the same job on this machine brought, in one small file: each line one job with its settings,
// its speed and its memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

// Which runs are runs of the same job.
struct JobKey {
  std::string directory;
  std::string script;  // train.py, or the module behind -m; else the program
  std::string gpu;     // its name; "" without one
  bool simulated = false;
  Reading<std::uint64_t> parameters;  // of the model; unknown fits every number

  [[nodiscard]] bool fits(const JobKey& other) const;
};

// The script among the words of a command.
std::string script_of(const std::vector<std::string>& argv);

class RunLedger {
 public:
  explicit RunLedger(std::filesystem::path path) : path_(std::move(path)) {}

  // Oldest first; of each set of settings the newest. None when there is no file, or it cannot be read.
  [[nodiscard]] std::vector<RunPoint> points(const JobKey& job) const;
  // The oldest lines go when there are too many.
  Status add(const JobKey& job, const RunPoint& point) const;

 private:
  std::filesystem::path path_;
};

// The pure part: the file's text with a line more.
std::string with_run(std::string_view text, const JobKey& job, const RunPoint& point);
std::vector<RunPoint> runs_in(std::string_view text, const JobKey& job);

}  // namespace gputop

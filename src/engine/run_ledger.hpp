// Results of earlier runs of the same job on this machine, in one small file: each line has a job with its settings,
// speed and memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

// Identifies runs of the same job.
struct JobKey {
  std::string directory;
  std::string script;  // train.py, or the module after -m; otherwise the program
  std::string gpu;     // its name; "" if there is none
  bool simulated = false;
  Reading<std::uint64_t> parameters;  // of the model; unknown matches any number

  [[nodiscard]] bool fits(const JobKey& other) const;
};

// The script among the arguments of a command.
std::string script_of(const std::vector<std::string>& argv);

class RunLedger {
 public:
  explicit RunLedger(std::filesystem::path path) : path_(std::move(path)) {}

  // Oldest first; the newest of each set of settings. Empty if there is no file, or it cannot be read.
  [[nodiscard]] std::vector<RunPoint> points(const JobKey& job) const;
  // Drops the oldest lines if there are too many.
  Status add(const JobKey& job, const RunPoint& point) const;

 private:
  std::filesystem::path path_;
};

// The pure part: the file's text with one more line.
std::string with_run(std::string_view text, const JobKey& job, const RunPoint& point);
std::vector<RunPoint> runs_in(std::string_view text, const JobKey& job);

}  // namespace gputop

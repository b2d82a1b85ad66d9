// Files for node_exporter's textfile collector: each exists completely or not at all.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// The machine's lines are in gputop.prom, a user's runs in gputop-runs-UID.prom, so several users can export into one
// folder without repeating each other.
class TextfileFolder {
 public:
  explicit TextfileFolder(std::string folder) : folder_(std::move(folder)) {}

  // `machine` and `runs` are complete pages. If another user writes the machine's file, writes only the runs' file.
  Status write(std::string_view machine, std::string_view runs, double interval_seconds);
  // Removes what was written: no data is better than old data.
  void remove();
  // Another user's gputop.prom is fresh.
  [[nodiscard]] bool machine_is_taken() const { return taken_; }

 private:
  [[nodiscard]] std::string machine_path() const { return folder_ + "/gputop.prom"; }
  [[nodiscard]] std::string runs_path() const;
  [[nodiscard]] bool written_by_another(double interval_seconds) const;

  std::string folder_;
  bool taken_ = false;
  bool wrote_machine_ = false;
};

}  // namespace gputop

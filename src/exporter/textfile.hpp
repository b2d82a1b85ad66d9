// Files for node_exporter's textfile collector: each is there whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// The machine's lines are in gputop.prom; a user's runs in gputop-runs-UID.prom, so that several users can export into
// one folder and none says what another has said.
class TextfileFolder {
 public:
  explicit TextfileFolder(std::string folder) : folder_(std::move(folder)) {}

  // `machine` and `runs` are whole pages. Where another user writes the machine's file, only the runs' is written.
  Status write(std::string_view machine, std::string_view runs, double interval_seconds);
  // What was written is old from now on: better none than that.
  void remove();
  // Somebody else's gputop.prom is fresh.
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

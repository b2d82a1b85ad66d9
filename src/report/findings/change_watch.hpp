// Notices settings that change while a run is watched: made by gputop, said by the lens, printed, or by a new start
// with another command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/core/confidence.hpp"

namespace gputop::report {

struct SeenChange {
  Instant at;  // since when it is in force, else when it was written
  std::string what;
  bool in_force = true;
  std::string outcome;          // of one that gputop made: "kept", "taken back"; "" when it was only seen
  Reading<Estimated> measured;  // 0.38: 38 % faster, as it was measured then
};

class ChangeWatch {
 public:
  // After the Model was updated with it.
  void heard(const Model& model, const Event& event);
  [[nodiscard]] const std::vector<SeenChange>& changes() const { return changes_; }

 private:
  using Settings = std::vector<std::pair<std::string, std::string>>;
  void started(Instant at, const RunStarted& run);
  void reported(Instant at, const ChangeReported& report);
  void look(const Model& model, Instant at);
  void note(Instant at, std::string what);

  std::vector<std::string> argv_;
  Settings seen_;
  Reading<std::uint64_t> printed_batch_;
  bool loaders_changed_ = false;
  std::vector<SeenChange> changes_;
};

// "--batch-size 8 → 32, --amp added": how two command lines differ; "" when they do not.
std::string argument_changes(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace gputop::report

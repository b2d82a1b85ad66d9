// Notices settings that change during a run: changed by gputop, reported by the lens, printed, or by a restart with
// another command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/core/confidence.hpp"

namespace gputop::report {

struct SeenChange {
  Instant at;  // when it took effect, otherwise when it was written
  std::string what;
  bool in_force = true;
  std::string outcome;          // of a change made by gputop: "kept", "taken back"; "" if it was only observed
  Reading<Estimated> measured;  // 0.38: 38 % faster, as measured then
};

class ChangeWatch {
 public:
  // After the Model was updated with the event.
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

// "--batch-size 8 → 32, --amp added": the difference of two command lines; "" if there is none.
std::string argument_changes(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace gputop::report

// The advisor: takes Facts at every tick and returns one diagnosis and ranked findings, without flicker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/finding.hpp"
#include "gputop/advisor/options.hpp"
#include "gputop/advisor/settings.hpp"
#include "gputop/advisor/signs.hpp"

namespace gputop {

struct Advice {
  bool warming_up = true;  // only failures are reported so far
  Diagnosis diagnosis;
  std::vector<Finding> findings;  // best first
  std::vector<Sign> signs;        // good and bad ones
  std::vector<Option> options;    // what else could be done with the remaining capacity
  std::uint64_t revision =
      0;  // +1 when a finding appears, disappears or wants another change; not when only figures change
};

// Deterministic: time is facts.now. Not thread-safe.
class Advisor {
 public:
  explicit Advisor(AdvisorSettings settings = {}) : settings_(std::move(settings)) {}

  void observe(const Facts& facts);
  // Everything that holds for these facts, without waiting for it to last: for a recording read to its end.
  void conclude(const Facts& facts);

  [[nodiscard]] const Advice& advice() const { return advice_; }
  [[nodiscard]] const AdvisorSettings& settings() const { return settings_; }

 private:
  struct State {
    std::optional<Instant> since;  // has held since then without a break
    std::optional<Instant> gone;   // shown, but has not held since then
    std::optional<Finding> shown;
    std::optional<Instant> other_since;  // since when the wanted changes differ from those shown
  };
  // How long a condition must last before it is reported.
  struct Patience {
    Duration hold{};
    Duration release{};
    Duration warm_up{};
    bool at_once = false;
  };
  void look(const Facts& facts, const Patience& patience);
  void judge(const std::string& id, std::optional<Finding> found, const Patience& patience, Instant now);
  void publish();
  void offer(const std::vector<Option>& choices, bool warm, const Patience& patience, Instant now);
  void forget_an_earlier_launch(const Facts& facts);

  AdvisorSettings settings_;
  std::optional<Instant> began_;    // start of the launch that the findings are about
  std::optional<Instant> offered_;  // when the options were last computed
  std::map<std::string, State, std::less<>> states_;
  Advice advice_;
};

}  // namespace gputop

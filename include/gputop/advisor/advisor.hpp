// The advisor: Facts in at every tick, one diagnosis and ranked findings out, without flicker.
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
  bool warming_up = true;  // nothing but failures is said yet
  Diagnosis diagnosis;
  std::vector<Finding> findings;  // best first
  std::vector<Sign> signs;        // good and bad ones
  std::vector<Option> options;    // what else could be done with the room there is
  std::uint64_t revision = 0;     // +1 when a finding came, went or wants another change; not for figures that move
};

// Deterministic: time is facts.now. One thread.
class Advisor {
 public:
  explicit Advisor(AdvisorSettings settings = {}) : settings_(std::move(settings)) {}

  void observe(const Facts& facts);
  // All that holds in these facts, without waiting for it to last: for a recording that is read at its end.
  void conclude(const Facts& facts);

  [[nodiscard]] const Advice& advice() const { return advice_; }
  [[nodiscard]] const AdvisorSettings& settings() const { return settings_; }

 private:
  struct State {
    std::optional<Instant> since;  // it holds, without a break
    std::optional<Instant> gone;   // it is shown and does not hold, without a break
    std::optional<Finding> shown;
    std::optional<Instant> other_since;  // the changes it wants differ from those shown
  };
  // How long something must last before it is believed.
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
  std::optional<Instant> began_;  // the launch that the findings are about
  std::optional<Instant> offered_;  // when the options were looked at last
  std::map<std::string, State, std::less<>> states_;
  Advice advice_;
};

}  // namespace gputop

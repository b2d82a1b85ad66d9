// What a rule found: its evidence, the changes that address it, their expected gain, and what does not help.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/time.hpp"

namespace gputop {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };
std::string_view to_string(Severity severity);  // "info", "warning", "error"

// A figure that supports the finding; `limit` is the value it was compared with, if any.
struct Evidence {
  std::string metric;
  double value = 0;
  std::string unit;
  std::optional<double> limit = {};
  bool operator==(const Evidence&) const = default;
};

// One knob, with values as users write them; "" is unknown.
struct Change {
  std::string knob;
  std::string from;
  std::string to;
  bool operator==(const Change&) const = default;
};

// A plausible change, and why it does not help.
struct Veto {
  std::string knob;
  std::string reason;  // "more workers won't help: all 16 cores are busy"
  bool operator==(const Veto&) const = default;
};

// Factor on the speed: 1 is no change.
struct Speedup {
  double low = 1;
  double high = 1;
  bool operator==(const Speedup&) const = default;
};

// How busy the GPU would be, 0…1.
struct Busy {
  double low = 0;
  double high = 0;
  bool operator==(const Busy&) const = default;
};

// How long the whole run would take: as it is, and with the change.
struct RunTime {
  Duration now{};
  Duration low{};
  Duration high{};
  bool operator==(const RunTime&) const = default;
};

// What a change may cost besides the effort of making it.
struct Risk {
  bool low = false;  // nothing that the user has to watch
  std::string what;

  bool operator==(const Risk&) const = default;
};
// "low: pinned host memory cannot be swapped", "watch the loss"; "" if none is known.
std::string to_string(const Risk& risk);

struct Finding {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string title;
  std::string why;  // one sentence, with the numbers
  std::vector<Evidence> evidence;
  std::vector<Change> changes;  // made together
  std::vector<Veto> vetoes;
  std::optional<Speedup> speedup;  // of the changes (or of the advice in `action`)
  Risk risk;
  double confidence = 0;            // 0…1
  std::string action;               // what to do if no knob does it
  std::string then;                 // the next steps, once this one is done or did not help
  std::optional<Busy> busy;         // how the changes affect the GPU's utilization
  std::optional<RunTime> run_time;  // and the run's duration
  std::string fits = {};            // the memory they need: "about 5.8 GiB, at most 9.4, of 24.0 GiB"

  bool operator==(const Finding&) const = default;
};

// "workers 2 → 6, prefetch 2 → 4"; "" without changes.
std::string changes_in_words(const std::vector<Change>& changes);
// "×1.5–1.7"; "" if unknown.
std::string speedup_in_words(const std::optional<Speedup>& speedup);
// "busy 60–80 %, the whole run 5 h → 2–2.5 h"; "" if neither is known or nothing changes.
std::string outlook_in_words(const Finding& finding);
// "5 h", "2–2.5 h", "30–35 min": in the unit that suits the longer one.
std::string time_in_words(Duration low, Duration high);

}  // namespace gputop

// A change of a run's settings as presented to the user: what is written where, what it costs, and what each key does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/advisor/power_curve.hpp"
#include "gputop/app/effect.hpp"
#include "gputop/app/view.hpp"
#include "gputop/core/time.hpp"
#include "gputop/knobs/change_set.hpp"

namespace gputop {

inline constexpr const char* kResume = "resume";  // the knob that makes a run resume from a checkpoint

// How a change can take effect without a relaunch.
enum class LiveWay : std::uint8_t { kNone, kAtOnce, kNextEpoch };

// All of it is a setting of GPUs: in force at once, whoever uses them.
bool is_of_gpus(const knobs::ChangeSet& change);

// The cost of restarting the run.
struct RelaunchCost {
  Duration age{};                       // of the run
  std::optional<Duration> since_saved;  // since the last checkpoint seen
  std::string checkpoint;               // its name, for the user
  std::string resumes;                  // where it is told to resume from one; "" if it is not
  [[nodiscard]] Duration lost() const { return since_saved.value_or(age); }
};
// "3 h 12 min since the last checkpoint seen (out/checkpoint-500) …"
std::string cost_in_words(const RelaunchCost& cost);

// Whether the learning rate scales with the batch: as the user wants, otherwise as advised.
bool scales(const PlanChange& wanted);

// One of several places where a setting was found.
struct SettingPlace {
  std::string name;  // accepted by PlanChange::at
  std::string text;  // with its value and the evidence for it
};

struct QuestionInput {
  PlanChange wanted;
  knobs::ChangeSet change;             // empty for a plain relaunch
  std::vector<std::string> next_argv;  // of that
  LiveWay live = LiveWay::kNone;
  RelaunchCost cost;
  std::vector<SettingPlace> places;  // empty if there is only one
  std::string outside{};             // which parts lie outside the project, in words; "" if none
};
// Asks for the place if none is likelier than the others. `why` has the planner's words.
ChangeQuestion place_question(const PlanChange& wanted,
                              const std::string& why,
                              const std::vector<SettingPlace>& places);
// Why it cannot be made, in several lines.
ChangeQuestion refusal(const std::string& why);
ChangeQuestion change_question(const QuestionInput& input);

}  // namespace gputop

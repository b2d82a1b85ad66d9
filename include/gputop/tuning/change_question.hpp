// A change of a run's settings as it is put to the user: what is written where, what it costs, which keys do what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/app/effect.hpp"
#include "gputop/app/view.hpp"
#include "gputop/core/time.hpp"
#include "gputop/knobs/change_set.hpp"

namespace gputop {

inline constexpr const char* kResume = "resume";  // the knob that tells a run to go on from a checkpoint

// How a change can come into force without a relaunch.
enum class LiveWay : std::uint8_t { kNone, kAtOnce, kNextEpoch };

// What starting the run again would cost.
struct RelaunchCost {
  Duration age{};                       // of the run
  std::optional<Duration> since_saved;  // since the last checkpoint seen
  std::string checkpoint;               // which, for people
  std::string resumes;                  // where it is told to go on from one; "" when it is not
  [[nodiscard]] Duration lost() const { return since_saved.value_or(age); }
};
// "3 h 12 min since the last checkpoint seen (out/checkpoint-500) …"
std::string cost_in_words(const RelaunchCost& cost);

// The learning rate is to be scaled with the batch: as the user wants it, else as the advice has it.
bool scales(const PlanChange& wanted);

// Of several where a setting was found.
struct SettingPlace {
  std::string name;  // what PlanChange::at takes
  std::string text;  // with its value and why it is believed
};

struct QuestionInput {
  PlanChange wanted;
  knobs::ChangeSet change;             // empty for a mere relaunch
  std::vector<std::string> next_argv;  // of that
  LiveWay live = LiveWay::kNone;
  RelaunchCost cost;
  std::vector<SettingPlace> places;  // empty when there is one
  std::string outside{};             // what lies outside the project, in words; "" for nothing
};
// Which place it is to be, where none is likelier than the others. `why` has the planner's words.
ChangeQuestion place_question(const PlanChange& wanted,
                              const std::string& why,
                              const std::vector<SettingPlace>& places);
// Why it cannot be made, in several lines.
ChangeQuestion refusal(const std::string& why);
ChangeQuestion change_question(const QuestionInput& input);

}  // namespace gputop

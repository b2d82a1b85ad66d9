#include "gputop/patch/settings_written.hpp"

#include <set>

#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/patch/project.hpp"

namespace gputop::patch {
namespace {

constexpr int kInForce = 10;  // points: a place this far ahead is in force

bool says_something(const knobs::Candidate& place) {
  return place.place.kind != knobs::Place::Kind::kLens && place.place.how != knobs::Place::How::kAbsent &&
         !std::holds_alternative<std::monostate>(place.value);
}

// fp16: false beside bf16: true: one of two switches is on.
bool is_off(const knobs::Candidate& place) {
  return place.knob == "precision" && knobs::to_text(place.value) == "fp32";
}

// The one that is in force; nullptr: none is, or several say different things.
const knobs::Candidate* in_force(const std::vector<const knobs::Candidate*>& places) {
  const knobs::Candidate* chosen = nullptr;
  int best = 0;
  for (const auto* place : places) {
    if (!says_something(*place)) continue;
    if (chosen == nullptr) {
      best = place->score;
      chosen = place;
      continue;
    }
    if (place->score + kInForce <= best || is_off(*place)) continue;
    if (is_off(*chosen)) {
      chosen = place;
    } else if (!knobs::same_value(place->value, chosen->value)) {
      return nullptr;
    }
  }
  return chosen;
}

}  // namespace

SettingsRead settings_written(const RunStarted& started) {
  const auto table = load_knobs(process_environment()).table;
  const auto here = read_project(table, command_here(table, started.argv), started.directory);
  SettingsRead read;
  std::set<std::string> seen;
  for (const auto& candidate : here.found.candidates) {
    if (!seen.insert(candidate.knob).second) continue;
    const auto* place = in_force(knobs::candidates_of(here.found, candidate.knob));
    if (place) read.settings.push_back({place->knob, knobs::to_text(place->value), to_string(place->place)});
  }
  return read;
}

}  // namespace gputop::patch

#include "engine/settings_feed.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/patch/project.hpp"
#include "gputop/sources/detached_thread.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kAnswerPace = 100ms;
constexpr Duration kDiskPatience = 30s;  // for a disk
constexpr int kInForce = 10;             // points: a place this far ahead is in force

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

struct SettingsFeed::Answer {
  std::mutex mutex;
  std::optional<SettingsRead> settings;
};

SettingsRead settings_written(const RunStarted& started) {
  const auto table = load_knobs(process_environment()).table;
  const auto here = patch::read_project(table, patch::command_here(table, started.argv), started.directory);
  SettingsRead read;
  std::set<std::string> seen;
  for (const auto& candidate : here.found.candidates) {
    if (!seen.insert(candidate.knob).second) continue;
    const auto* place = in_force(knobs::candidates_of(here.found, candidate.knob));
    if (place) read.settings.push_back({place->knob, knobs::to_text(place->value), to_string(place->place)});
  }
  return read;
}

SettingsFeed::SettingsFeed(Loop& loop, Engine& engine) : loop_(loop), engine_(engine), timer_(loop.make_timer()) {}

void SettingsFeed::heard(const Event& event) {
  if (const auto* started = std::get_if<RunStarted>(&event.payload)) look(*started);
}

void SettingsFeed::look(const RunStarted& started) {
  auto answer = std::make_shared<Answer>();
  const bool looking = start_detached([answer, started] {
    auto settings = settings_written(started);
    const std::lock_guard lock{answer->mutex};
    answer->settings = std::move(settings);
  });
  if (looking) wait(answer, loop_.now() + kDiskPatience);
}

void SettingsFeed::wait(const std::shared_ptr<Answer>& answer, Instant until) {
  timer_->at(loop_.now() + kAnswerPace, [this, answer, until] {
    std::optional<SettingsRead> settings;
    {
      const std::lock_guard lock{answer->mutex};
      settings = std::move(answer->settings);
    }
    if (settings && !settings->settings.empty()) engine_.publish({loop_.now(), *std::move(settings)});
    if (!settings && loop_.now() < until) wait(answer, until);
  });
}

}  // namespace gputop

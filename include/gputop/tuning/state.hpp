// Where the closed loop stands: a change planned, asked about, waited with, written, launched, measured, offered to be
// taken back. One value, which an engine that takes over from one that was killed goes on with.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gputop/advisor/facts.hpp"
#include "gputop/app/effect.hpp"
#include "gputop/tuning/autopilot.hpp"
#include "gputop/tuning/change_question.hpp"
#include "gputop/tuning/next_launch.hpp"

namespace gputop::tuning {

// A viewer's screen. Never used again, so that an answer cannot reach another one.
using Screen = std::uint64_t;

// A change as it would be made, found on disk.
struct Plan {
  PlanChange::Kind kind = PlanChange::Kind::kApply;
  knobs::ChangeSet change{};
  LiveWay live = LiveWay::kNone;
  bool remember = false;  // its places, for the project
  std::string outside{};  // what of it lies outside the project, in words
  PlanChange wanted{};
};

// Made when nobody objects, or when somebody agrees.
struct Offer {
  std::vector<Change> instead{};  // after the last change was taken back; empty: nothing
  bool held = false;              // there is no job to stop: it has ended, and the keeper waits
  bool takes_back = true;         // the last change; else there is none that is to blame
  bool operator==(const Offer&) const = default;
};

// Nothing is going on; a change may be written for the next launch.
struct Idle {};
// The run has a new setting, and figures are gathered.
struct Measuring {
  bool awaits_epoch = false;  // the lens makes it then
};
struct Offering {
  Offer offer;
};
// What goes on while somebody makes up their mind, or while a change is waited with.
using Background = std::variant<Idle, Measuring, Offering>;

// A screen shows the question.
struct Asking {
  Plan plan;
  Screen screen = 0;
  Background behind{};
};
// Somebody wants the change before enough was seen to compare it with.
struct WaitingForBaseline {
  Plan plan;
  MakeChange::How how = MakeChange::How::kNow;
  Instant since;
  bool trains = false;        // a step was seen
  Reading<Instant> due = {};  // as was told
  Background behind{};
};
// The job was told to end; the keeper starts the next one.
struct Relaunching {};

using Phase = std::variant<Idle, WaitingForBaseline, Asking, Relaunching, Measuring, Offering>;
std::string_view name_of(const Phase& phase);  // "idle", "measuring", …

struct State {
  NextLaunch launch{};
  Phase phase{};
  std::vector<Change> changes{};  // that are being made or measured
  std::optional<Autopilot> pilot{};
  // Not remembered:
  bool same_batch = true;         // under the changes, a step is as much work as before
  Facts facts_before{};           // when the last change was made
  Reading<Instant> launched{};    // with the last change, or switched to it
  Instant looked{};               // for something to do by itself
  unsigned working = 0;           // reads and writes of the project that go on beside the loop
  bool restoring = false;         // an engine before this one had something in hand, which is not known yet
};

// As JSON in ASCII, for the recording. Of files only where they are, where their backups are, and sums of both: what
// they say is nobody's business.
std::string to_text(const State& state);

// nullopt: it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;
// Files are read again; one that is not as it was left cannot be taken back later, which is said then. nullopt: not such
// a text, or half of one.
std::optional<State> read_state(std::string_view text, const FileReader& read);

}  // namespace gputop::tuning

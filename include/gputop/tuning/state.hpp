// The state of the closed loop: a change is planned, asked about, waiting, written, launched, measured, or offered to
// be taken back. One value, from which an engine that replaces a killed one continues.
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

// A viewer's screen. Ids are never reused, so an answer cannot reach another screen.
using Screen = std::uint64_t;

// A change as it would be made, found on disk.
struct Plan {
  PlanChange::Kind kind = PlanChange::Kind::kApply;
  knobs::ChangeSet change{};
  LiveWay live = LiveWay::kNone;
  bool remember = false;  // its places, for the project
  std::string outside{};  // which parts lie outside the project, in words
  PlanChange wanted{};
};

// Made if nobody objects, or if someone agrees.
struct Offer {
  std::vector<Change> instead{};  // after the last change was taken back; empty: nothing
  bool held = false;              // there is no job to stop: it has ended, and the keeper waits
  bool takes_back = true;         // the last change; otherwise no change is to blame
  bool operator==(const Offer&) const = default;
};

// Nothing is in progress; a change may be written for the next launch.
struct Idle {};
// The run has a new setting, and figures are being collected.
struct Measuring {
  bool awaits_epoch = false;  // the lens makes it then
};
struct Offering {
  Offer offer;
};
// The phase that continues while someone decides or a change waits.
using Background = std::variant<Idle, Measuring, Offering>;

// A screen shows the question.
struct Asking {
  Plan plan;
  Screen screen = 0;
  Background behind{};
};
// Someone wants the change before there is a baseline to compare with.
struct WaitingForBaseline {
  Plan plan;
  MakeChange::How how = MakeChange::How::kNow;
  Instant since;
  bool trains = false;        // a step was seen
  Reading<Instant> due = {};  // as announced
  Background behind{};
};
// The job was told to end; the keeper starts the next one.
struct Relaunching {};

using Phase = std::variant<Idle, WaitingForBaseline, Asking, Relaunching, Measuring, Offering>;
std::string_view name_of(const Phase& phase);  // "idle", "measuring", …

struct State {
  NextLaunch launch{};
  Phase phase{};
  std::vector<Change> changes{};  // being made or measured
  std::optional<Autopilot> pilot{};
  // Not saved:
  bool same_batch = true;         // with the changes, a step is as much work as before
  Facts facts_before{};           // when the last change was made
  Reading<Instant> launched{};    // with the last change, or switched to it
  Instant looked{};               // last check for something to do on its own
  unsigned working = 0;           // project reads and writes in progress off the loop
  bool ending = false;            // someone asked the run to end after the newest request for a change
  bool restoring = false;         // an earlier engine had something in progress that is not known yet
};

// As ASCII JSON, for the recording. Of files it stores only their paths, their backups and checksums of both, never
// their contents.
std::string to_text(const State& state);

// nullopt: it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;
// Reads the files again; one that changed since cannot be taken back later, and the user is told then. nullopt: not
// such a text, or incomplete.
std::optional<State> read_state(std::string_view text, const FileReader& read);

}  // namespace gputop::tuning

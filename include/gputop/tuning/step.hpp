// The closed loop as a pure state machine: step(state, input, seen) changes the state and says what is to be done. The
// engine does it, and what comes of it is the next input. Nothing here touches a file, a process or a clock.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gputop/advisor/safe_batch.hpp"
#include "gputop/lens/command.hpp"
#include "gputop/tuning/change_measure.hpp"
#include "gputop/tuning/state.hpp"

namespace gputop::tuning {

// ---- What happens ----

// A key wants a change planned; the answer to the question it led to.
struct Asked {
  PlanChange wanted;
  Screen screen = 0;
};
struct Confirmed {
  MakeChange::How how = MakeChange::How::kNow;
  Screen screen = 0;
};
struct Refused {
  Screen screen = 0;
};
// To the offer in the model, or to the change that is waited with. Not by a user: its time is up.
struct Answered {
  bool yes = false;
  bool by_user = true;
};
// Somebody wants the run to end: it is not started again.
struct EndAsked {};

struct RunBegan {};     // for the first time
struct RunRelaunched {  // the keeper has done it
};
struct RunHeld {};  // it has ended, and the keeper waits for what follows
struct RunOver {    // nothing will come of what was going on
  std::string launch_problem;
};
struct RelaunchInVain {};  // it ends neither on SIGINT nor on SIGTERM
struct LensSaid {
  LensMessage message;
};
struct Looked {};  // once a second while the run goes on

// An engine before this one was killed: `past` is what it had in hand, once the recording was read.
struct Restored {
  std::optional<State> past;
  bool relaunch_ordered = false;  // the job was told to end for that and has not done so yet
};

// Why the project is read.
struct ForQuestion {
  PlanChange wanted;
  Screen screen = 0;
};
struct ForPilot {
  std::vector<Change> changes;
};
struct ForOffer {  // that was agreed to
  Offer offer;
  bool by_user = true;
};
struct ForSmallerBatch {};  // the run ran out of memory, and nothing that was changed here is to blame
using Purpose = std::variant<ForQuestion, ForPilot, ForOffer, ForSmallerBatch>;

struct ProjectRead {
  Purpose purpose;
  Result<Plan> plan = Error{Error::Kind::kNotFound, ""};
  std::vector<SettingPlace> places{};       // where it may be changed, of several
  RelaunchCost cost{};                      // what the disk says of it: the newest checkpoint, and whether it resumes
  std::optional<SafeBatch> smaller{};       // for ForSmallerBatch, with its change
  std::vector<Change> changes{};
};

// What a write, or a taking back, was for, and with it what follows.
struct Making {
  Plan plan{};
  MakeChange::How how = MakeChange::How::kNow;
  std::optional<Screen> screen{};  // that wants it; else gputop does
  std::optional<Offer> offer{};    // that was agreed to
  bool agreed = false;             // also to what lies outside the project
};
// In the running process: nothing is started again.
[[nodiscard]] bool is_live(const Making& making);

struct Wrote {
  Making making;
  Result<NextLaunch> launch;
};
struct TookBack {
  Making making;
  Result<NextLaunch> launch;
};
struct LensTold {
  Making making;
  bool heard = false;  // by a process of the run
};
struct RelaunchOrdered {
  Making making;
  Status done;
};

using Input = std::variant<Asked, Confirmed, Refused, Answered, EndAsked, RunBegan, RunRelaunched, RunHeld, RunOver,
                           RelaunchInVain, LensSaid, Looked, Restored, ProjectRead, Wrote, TookBack, LensTold,
                           RelaunchOrdered>;

// ---- What is to be done ----

struct ReadProject {  // beside the loop → ProjectRead
  Purpose purpose;
};
struct WriteFiles {  // beside the loop → Wrote
  Making making;
};
struct TakeBack {  // the last change; beside the loop → TookBack
  Making making;
};
struct TellLens {  // → LensTold
  Making making;
  std::vector<LensCommand> commands;
};
struct Relaunch {  // → RelaunchOrdered
  Making making;
};
struct CancelRelaunch {};
struct ResumeRelaunch {};   // that an engine before this one has ordered
struct RelaunchDone {};     // it was started, or the run is over
struct Hold {               // whether the keeper waits when the run ends
  bool on = false;
};
struct NoteLaunch {};  // the new process is the run's, from now on
struct KeepFigures {}; // of now are those a change is compared with
struct Report {
  ChangeReported event;
};
struct Ask {
  Screen screen = 0;
  ChangeQuestion question;
};
struct Notify {
  Screen screen = 0;
  std::string text;
  bool refused = false;  // what was asked for is not made
};
struct AwaitAnswer {  // then Answered{by_default, false}
  Duration patience{};
  bool by_default = false;
};

using Effect = std::variant<ReadProject, WriteFiles, TakeBack, TellLens, Relaunch, CancelRelaunch, ResumeRelaunch,
                            RelaunchDone, Hold, NoteLaunch, KeepFigures, Report, Ask, Notify, AwaitAnswer>;
using Effects = std::vector<Effect>;

// What is known when something happens. `model.run` is there.
struct Seen {
  Instant now;
  const Model& model;
  const ChangeMeasure& measure;
  bool headless = false;
  bool watched = false;        // somebody is at a screen who may change something
  bool can_relaunch = true;    // its command line is not too long for the keeper
  bool told_to_stop = false;   // somebody has ended the run: nothing starts it again
};

Effects step(State& state, const Input& input, const Seen& seen);

}  // namespace gputop::tuning

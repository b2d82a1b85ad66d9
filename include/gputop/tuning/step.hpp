// The closed loop as a pure state machine: step(state, input, seen) changes the state and returns effects. The engine
// performs them, and their results are the next inputs. Nothing here touches a file, a process or a clock.
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

// A key asks for a change; the answer to the resulting question.
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
// An answer to the offer in the model, or to the waiting change. Not by a user: its time is up.
struct Answered {
  bool yes = false;
  bool by_user = true;
};
// Someone ends the run: do not restart it.
struct EndAsked {};

struct RunBegan {};     // for the first time
struct RunRelaunched {  // the keeper has done it
};
struct RunHeld {};  // it has ended, and the keeper waits for instructions
struct RunOver {    // whatever was in progress is canceled
  std::string launch_problem;
};
struct RelaunchInVain {};  // it ends neither on SIGINT nor on SIGTERM
struct LensSaid {
  LensMessage message;
};
struct Looked {};  // once a second while the run continues

// An earlier engine was killed: `past` is what it had in progress, once the recording was read.
struct Restored {
  std::optional<State> past;
  bool relaunch_ordered = false;  // the job was told to end for it and has not ended yet
};

// Why the project is read.
struct ForQuestion {
  PlanChange wanted;
  Screen screen = 0;
};
struct ForPilot {
  std::vector<Change> changes;
};
struct ForOffer {  // that was accepted
  Offer offer;
  bool by_user = true;
};
struct ForSmallerBatch {};  // the run ran out of memory, and no change of ours is to blame
using Purpose = std::variant<ForQuestion, ForPilot, ForOffer, ForSmallerBatch>;

struct ProjectRead {
  Purpose purpose;
  Result<Plan> plan = Error{Error::Kind::kNotFound, ""};
  std::vector<SettingPlace> places{};       // where it may be changed, if there are several
  RelaunchCost cost{};                      // from the disk: the newest checkpoint, and whether the run resumes
  std::optional<SafeBatch> smaller{};       // for ForSmallerBatch, with its change
  std::vector<Change> changes{};
};

// What a write or an undo was for, which determines what follows.
struct Making {
  Plan plan{};
  MakeChange::How how = MakeChange::How::kNow;
  std::optional<Screen> screen{};  // that wants it; otherwise gputop does
  std::optional<Offer> offer{};    // that was accepted
  bool agreed = false;             // also to what lies outside the project
};
// In the running process, without a restart.
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

struct ReadProject {  // off the loop → ProjectRead
  Purpose purpose;
};
struct WriteFiles {  // off the loop → Wrote
  Making making;
};
struct TakeBack {  // the last change; off the loop → TookBack
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
struct ResumeRelaunch {};   // ordered by an earlier engine
struct RelaunchDone {};     // it was started, or the run is over
struct Hold {               // whether the keeper waits when the run ends
  bool on = false;
};
struct NoteLaunch {};  // the new process is the run's from now on
struct KeepFigures {};  // the current ones become the baseline
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
  bool refused = false;  // the requested change is not made
};
struct AwaitAnswer {  // then Answered{by_default, false}
  Duration patience{};
  bool by_default = false;
};

using Effect = std::variant<ReadProject, WriteFiles, TakeBack, TellLens, Relaunch, CancelRelaunch, ResumeRelaunch,
                            RelaunchDone, Hold, NoteLaunch, KeepFigures, Report, Ask, Notify, AwaitAnswer>;
using Effects = std::vector<Effect>;

// What is known when an input arrives. Requires model.run.
struct Seen {
  Instant now;
  const Model& model;
  const ChangeMeasure& measure;
  bool headless = false;
  bool watched = false;        // a viewer that may change something is attached
  bool can_relaunch = true;    // its command line is not too long for the keeper
  bool told_to_stop = false;   // someone ended the run: nothing restarts it
};

Effects step(State& state, const Input& input, const Seen& seen);

}  // namespace gputop::tuning

#include "engine/project_work.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "engine/checkpoint_files.hpp"
#include "engine/power_limit.hpp"
#include "gputop/app/knob_evidence.hpp"
#include "gputop/patch/journal.hpp"
#include "gputop/sources/detached_thread.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kCheckpointsFresh = 5s;  // a second key press does not walk 10,000 entries again

// What the thread needs to know about the run, copied, because the loop owns the Model.
struct Run {
  NextLaunch launch;
  SeenRun seen;
  Facts facts;
  Thresholds limits;
  std::optional<GpuOom> oom;
  bool listens = false;  // a process has the lens
  WallTime since;
  WallTime now;
};

Run run_of(const NextLaunch& launch, const Model& model) {
  const auto& facts = model.advice.facts;
  Run run{.launch = launch,
          .seen = {.evidence = knob_evidence(facts.settings), .lens = !model.lens.processes.empty()},
          .facts = facts,
          .limits = model.advice.advisor.settings().thresholds,
          .oom = model.run->log.end().oom,
          .listens = std::any_of(model.lens.processes.begin(), model.lens.processes.end(),
                                 [](const LensProcess& process) { return !process.ended; }),
          .since = model.wall(model.run->since),
          .now = model.wall(model.now)};
  if (facts.settings.batch_size) run.seen.batch = facts.settings.batch_size->value;
  return run;
}

// Only if the lens is the one that knows the knob, or can set it at once; a file's value takes effect at a launch.
LiveWay live_way_of(const Run& run, const knobs::ChangeSet& change) {
  if (is_of_gpus(change)) return LiveWay::kAtOnce;
  LensKnobs knobs;
  for (const auto& item : change.changes) {
    if (item.knob != kResume) knobs[item.knob] = item.to;  // takes effect at a launch
  }
  return run.listens ? live_way(knobs) : LiveWay::kNone;
}

Result<tuning::Plan> plan_of(const NextSettings& settings,
                             const PlanChange& wanted,
                             const Run& run,
                             const std::string& checkpoint) {
  tuning::Plan plan{.kind = wanted.kind, .wanted = wanted};
  if (wanted.kind == PlanChange::Kind::kApply && is_power_limit(wanted.changes)) {
    auto change = plan_power_limit(wanted.changes.front().to, run.facts, run.launch.argv);
    if (!change) return change.error();
    plan.change = *std::move(change);
    plan.live = LiveWay::kAtOnce;
  } else if (wanted.kind == PlanChange::Kind::kApply) {
    auto change = settings.plan(wanted, run.seen, {});
    if (!change) return change.error();
    plan.live = live_way_of(run, *change);
    if (plan.live != LiveWay::kAtOnce && !checkpoint.empty()) {
      if (auto resuming = settings.plan(wanted, run.seen, checkpoint)) change = std::move(resuming);
    }
    plan.change = *std::move(change);
    plan.outside = settings.outside(plan.change);
  } else if (wanted.kind == PlanChange::Kind::kUndo) {
    if (!settings.launch().can_take_back())
      return Error{Error::Kind::kInvalid, "no change was made here that could be taken back"};
    plan.change = settings.taking_back(checkpoint);
    plan.live = live_way_of(run, plan.change);
  }
  return plan;
}

// Between the question and the answer, and while a change waits, a run keeps saving and deletes its oldest checkpoints
// (save_total_limit), so the named one may be gone. Everything else stays as agreed.
knobs::ChangeSet with_newest_checkpoint(const NextSettings& settings,
                                        const tuning::Plan& plan,
                                        const Run& run,
                                        const std::string& checkpoint) {
  const auto resumes = [](const knobs::ValueChange& each) { return each.knob == kResume; };
  const auto& agreed = plan.change.changes;
  if (std::none_of(agreed.begin(), agreed.end(), resumes)) return plan.change;
  const auto again = settings.plan(plan.wanted, run.seen, checkpoint);
  if (!again || again->changes.size() != agreed.size()) return plan.change;
  const bool same = std::equal(agreed.begin(), agreed.end(), again->changes.begin(), [&](const auto& a, const auto& b) {
    return a.knob == b.knob && to_string(a.place) == to_string(b.place) &&
           (resumes(a) || knobs::to_text(a.to) == knobs::to_text(b.to));
  });
  return same ? *again : plan.change;
}

// The change a purpose refers to; for ForSmallerBatch the one that fits.
PlanChange wanted_by(const tuning::Purpose& purpose) {
  if (const auto* asked = std::get_if<tuning::ForQuestion>(&purpose)) return asked->wanted;
  if (const auto* pilot = std::get_if<tuning::ForPilot>(&purpose)) return {.changes = pilot->changes};
  if (const auto* agreed = std::get_if<tuning::ForOffer>(&purpose)) return {.changes = agreed->offer.instead};
  return {};
}

}  // namespace

struct ProjectWork::Shared {
  Shared(Loop& its_loop, std::string directory, Done its_done)
      : loop(&its_loop), done(std::move(its_done)), project(std::move(directory)) {}

  std::mutex mutex;
  Loop* loop;  // null: nobody is listening any more. Guarded by the mutex, like the two below
  std::deque<Job> jobs;
  bool is_working = false;
  Done done;  // called on the loop's thread only
  // Used by the worker thread only.
  ProjectReader project;
  struct Walked {
    WallTime at;
    std::optional<CheckpointFile> newest;
  };
  std::optional<Walked> walked;

  const std::optional<CheckpointFile>& newest(WallTime since, WallTime now) {
    if (!walked || now - walked->at > kCheckpointsFresh || now < walked->at)
      walked = Walked{now, newest_checkpoint(project.directory(), since)};
    return walked->newest;
  }
  std::string checkpoint(const Run& run) {
    const auto& file = newest(run.since, run.now);
    return file ? file->path.string() : std::string{};
  }
};

ProjectWork::ProjectWork(Loop& loop, std::string directory, Done done)
    : shared_(std::make_shared<Shared>(loop, std::move(directory), std::move(done))) {}

ProjectWork::~ProjectWork() {
  const std::lock_guard lock{shared_->mutex};
  shared_->loop = nullptr;
  shared_->jobs.clear();
}

void ProjectWork::start(Job job) {
  {
    const std::lock_guard lock{shared_->mutex};
    shared_->jobs.push_back(std::move(job));
    if (std::exchange(shared_->is_working, true)) return;
  }
  if (!start_detached([shared = shared_] { work(shared); })) work(shared_);  // no thread could be started
}

void ProjectWork::work(const std::shared_ptr<Shared>& shared) {
  for (;;) {
    Job job;
    {
      const std::lock_guard lock{shared->mutex};
      shared->is_working = !shared->jobs.empty();
      if (!shared->is_working) return;
      job = std::move(shared->jobs.front());
      shared->jobs.pop_front();
    }
    shared->project.forget_old();
    auto result = job(*shared);
    const std::lock_guard lock{shared->mutex};
    if (shared->loop == nullptr) return;
    shared->loop->post([weak = std::weak_ptr{shared}, result = std::move(result)] {
      const auto still = weak.lock();
      if (still && still->loop != nullptr) still->done(result);
    });
  }
}

void ProjectWork::read(const tuning::ReadProject& wanted, const NextLaunch& launch, const Model& model) {
  start([purpose = wanted.purpose, run = run_of(launch, model)](Shared& shared) -> tuning::Input {
    tuning::ProjectRead read{.purpose = purpose};
    const NextSettings settings{shared.project, run.launch};
    auto change = wanted_by(purpose);
    if (std::holds_alternative<tuning::ForSmallerBatch>(purpose)) {
      const auto batch = settings.current_batch(run.seen);
      if (batch) read.smaller = batch_after_oom(run.facts, run.oom, *batch, run.limits);
      if (!read.smaller) return read;
      read.changes = {{"batch_size", std::to_string(*batch), std::to_string(read.smaller->batch)}};
      change.changes = read.changes;
    }
    if (const auto& file = shared.newest(run.since, run.now)) {
      read.cost.checkpoint = file->path.string();
      read.cost.since_saved = std::max<Duration>(Duration{}, run.now - file->written);
    }
    if (change.kind == PlanChange::Kind::kApply && std::holds_alternative<tuning::ForQuestion>(purpose))
      read.places = settings.places(change, run.seen);
    read.plan = plan_of(settings, change, run, read.cost.checkpoint);
    read.cost.resumes = settings.resumes(run.seen);
    return read;
  });
}

void ProjectWork::write(const tuning::WriteFiles& wanted, const NextLaunch& launch, const Model& model) {
  start([making = wanted.making, run = run_of(launch, model)](Shared& shared) mutable -> tuning::Input {
    NextSettings settings{shared.project, run.launch};
    settings.keep_journal(patch::journal_path());
    shared.walked.reset();
    if (!tuning::is_live(making))
      making.plan.change = with_newest_checkpoint(settings, making.plan, run, shared.checkpoint(run));
    if (is_of_gpus(making.plan.change)) {
      if (const auto set = set_power_limit(making.plan.change); !set) return tuning::Wrote{making, set.error()};
    }
    const auto written = settings.write(making.plan.change, making.plan.remember, making.agreed);
    if (!written) return tuning::Wrote{making, written.error()};
    return tuning::Wrote{making, settings.launch()};
  });
}

void ProjectWork::take_back(const tuning::TakeBack& wanted, const NextLaunch& launch, const Model& model) {
  start([making = wanted.making, run = run_of(launch, model)](Shared& shared) -> tuning::Input {
    NextSettings settings{shared.project, run.launch};
    settings.keep_journal(patch::journal_path());
    shared.walked.reset();
    if (run.launch.can_take_back() && is_of_gpus(run.launch.last())) {
      if (const auto set = set_power_limit(knobs::inverse(run.launch.last())); !set) return tuning::TookBack{making, set.error()};
    }
    const auto undone = settings.take_back(shared.checkpoint(run));
    if (!undone) return tuning::TookBack{making, undone.error()};
    return tuning::TookBack{making, settings.launch()};
  });
}

}  // namespace gputop

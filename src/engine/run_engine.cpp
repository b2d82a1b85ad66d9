#include "gputop/engine/run_engine.hpp"

#include <algorithm>
#include <signal.h>

#include <cstdio>

#include "engine/cards_feed.hpp"
#include "engine/doctor_feed.hpp"
#include "engine/granted_job.hpp"
#include "engine/lens_feed.hpp"
#include "engine/run_feed.hpp"
#include "engine/run_history.hpp"
#include "engine/run_leftovers.hpp"
#include "engine/run_listing.hpp"
#include "engine/run_memory.hpp"
#include "engine/run_sessions.hpp"
#include "engine/settings_feed.hpp"
#include "gputop/base/output.hpp"
#include "gputop/core/format.hpp"
#include "gputop/engine/lens_launch.hpp"
#include "gputop/report/open_metrics.hpp"
#include "gputop/report/run_summary.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/sources/nvml_guard.hpp"
#include "gputop/stream/event_hook.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/stream_started.hpp"
#include "gputop/viewer/headless.hpp"
#include "gputop/viewer/viewer_server.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstViewer = 3s;  // for one that is still connecting if the run ends before it arrives

std::chrono::steady_clock::time_point monotonic(std::int64_t nanoseconds) {
  return std::chrono::steady_clock::time_point{std::chrono::nanoseconds{nanoseconds}};
}

constexpr std::uint32_t kMostNvmlDeaths = 2;  // of engines, before NVML moves to a process of its own

std::optional<NvmlCrash> nvml_crash_of(const run::RunChannel& channel) {
  const auto deaths = channel.nvml_deaths();
  if (deaths.count < kMostNvmlDeaths) return std::nullopt;
  return NvmlCrash{printable(deaths.function), deaths.signal};
}

class RunEngine {
 public:
  RunEngine(run::RunChannel channel,
            WatchOptions options,
            std::optional<AutoLimits> automatic,
            std::unique_ptr<Source> gpus)
      : options_(std::move(options)),
        preferences_(load_preferences(options_)),
        headless_(channel.mode() == run::Mode::kPipes),
        first_(channel.engine_starts() <= 1),
        started_(channel.status()),
        record_(channel.record()),
        loop_(monotonic(started_.started_monotonic_ns)),
        engine_(loop_, options_.interval.value_or(preferences_.settings.interval), std::move(gpus), make_host_source()),
        feed_(loop_,
              engine_,
              std::move(channel),
              {.ended = [this] { run_ended(); },
               .fenced = [this] { leave(run::kEngineFenced); },
               .relaunched =
                   [this] {
                     if (!history_) tuner_.happened(tuning::RunRelaunched{});
                   },  // otherwise: see remember()
               .held = [this] { run_held(); }}),
        tuner_({.loop = loop_,
                .engine = engine_,
                .channel = feed_.channel(),
                .lens = lens_,
                .record = record_,
                .headless = headless_,
                .watched = [this] { return sessions_.can_change(); },
                .screen = [this](tuning::Screen screen) { return sessions_.screen(screen); }},
               std::move(automatic)),
        sessions_({.loop = loop_,
                   .engine = engine_,
                   .channel = feed_.channel(),
                   .output = output_,
                   .tuner = tuner_,
                   .preferences = preferences_,
                   .record = record_,
                   .recorder = recorder_,
                   .recording = options_.record,
                   .demo = options_.demo}),
        server_(
            loop_,
            feed_.channel().socket_path(),
            record_.name,
            [this](Surface& surface, const Hello& hello, ViewerServer::Leave leave_viewer) {
              return make_session(surface, hello, std::move(leave_viewer));
            },
            [this](const EndRequested& request) { return end_run(request); },
            [this] { return run_metrics(engine_.model()); },
            [this] {
              if (options_.demo && !sessions_.was_detached()) end_demo();
            }),
        lens_(loop_,
              engine_,
              run::lens_socket(feed_.channel().directory()).string(),
              run::lens_folder(feed_.channel().directory()).string()),
        memory_(loop_, engine_),
        written_(loop_, engine_),
        granted_(loop_, engine_, record_.argv),
        doctor_(loop_, engine_),
        cards_(loop_, engine_, options_),
        patience_(loop_.make_timer()),
        demo_end_(loop_.make_timer()),
        listing_(loop_, engine_, feed_.channel()) {}

  int run() {
    born_ = loop_.now();
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, [](int) {});  // they are for the job; the keeper forwards them
    engine_.set_advisor(preferences_.advisor);
    if (!headless_) output_.open(preferences_.settings.scrollback);
    const auto recorded = start_recording();
    subscription_ = engine_.listen([this](const Event& event, const Model& model) {
      output_.heard(event);
      tuner_.heard(event, model);
      memory_.heard(event, model);
      cards_.heard(model);
      written_.heard(event);
      granted_.heard(event);
      if (first_ && !options_.demo) doctor_.heard(event);
      if (headless_) say_news(event);
      server_.heard(event);
    });
    hook_ = run_on_events(engine_, preferences_.settings.on_event);
    auto started = stream_started(engine_.interval());
    std::get<StreamStarted>(started.payload).wall = started_.started;
    engine_.publish(std::move(started));
    const Event run_started = run_started_of(feed_.channel());
    if (!first_ && names_its_run(options_.record, recorded.bytes)) {
      engine_.restore(run_started);  // until the past is loaded
    } else {
      engine_.publish(run_started);
    }
    join_job();
    if (first_) {
      tuner_.happened(tuning::RunBegan{});
    } else {
      go_on_after(recorded);
    }
    if (const auto listening = server_.listen(); !listening) {
      engine_.publish({loop_.now(), Noted{Noted::Severity::kError, listening.error().message}});
    }
    listen_to_lens();
    if (options_.duration) {  // only the demo has one
      demo_end_->at(Instant{} + *options_.duration, [this] { end_demo(); });
    }
    engine_.follow([this] { return feed_.channel().daemons(); });
    engine_.start();
    feed_.start();
    listing_.keep();
    loop_.run();
    return code_;
  }

 private:
  void listen_to_lens() {
    if (options_.demo) return;
    auto reason = why_no_lens(options_.lens, record_.argv);
    if (reason.empty() && feed_.channel().is_deadly(run::EngineWork::kLens)) {
      reason = "the lens is disabled for this run: its messages crashed gputop's engine repeatedly";
      engine_.publish({loop_.now(), Noted{Noted::Severity::kError, reason}});
    }
    lens_.on_work([this](bool begins) {
      begins ? feed_.channel().begin(run::EngineWork::kLens) : feed_.channel().end_work();
    });
    if (reason.empty()) {
      if (const auto listening = lens_.listen(); !listening) {
        reason = "lens not available: " + listening.error().message;
      } else {
        listing_.keep_lens(lens_);
      }
    }
    if (!reason.empty() && first_) {
      engine_.publish(
          {loop_.now(), SourceStatus{.source = "lens", .state = SourceStatus::State::kUnavailable, .message = reason}});
    }
  }

  // The launcher's identity of this run; an engine that takes over finds it in the recording.
  void join_job() {
    const auto joined = job_joined(record_.argv, engine_.model());
    if (joined) first_ ? engine_.publish(*joined) : engine_.restore(*joined);
  }

  // The last engine was killed: its recording ends here, and output continues there.
  void go_on_after(const RecordingTail& recorded) {
    const bool has_past = recorded.bytes > 0;
    if (has_past && !feed_.channel().is_deadly(run::EngineWork::kHistory)) engine_.expect_past();
    engine_.publish(
        {loop_.now(), Noted{Noted::Severity::kWarning, "gputop's engine was killed and has been restarted"}});
    for (unsigned stream = 0; recorder_ && stream < feed_.channel().stream_count(); ++stream) {
      feed_.seek(stream, recorded.output[stream]);
      const auto missing = feed_.channel().position(stream) - recorded.output[stream];
      if (missing == 0) continue;
      engine_.publish(
          {loop_.now(), Noted{Noted::Severity::kWarning, std::to_string(missing) +
                                                             " bytes of output are not in the recording: the disk "
                                                             "refused them before the engine was ended"}});
    }
    if (!has_past) return;
    if (feed_.channel().is_deadly(run::EngineWork::kHistory)) {
      engine_.publish(
          {loop_.now(), Noted{Noted::Severity::kError,
                              "the earlier part of the recording is not read again: it crashed gputop's engine "
                              "repeatedly; figures and charts start over"}});
      return;
    }
    feed_.channel().begin(run::EngineWork::kHistory);
    tuner_.expect_past();
    output_.expect_past();
    feed_.expect_past();
    history_.emplace(loop_, options_.record, recorded.bytes,
                     [this](RunHistory::Past past) { remember(std::move(past)); });
  }

  void remember(RunHistory::Past past) {
    engine_.adopt(std::move(past.model));
    output_.remember(past.output);
    history_.reset();
    feed_.channel().end_history();
    tuner_.restore(std::move(past.measure));
    auto& channel = feed_.channel();
    if (past.starts > 0 && past.starts < channel.launches()) tuner_.happened(tuning::RunRelaunched{});
    feed_.past_known(engine_.model().run->end.has_value());
  }

  // What was recorded before.
  RecordingTail start_recording() {
    if (options_.record.empty()) return {};
    auto resumed = Recorder::resume(loop_, engine_, options_.record);
    if (!resumed) {
      unrecorded_ = resumed.error().message;
      engine_.publish({loop_.now(), Noted{Noted::Severity::kError, unrecorded_}});
      return {};
    }
    recorder_ = std::move(resumed->recorder);
    feed_.set_archive(recorder_.get());
    return resumed->tail;
  }

  std::unique_ptr<Session> make_session(Surface& surface, const Hello& hello, ViewerServer::Leave leave_viewer) {
    if (headless_) return nullptr;
    viewers_seen_ = true;
    if (over_) loop_.post([this] { finish(); });
    if (std::exchange(awaits_viewer_, false)) patience_->at(loop_.now(), [this] { tuner_.happened(tuning::RunHeld{}); });
    return sessions_.open(surface, hello, std::move(leave_viewer));
  }

  // The example run is nobody's work: it ends with its viewer, unless the viewer detached.
  void end_demo() {
    tuner_.happened(tuning::EndAsked{});
    feed_.channel().end(run::EndAsker::kDemo, SIGINT, run::ControlMessage::Target::kProcess);
  }

  // gputop stop. A job that ignores SIGTERM is killed with everything it started.
  bool end_run(const EndRequested& request) {
    using Reach = run::ControlMessage::Target;
    tuner_.happened(tuning::EndAsked{});
    return feed_.channel().end(run::EndAsker::kStopCommand, request.signal,
                               request.signal == SIGKILL ? Reach::kTree : Reach::kGroup);
  }

  // What follows may be for a user to say, whose viewer reconnects to the engine that replaces a killed one.
  void run_held() {
    const Instant due = born_ + kFirstViewer;
    if (first_ || headless_ || viewers_seen_ || loop_.now() >= due) return tuner_.happened(tuning::RunHeld{});
    patience_->at(due, [this] { tuner_.happened(tuning::RunHeld{}); });
    awaits_viewer_ = true;
  }

  void run_ended() {
    over_ = true;
    lens_.drain();
    tuner_.happened(tuning::RunOver{feed_.channel().status().launch_problem});
    if (history_) return finish();  // reading takes too long: finish with incomplete figures
    finish_when_seen();
  }

  // A viewer of the previous engine reconnects to this one.
  void finish_when_seen() {
    const Instant due = (first_ ? loop_.now() : born_) + kFirstViewer;
    if (headless_ || viewers_seen_ || loop_.now() >= due) {
      finish();
    } else {
      patience_->at(due, [this] { finish(); });
    }
  }

  void finish() {
    if (std::exchange(finished_, true)) return;
    // Killed for lack of memory? The kernel has counted it by now.
    const auto& kind = engine_.model().run->log.end().kind;
    if (kind == EndKind::kKilled || kind == EndKind::kException) engine_.read_host();
    engine_.publish({loop_.now(), StreamEnded{"the run ended"}});
    const auto summary =
        run_summary(engine_.model(), recorder_ ? options_.record : "") +
        run_leftovers({.path = options_.record, .recorder = recorder_.get(), .why_none = unrecorded_}, feed_.channel());
    feed_.set_archive(nullptr);
    recorder_.reset();
    if (headless_) {
      std::fputs(summary.c_str(), stderr);
    } else {
      const auto& end = engine_.model().run->end;
      server_.say_farewell({Farewell::Kind::kRunEnded,
                            static_cast<std::uint8_t>(end && end->exit_code ? *end->exit_code : 1),
                            output_.last_words() + summary});
    }
    feed_.channel().done();
    leave(run::kEngineDone);
  }

  void leave(int code) {
    code_ = code;
    loop_.stop();
  }

  WatchOptions options_;
  Preferences preferences_;
  bool headless_;
  bool first_;
  run::JobStatus started_;
  run::RunRecord record_;
  Loop loop_;
  Engine engine_;
  std::unique_ptr<Recorder> recorder_;
  std::optional<RunHistory> history_;  // while it is being read
  std::string unrecorded_;             // why there is no recorder
  RunOutput output_;
  RunFeed feed_;
  Tuner tuner_;
  RunSessions sessions_;
  ViewerServer server_;
  LensFeed lens_;
  RunMemory memory_;
  SettingsFeed written_;
  GrantedJob granted_;
  DoctorFeed doctor_;
  CardsFeed cards_;
  std::unique_ptr<Loop::Timer> patience_;
  std::unique_ptr<Loop::Timer> demo_end_;
  RunListing listing_;
  Instant born_;  // start time of this engine
  Engine::Subscription subscription_;
  Engine::Subscription hook_;
  bool viewers_seen_ = false;
  bool awaits_viewer_ = false;  // to decide what follows
  bool over_ = false;
  bool finished_ = false;
  int code_ = 1;
};

}  // namespace

int run_engine(run::RunChannel channel, WatchOptions options, std::optional<AutoLimits> automatic) {
  ::signal(SIGPIPE, SIG_IGN);
  options.nvml_crash = nvml_crash_of(channel);
  if (!options.nvml_crash) {
    guard_nvml([](const NvmlDeath& death) { run::RunChannel::note_nvml_death(death.function, death.signal); }, false);
  }
  auto gpus = make_gpu_source(options, Pace::kAgainAndAgain);
  if (!gpus) {
    complain(gpus.error().message);
    return 1;
  }
  const bool first = channel.engine_starts() <= 1;
  try {
    RunEngine engine{std::move(channel), std::move(options), std::move(automatic), *std::move(gpus)};
    return engine.run();
  } catch (const std::exception& failure) {  // no descriptors, memory or threads left: the keeper tries again
    if (first) complain(std::string{"the engine failed: "} + failure.what() + " (the job continues)");
    return 1;
  }
}

}  // namespace gputop

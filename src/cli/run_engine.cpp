#include "cli/run_engine.hpp"

#include <signal.h>

#include <array>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/gpu_source.hpp"
#include "cli/headless.hpp"
#include "cli/interface_factory.hpp"
#include "cli/recorder.hpp"
#include "cli/run_effects.hpp"
#include "cli/stream.hpp"
#include "gputop/engine/run_feed.hpp"
#include "gputop/report/run_summary.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/store/recording_reader.hpp"
#include "gputop/term/emulator.hpp"
#include "gputop/viewer/viewer_server.hpp"

namespace gputop::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kLastWords = 30;  // lines
constexpr Duration kResizePause = 100ms;
constexpr Duration kFirstViewer = 3s;    // the one that started the run, if the run was over before it was there

std::chrono::steady_clock::time_point monotonic(std::int64_t nanoseconds) {
  return std::chrono::steady_clock::time_point{std::chrono::nanoseconds{nanoseconds}};
}

class RunEngine {
 public:
  RunEngine(run::RunChannel channel, Options options, std::unique_ptr<Source> gpus)
      : options_(std::move(options)),
        preferences_(load_preferences(options_)),
        headless_(channel.mode() == run::Mode::kPipes),
        first_(channel.engine_starts() <= 1),
        started_(channel.status()),
        record_(channel.record()),
        loop_(monotonic(started_.started_monotonic_ns)),
        engine_(loop_, options_.interval.value_or(preferences_.settings.interval), std::move(gpus), make_host_source()),
        feed_(loop_, engine_, std::move(channel),
              {.ended = [this] { run_ended(); },
               .fenced = [this] { leave(run::kEngineFenced); }}),
        server_(loop_, feed_.channel().socket_path(), record_.name,
                [this](Surface& surface, const Hello& hello, ViewerServer::Leave leave_viewer) {
                  return make_session(surface, hello, std::move(leave_viewer));
                },
                [this] { if (options_.demo) end_demo(); }),
        patience_(loop_.make_timer()),
        demo_end_(loop_.make_timer()),
        resize_timer_(loop_.make_timer()) {}

  int run() {
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, [](int) {});  // they are for the job; the keeper passes them on
    engine_.set_advisor(preferences_.advisor);
    if (!headless_) emulator_.emplace(term::Emulator::Options{});
    if (!first_) restore();
    start_recording();
    subscription_ = engine_.listen([this](const Event& event, const Model&) {
      show_output(event);
      if (headless_) say_advice(event);
      server_.heard(event);
    });
    auto started = stream_started(engine_.interval());
    std::get<StreamStarted>(started.payload).wall = started_.started;
    engine_.publish(std::move(started));
    if (first_) {
      engine_.publish({loop_.now(), RunStarted{.id = record_.id,
                                               .name = record_.name,
                                               .argv = record_.argv,
                                               .directory = record_.cwd,
                                               .pid = started_.pid,
                                               .terminal = !headless_}});
    } else {
      engine_.publish({loop_.now(), Noted{Noted::Severity::kWarning, "gputop's engine was ended and has been started again"}});
    }
    if (!headless_) {
      if (const auto listening = server_.listen(); !listening) {
        engine_.publish({loop_.now(), Noted{Noted::Severity::kError, listening.error().message}});
      }
    }
    if (options_.duration) {  // only the demo has one
      demo_end_->at(Instant{} + *options_.duration, [this] { end_demo(); });
    }
    engine_.start();
    feed_.start();
    loop_.run();
    return code_;
  }

 private:
  // What the earlier engines of this run recorded, up to the moment the last of them was killed.
  void restore() {
    auto reader = RecordingReader::open(options_.record);
    if (!reader) return;
    std::array<std::uint64_t, run::kStreams> recorded{};
    std::uint64_t events = 0;
    while (const auto* event = reader->next()) {
      engine_.restore(*event);
      show_output(*event);
      if (const auto* output = std::get_if<OutputWritten>(&event->payload); output && output->stream < recorded.size()) {
        recorded[output->stream] = output->offset + output->bytes.size();
      }
      if (++events % 1024 == 0) feed_.channel().beat();
    }
    for (unsigned stream = 0; stream < feed_.channel().stream_count(); ++stream) {
      if (recorded[stream] > 0) feed_.seek(stream, recorded[stream]);
    }
  }

  void show_output(const Event& event) {
    const auto* output = std::get_if<OutputWritten>(&event.payload);
    if (output && emulator_ && output->stream == 0) emulator_->feed(output->bytes);
  }

  // What the job said last, for the terminal that its screen has left.
  [[nodiscard]] std::string last_words() const {
    if (!emulator_) return {};
    const auto end = emulator_->end_line();
    auto text = emulator_->text(end - std::min<std::uint64_t>(end - emulator_->first_line(), kLastWords), end);
    while (text.ends_with("\n\n")) text.pop_back();
    return text == "\n" ? "" : text;
  }

  void start_recording() {
    if (options_.record.empty()) return;
    auto recorder = Recorder::resume(loop_, engine_, options_.record);
    if (recorder) {
      recorder_ = *std::move(recorder);
      feed_.set_archive(recorder_.get());
    } else {
      engine_.publish({loop_.now(), Noted{Noted::Severity::kError, recorder.error().message}});
    }
  }

  std::unique_ptr<Session> make_session(Surface& surface, const Hello& hello, ViewerServer::Leave leave_viewer) {
    const ViewerTraits traits{.depth = static_cast<term::ColorDepth>(std::min<int>(hello.color_depth, 3)),
                              .glyphs = glyphs_of(hello.utf8, hello.linux_console),
                              .readonly = hello.readonly};
    viewers_seen_ = true;
    if (over_) loop_.post([this] { finish(); });
    auto interface = make_interface(preferences_, traits);
    if (emulator_) interface.set_output(&*emulator_);
    return std::make_unique<Session>(
        loop_, engine_, std::move(interface), surface,
        [this, &surface, leave_viewer = std::move(leave_viewer)](const Effect& effect, ui::Interface& shown) {
          if (CommonEffects{loop_, engine_, surface, preferences_, shown}.perform(effect)) return;
          RunEffects{feed_.channel(), record_, shown, leave_viewer, options_.demo}.perform(effect);
        },
        [this](const ui::Interface& shown) { fit_output(shown); });
  }

  // The job's terminal has the size of the pane it was last shown in; a window that is being dragged does not wake the
  // job more than ten times a second.
  void fit_output(const ui::Interface& shown) {
    const auto size = shown.output_size();
    if (!size || !emulator_ || (size->columns == emulator_->columns() && size->rows == emulator_->rows())) return;
    wanted_size_ = *size;
    const Instant next = std::max(loop_.now(), resized_at_ + kResizePause);
    resize_timer_->at(next, [this] {
      resized_at_ = loop_.now();
      emulator_->resize(wanted_size_.columns, wanted_size_.rows);
      feed_.channel().resize(static_cast<unsigned>(emulator_->rows()), static_cast<unsigned>(emulator_->columns()));
    });
  }

  // The example run is nobody's work: it ends with its viewer.
  void end_demo() { feed_.channel().signal(SIGINT, run::ControlMessage::Target::kProcess); }

  void run_ended() {
    over_ = true;
    if (headless_ || viewers_seen_ || !first_) {
      finish();
    } else {
      patience_->at(loop_.now() + kFirstViewer, [this] { finish(); });
    }
  }

  void finish() {
    engine_.publish({loop_.now(), StreamEnded{"the run ended"}});
    const auto summary = run_summary(engine_.model(), recorder_ ? options_.record : "");
    feed_.set_archive(nullptr);
    recorder_.reset();
    if (headless_) {
      std::fputs(summary.c_str(), stderr);
    } else {
      const auto& end = engine_.model().run->end;
      server_.say_farewell({Farewell::Kind::kRunEnded,
                            static_cast<std::uint8_t>(end && end->exit_code ? *end->exit_code : 1),
                            last_words() + summary});
    }
    feed_.channel().done();
    leave(run::kEngineDone);
  }

  void leave(int code) {
    code_ = code;
    loop_.stop();
  }

  Options options_;
  Preferences preferences_;
  bool headless_;
  bool first_;
  run::JobStatus started_;
  run::RunRecord record_;
  Loop loop_;
  Engine engine_;
  std::unique_ptr<Recorder> recorder_;
  std::optional<term::Emulator> emulator_;  // of a run under a PTY
  RunFeed feed_;
  ViewerServer server_;
  std::unique_ptr<Loop::Timer> patience_;
  std::unique_ptr<Loop::Timer> demo_end_;
  std::unique_ptr<Loop::Timer> resize_timer_;
  ui::Interface::OutputSize wanted_size_;
  Instant resized_at_{-kResizePause};
  Engine::Subscription subscription_;
  bool viewers_seen_ = false;
  bool over_ = false;
  int code_ = 1;
};

}  // namespace

int run_engine(run::RunChannel channel, const std::vector<std::string>& arguments) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto parsed = parse_words(arguments);
  if (!parsed || !std::holds_alternative<Options>(*parsed)) {
    complain(parsed ? "the engine was started with odd words" : parsed.error().message);
    return 1;
  }
  auto options = std::get<Options>(*parsed);
  auto gpus = make_gpu_source(options, Pace::kAgainAndAgain);
  if (!gpus) {
    complain(gpus.error().message);
    return 1;
  }
  RunEngine engine{std::move(channel), std::move(options), *std::move(gpus)};
  return engine.run();
}

}  // namespace gputop::cli

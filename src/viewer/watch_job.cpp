#include "gputop/viewer/watch_job.hpp"

#include <csignal>

#include "gputop/base/output.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/stream/follow_source.hpp"
#include "gputop/stream/job_watch.hpp"
#include "gputop/stream/node_streams.hpp"
#include "gputop/ui/job_screen.hpp"
#include "gputop/viewer/interface_factory.hpp"
#include "gputop/viewer/screen.hpp"
#include "gputop/viewer/watch_run.hpp"
#include "viewer/terminal_surface.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookEvery = 1s;
constexpr int kFindEvery = 3;  // looks

// Followed on: what the screen has learnt outlives the visits to single ranks.
class JobSession {
 public:
  JobSession(const JobWay& way, const WatchOptions& options)
      : way_(way), options_(options), files_(way.job), preferences_(load_preferences(options)) {}

  int run() {
    while (true) {
      std::optional<std::size_t> open;
      if (const int code = show(open); !open) return code;
      show_rank(*open);
    }
  }

 private:
  int show(std::optional<std::size_t>& open) {
    Loop loop{origin_};
    auto surface = TerminalSurface::open(loop, false);
    if (!surface) return failed(surface.error());
    std::optional<NodeStreams> streams;
    if (!way_.commands.empty()) {
      streams.emplace(loop, NodeStreams::Handlers{
                                .line = [&](const std::string& from, std::string_view line) { watch_.hear(from, line, to_seconds(loop.now())); },
                                .problem = [&](std::string text) { notice_ = std::move(text); }});
      for (const auto& command : way_.commands) {
        if (const auto started = streams->start(command); !started) notice_ = started.error().message;
      }
    }
    auto timer = loop.make_timer();
    std::function<void()> tick = [&] {
      timer->at(loop.now() + kLookEvery, tick);
      look(to_seconds(loop.now()));
      draw(**surface);
    };
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
    (*surface)->start({.key =
                           [&](const ftxui::Event& event) {
                             const auto wish = screen_->handle(event, whole_);
                             open = wish.open;
                             if (wish.leave || wish.open) return loop.stop();
                             draw(**surface);
                           },
                       .paste = [](const std::string&) {},
                       .resized =
                           [&](int width, int height) {
                             width_ = width;
                             height_ = height;
                             draw(**surface);
                           },
                       .gone = [&] { loop.stop(); }});
    loop.post(tick);
    loop.run();
    return 0;
  }

  void look(double now) {
    if (way_.commands.empty() && looks_++ % kFindEvery == 0) watch_.follow(files_.find(), now);
    watch_.look(now);
    whole_ = watch_.whole(now, true);
    head_ = {.id = "job " + way_.job, .transport = way_.transport, .notice = notice_};
    for (const auto& member : watch_.members()) {
      if (member->track.job()) head_.launcher = member->track.job()->launcher;
      if (!member->problem.empty()) head_.notice = member->problem;
    }
    if (head_.transport.empty())
      head_.transport = std::to_string(watch_.members().size()) + (watch_.members().size() == 1 ? " recording" : " recordings");
  }

  void draw(Surface& surface) {
    auto frame = surface.spare();
    if (!frame || frame->cells.dimx() != width_ || frame->cells.dimy() != height_)
      frame = term::Frame{ftxui::Screen{width_, height_}, std::nullopt, {}};
    frame->rows = {};
    screen_->render(whole_, head_, frame->cells);
    frame->cursor.reset();
    surface.show(*std::move(frame));
  }

  // A run on this machine is attached to; one elsewhere is shown from its recording as that grows.
  void show_rank(std::size_t recording) {
    const auto& member = *watch_.members()[recording];
    if (const auto& run = member.track.run()) {
      for (const auto& listed : run::list_runs(run::runtime_roots())) {
        if (listed.record.id != run->id || listed.record.mode != run::Mode::kPty || listed.state == run::RunState::kAdrift) continue;
        watch_run(listed.socket().string(), {.readonly = options_.readonly}, false);
        return;
      }
    }
    if (!member.file) {
      notice_ = "this rank's own screen needs its recording, which is not on this machine: gputop attach " +
                (member.track.run() ? member.track.run()->id : std::string{"RUN"}) + " on " + member.track.node();
      return;
    }
    Loop loop;
    Engine engine{loop, 500ms, make_follow_source(member.name), nullptr};
    auto preferences = load_preferences(options_);
    engine.set_advisor(preferences.advisor);
    auto shown = options_;
    shown.recording = member.name;
    shown.readonly = true;
    run_screen(loop, engine, std::move(preferences), shown);
  }

  const JobWay& way_;
  const WatchOptions& options_;
  std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
  JobFiles files_;
  Preferences preferences_;
  term::TerminalTraits traits_ = term::detect_traits(process_environment());
  std::unique_ptr<ui::JobScreen> screen_ =
      std::make_unique<ui::JobScreen>(preferences_.theme, traits_.depth, glyphs_of(traits_.utf8, process_environment()("TERM") == "linux"));
  JobWatch watch_;
  job::Whole whole_;
  ui::JobHead head_;
  std::string notice_;
  int looks_ = 0;
  int width_ = 80;
  int height_ = 24;
};

// Without a screen: a line whenever something else holds the whole up, until the job has ended.
class JobLines {
 public:
  JobLines(const JobWay& way, const WatchOptions& options) : way_(way), options_(options), files_(way.job) {}

  int run() {
    Loop loop;
    std::optional<NodeStreams> streams;
    if (!way_.commands.empty()) {
      streams.emplace(loop, NodeStreams::Handlers{
                                .line = [&](const std::string& from, std::string_view line) { watch_.hear(from, line, to_seconds(loop.now())); },
                                .problem = [&](const std::string& text) { complain(text); }});
      for (const auto& command : way_.commands) {
        if (const auto started = streams->start(command); !started) return failed(started.error());
      }
    }
    auto timer = loop.make_timer();
    std::function<void()> tick = [&] {
      timer->at(loop.now() + kLookEvery, tick);
      if (!look(to_seconds(loop.now()))) loop.stop();
    };
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
    auto end = loop.make_timer();
    if (options_.duration) end->at(Instant{} + *options_.duration, [&] { loop.stop(); });
    loop.post(tick);
    loop.run();
    return 0;
  }

 private:
  // False: it is over, or nobody reads.
  bool look(double now) {
    if (way_.commands.empty() && looks_++ % kFindEvery == 0) watch_.follow(files_.find(), now);
    watch_.look(now);
    const auto whole = watch_.whole(now, true);
    if (auto text = in_words(whole); !text.empty() && text.substr(0, text.find(" by ")) != said_) {
      said_ = text.substr(0, text.find(" by "));  // figures move all the time
      if (write_out(text + "\n", stdout) != WriteResult::kOk) return false;
    }
    return watch_.members().empty() || !watch_.all_ended();
  }

  static std::string in_words(const job::Whole& whole) {
    const auto& found = whole.explained;
    if (found.hung) return job::as_sentence(to_words(*found.hung));
    if (found.straggler) return job::as_sentence(to_words(*found.straggler));
    if (found.imbalance) return job::as_sentence(to_words(*found.imbalance));
    if (!found.communication_ms) return "";
    return "No rank holds the others up (" + std::to_string(found.ranks) + " ranks)";
  }

  const JobWay& way_;
  const WatchOptions& options_;
  JobFiles files_;
  JobWatch watch_;
  std::string said_;
  int looks_ = 0;
};

}  // namespace

int watch_job(const JobWay& way, const WatchOptions& options) {
  return wants_screen(options) ? JobSession{way, options}.run() : JobLines{way, options}.run();
}

}  // namespace gputop

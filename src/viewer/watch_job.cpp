#include "gputop/viewer/watch_job.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>

#include "gputop/base/output.hpp"
#include "gputop/core/format.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/stream/finite_replay.hpp"
#include "gputop/stream/follow_source.hpp"
#include "gputop/stream/job_replay.hpp"
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

// The ranks as both kinds of output see them: from growing recordings, from replayed recordings, or from what the nodes
// send.
class JobFeed {
 public:
  explicit JobFeed(const JobWay& way) : way_(way), files_(way.job) {}

  Status open() {
    if (!way_.replay) return success();
    auto opened = JobReplay::open(files_.find(), watch_);
    if (!opened) return opened.error();
    replay_.emplace(*std::move(opened));
    return success();
  }

  // `now`: seconds of any monotonic clock.
  job::Whole look(double now) {
    if (replay_) return play(now);
    if (way_.commands.empty() && looks_++ % kFindEvery == 0) watch_.follow(files_.find(), now);
    watch_.look(now);
    return watch_.whole(now, true);
  }

  // Replayed to its end, or ended.
  [[nodiscard]] bool is_over() const {
    return replay_ ? !more_ : !watch_.members().empty() && watch_.all_ended();
  }
  [[nodiscard]] bool is_replay() const { return replay_.has_value(); }
  [[nodiscard]] bool never_waits() const { return replay_ && *way_.replay == ReplaySource::kAsFastAsPossible; }
  // Of a replay: "00:01:23".
  [[nodiscard]] std::string position() const { return format_duration(from_seconds(at_)); }
  [[nodiscard]] JobWatch& watch() { return watch_; }

 private:
  job::Whole play(double now) {
    // Nothing is played while a single rank's screen is open.
    const double passed = std::min(now - std::exchange(last_look_, now), 2 * to_seconds(kLookEvery));
    at_ += never_waits() ? to_seconds(kLookEvery) : std::max(0.0, passed) * *way_.replay;
    more_ = replay_->play(watch_, at_);
    if (!more_) at_ = replay_->position();
    return watch_.whole(at_, true);
  }

  const JobWay& way_;
  JobFiles files_;
  JobWatch watch_;
  std::optional<JobReplay> replay_;
  bool more_ = true;
  double last_look_ = 0;
  double at_ = 0;  // of the replay, in seconds
  int looks_ = 0;
};

// Continued: what the screen has learned outlives visits to single ranks.
class JobSession {
 public:
  JobSession(const JobWay& way, const WatchOptions& options)
      : way_(way), options_(options), feed_(way), preferences_(load_preferences(options)) {}

  int run() {
    if (const auto opened = feed_.open(); !opened) return failed(opened.error());
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
    do {
      whole_ = feed_.look(now);
    } while (feed_.never_waits() && !feed_.is_over());
    head_ = {.id = "job " + way_.job, .transport = way_.transport, .notice = notice_};
    for (const auto& member : watch_.members()) {
      if (member->track.job()) head_.launcher = member->track.job()->launcher;
      if (!member->problem.empty()) head_.notice = member->problem;
    }
    if (feed_.is_replay()) head_.transport = "replayed to " + feed_.position() + (feed_.is_over() ? ", its end" : "");
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

  // A run on this machine is attached to; one elsewhere is shown from its growing recording.
  void show_rank(std::size_t recording) {
    const auto& member = *watch_.members()[recording];
    if (const auto& run = member.track.run(); run && !feed_.is_replay()) {
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
    std::unique_ptr<Source> source;
    if (feed_.is_replay()) {
      auto reader = RecordingReader::open(member.name);
      if (!reader) {
        notice_ = reader.error().message;
        return;
      }
      reader->expect_open();
      source = make_finite_replay(loop, *std::move(reader), *way_.replay);
    } else {
      source = make_follow_source(member.name);
    }
    Engine engine{loop, feed_.is_replay() ? 100ms : 500ms, std::move(source), nullptr};
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
  JobFeed feed_;
  JobWatch& watch_ = feed_.watch();
  Preferences preferences_;
  term::TerminalTraits traits_ = term::detect_traits(process_environment());
  std::unique_ptr<ui::JobScreen> screen_ =
      std::make_unique<ui::JobScreen>(preferences_.theme, traits_.depth, glyphs_of(traits_.utf8, process_environment()("TERM") == "linux"));
  job::Whole whole_;
  ui::JobHead head_;
  std::string notice_;
  int width_ = 80;
  int height_ = 24;
};

// Without a screen: a line whenever the cause of the delay changes, until the job has ended.
class JobLines {
 public:
  JobLines(const JobWay& way, const WatchOptions& options) : way_(way), options_(options), feed_(way) {}

  int run() {
    if (const auto opened = feed_.open(); !opened) return failed(opened.error());
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
      timer->at(loop.now() + (feed_.never_waits() ? Duration{} : kLookEvery), tick);
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
    const auto whole = feed_.look(now);
    if (auto text = in_words(whole); !text.empty() && without_figures(text) != said_) {
      said_ = without_figures(text);
      if (feed_.is_replay()) text = feed_.position() + "  " + text;
      if (write_out(text + "\n", stdout) != WriteResult::kOk) return false;
    }
    return !feed_.is_over();
  }

  // Figures change all the time, so they are left out: who and why remain, and a new cause is news.
  static std::string without_figures(const std::string& text) {
    auto who = text.substr(0, std::min(text.find(" by "), text.find(" for ")));
    const auto why = text.find(": ", who.size());
    if (why == std::string::npos) return who;
    std::copy_if(text.begin() + static_cast<std::ptrdiff_t>(why), text.end(), std::back_inserter(who),
                 [](char c) { return (c < '0' || c > '9') && c != '.'; });
    return who;
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
  JobFeed feed_;
  JobWatch& watch_ = feed_.watch();
  std::string said_;
};

}  // namespace

int watch_job(const JobWay& way, const WatchOptions& options) {
  return wants_screen(options) ? JobSession{way, options}.run() : JobLines{way, options}.run();
}

}  // namespace gputop

// gputop replay: the same screens and lines, from a file.
#include "cli/commands.hpp"
#include "gputop/sources/chosen_gpus.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/store/replay_source.hpp"
#include "gputop/viewer/headless.hpp"
#include "gputop/viewer/screen.hpp"

namespace gputop::cli {
namespace {

// How often playback looks for events that are due; ten pictures a second are smooth enough for a monitor.
constexpr std::chrono::milliseconds kStep{100};

// A replay that knows when it is over: the stream's end is an event like any other.
class FiniteReplay final : public Source {
 public:
  FiniteReplay(Loop& loop, RecordingReader reader, double speed)
      : loop_(loop), replay_(make_replay_source(std::move(reader), speed)) {}

  [[nodiscard]] std::string_view name() const override { return replay_->name(); }
  void start(Instant now, Sink sink) override {
    sink_ = sink;
    replay_->start(now, std::move(sink));
  }
  void tick(Instant now) override {
    if (over_) return;
    replay_->tick(now);
    if (!replay_->finished()) {
      // One batch at a time, so that Ctrl-C gets its turn; the engine's ticks would be far apart.
      if (replay_->speed() == ReplaySource::kAsFastAsPossible) loop_.post([this] { tick(loop_.now()); });
      return;
    }
    over_ = true;
    const Instant at = replay_->position().value_or(Instant{});
    for (const auto& problem : replay_->problems()) sink_({at, Noted{Noted::Severity::kWarning, problem}});
    sink_({at, StreamEnded{"the recording ends here"}});
  }
  void stop() override { replay_->stop(); }

 private:
  Loop& loop_;
  std::unique_ptr<ReplaySource> replay_;
  Sink sink_;
  bool over_ = false;
};

}  // namespace

int replay(const Options& options) {
  auto reader = RecordingReader::open(options.recording);
  if (!reader) {
    complain(reader.error().message);
    return 1;
  }
  const bool screen = wants_screen(options);
  const double speed = options.speed.value_or(screen ? 1 : ReplaySource::kAsFastAsPossible);
  Loop loop;
  auto recorded = make_chosen_gpus(std::make_unique<FiniteReplay>(loop, *std::move(reader), speed), options.gpus);
  Engine engine{loop, kStep, std::move(recorded), nullptr};
  auto preferences = load_preferences(options);
  if (!screen) complain_about(preferences);
  engine.set_advisor(preferences.advisor);
  const auto complaints = engine.listen([&](const Event& event, const Model&) {
    const auto* noted = std::get_if<Noted>(&event.payload);
    if (!screen && noted && noted->severity != Noted::Severity::kInfo) complain(noted->text);
  });
  return screen ? run_screen(loop, engine, std::move(preferences), options) : run_headless(loop, engine, options);
}

}  // namespace gputop::cli

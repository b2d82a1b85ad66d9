// gputop without a command: this machine's GPUs and host, on the screen or as lines.
#include <utility>

#include "cli/commands.hpp"
#include "gputop/engine/recorder.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/stream/event_hook.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/stream_started.hpp"
#include "gputop/viewer/headless.hpp"
#include "gputop/viewer/screen.hpp"

namespace gputop::cli {
namespace {

// After an NVML crash, the monitor appends to its recording.
Result<std::unique_ptr<Recorder>> start_recording(Loop& loop, Engine& engine, const Options& options) {
  if (!options.nvml_crash) return Recorder::start(loop, engine, options.record);
  auto resumed = Recorder::resume(loop, engine, options.record);
  if (!resumed) return resumed.error();
  return std::move(resumed->recorder);
}

}  // namespace

int monitor(const Options& options) {
  if (options.source.starts_with("replay:")) {
    auto replayed = options;
    replayed.recording = options.source.substr(std::string_view{"replay:"}.size());
    return replay(replayed);
  }
  auto gpus = make_gpu_source(options, Pace::kAgainAndAgain);
  if (!gpus) return usage_error(gpus.error());
  const bool screen = wants_screen(options);
  auto preferences = load_preferences(options);
  if (!screen) complain_about(preferences);
  const Duration interval = options.interval.value_or(preferences.settings.interval);
  Loop loop{options.since};
  Engine engine{loop, interval, *std::move(gpus), make_host_source()};
  engine.set_advisor(preferences.advisor);
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) {
    auto started = start_recording(loop, engine, options);
    if (!started) return failed(started.error());
    recorder = *std::move(started);
  }
  const auto hook = run_on_events(engine, preferences.settings.on_event);
  auto started = stream_started(interval);
  std::get<StreamStarted>(started.payload).wall -= std::chrono::duration_cast<std::chrono::milliseconds>(
      loop.now().time_since_epoch());
  engine.publish(std::move(started));
  const int code =
      screen ? run_screen(loop, engine, std::move(preferences), options) : run_headless(loop, engine, options);
  engine.publish({loop.now(), StreamEnded{"gputop was stopped"}});
  return code;
}

}  // namespace gputop::cli

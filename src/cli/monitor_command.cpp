// gputop without a command: this machine's GPUs and host, on the screen or as lines.
#include <utility>

#include "cli/commands.hpp"
#include "cli/gpu_source.hpp"
#include "cli/headless.hpp"
#include "cli/recorder.hpp"
#include "cli/screen.hpp"
#include "cli/stream.hpp"
#include "gputop/sources/host_source.hpp"

namespace gputop::cli {
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
  Loop loop;
  Engine engine{loop, interval, *std::move(gpus), make_host_source()};
  engine.set_advisor(preferences.advisor);
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) {
    auto started = Recorder::start(loop, engine, options.record);
    if (!started) return failed(started.error());
    recorder = *std::move(started);
  }
  engine.publish(stream_started(interval));
  const int code =
      screen ? run_screen(loop, engine, std::move(preferences), options) : run_headless(loop, engine, options);
  engine.publish({loop.now(), StreamEnded{"gputop was ended"}});
  return code;
}

}  // namespace gputop::cli

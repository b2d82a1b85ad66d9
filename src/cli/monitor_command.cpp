// gputop without a command: this machine's GPUs and host, on the screen or as lines.
#include <optional>

#include "cli/commands.hpp"
#include "cli/demo_run.hpp"
#include "cli/gpu_source.hpp"
#include "cli/headless.hpp"
#include "cli/stream.hpp"
#include "gputop/sources/host_source.hpp"

namespace gputop::cli {

int monitor(const Options& options) {
  const Duration interval = options.interval.value_or(std::chrono::seconds{1});
  auto gpus = make_gpu_source(options, Pace::kAgainAndAgain);
  if (!gpus) return usage_error(gpus.error());
  std::optional<DemoRun> run;
  if (options.demo) {
    auto started = DemoRun::start(DemoRun::Output::kInherited);
    if (!started) {
      complain(started.error().message);
      return 1;
    }
    run.emplace(*std::move(started));
  }
  Loop loop;
  Engine engine{loop, interval, *std::move(gpus), make_host_source()};
  engine.publish(stream_started(interval));
  return run_headless(loop, engine, options);
}

}  // namespace gputop::cli

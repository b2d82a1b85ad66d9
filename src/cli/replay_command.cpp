// gputop replay: the same screens and lines, from a file.
#include "cli/commands.hpp"
#include "gputop/sources/chosen_gpus.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/stream/finite_replay.hpp"
#include "gputop/stream/input_file.hpp"
#include "gputop/stream/job_files.hpp"
#include "gputop/viewer/headless.hpp"
#include "gputop/viewer/screen.hpp"
#include "gputop/viewer/watch_job.hpp"

namespace gputop::cli {
namespace {

// How often playback looks for due events; ten frames a second are smooth enough for a monitor.
constexpr std::chrono::milliseconds kStep{100};

}  // namespace

int replay(const Options& options) {
  const bool screen = wants_screen(options);
  const double speed = options.speed.value_or(screen ? 1 : ReplaySource::kAsFastAsPossible);
  if (job_behind(options.recording)) return watch_job({.job = options.recording, .replay = speed}, options);
  const auto file = find_input(options.recording);
  if (!file) return failed(file.error());
  auto reader = RecordingReader::open(file->path);
  if (!reader) return failed(reader.error());
  if (file->still_written) reader->expect_open();
  auto shown = options;
  shown.recording = file->path;
  Loop loop;
  auto recorded = make_chosen_gpus(make_finite_replay(loop, *std::move(reader), speed), options.gpus);
  Engine engine{loop, kStep, std::move(recorded), nullptr};
  auto preferences = load_preferences(options);
  if (!screen) complain_about(preferences);
  engine.set_advisor(preferences.advisor);
  const auto complaints = engine.listen([&](const Event& event, const Model&) {
    const auto* noted = std::get_if<Noted>(&event.payload);
    if (!screen && noted && noted->severity != Noted::Severity::kInfo) complain(noted->text);
  });
  return screen ? run_screen(loop, engine, std::move(preferences), shown) : run_headless(loop, engine, shown);
}

}  // namespace gputop::cli

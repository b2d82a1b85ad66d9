#include "cli/run_command.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "cli/commands.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/core/format.hpp"
#include "gputop/engine/lens_launch.hpp"
#include "gputop/report/estimate.hpp"
#include "gputop/job/submitted.hpp"
#include "gputop/run/launch.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/store/recording_path.hpp"
#include "gputop/stream/input_file.hpp"
#include "gputop/viewer/first_pane.hpp"
#include "gputop/viewer/follow_submit.hpp"
#include "gputop/viewer/screen.hpp"
#include "gputop/viewer/stop_run.hpp"
#include "gputop/viewer/watch_job.hpp"
#include "gputop/viewer/watch_run.hpp"

namespace gputop::cli {
namespace {

using namespace std::chrono_literals;

std::string name_of(const Options& options) {
  if (!options.name.empty()) return options.name;
  // "python train.py" is named after its script.
  for (std::size_t i = 1; i < options.job.size(); ++i) {
    const auto& word = options.job[i];
    if (word.ends_with(".py") || word.ends_with(".sh")) return word.substr(word.rfind('/') + 1);
  }
  return options.job.front().substr(options.job.front().rfind('/') + 1);
}

// Which process of a job this is (srun, torchrun); nullopt: the only one.
std::optional<std::string> rank() {
  const auto environment = process_environment();
  auto rank = environment("SLURM_PROCID");
  return rank ? rank : environment("RANK");
}

// Of several at once, only the first may have a screen, because they share one terminal.
bool is_follower() {
  return rank().value_or("0") != "0";
}

// A file for this run alone, which the engine writes to. Returns "" and prints an error if there is no place for
// recordings.
std::string recording_path(const Options& options) {
  if (!options.record.empty()) return std::filesystem::absolute(options.record).string();
  const auto folder = default_recordings_folder();
  if (!folder) {
    complain("this run is not recorded: " + folder.error().message);
    return {};
  }
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::string name = name_of(options) + (is_follower() ? ".rank" + *rank() : "");
  const auto path = reserve_recording(*folder, name, now);
  return path ? *path : *folder + "/" + recording_file_name(name, now);  // the engine reports why it cannot be written
}

// The arguments of the run's engines: this command line's own, plus what was decided since.
std::vector<std::string> engine_words(const Options& options, const std::string& recording) {
  std::vector<std::string> words{"--source", options.source};
  if (options.demo) words.emplace_back("--demo");
  if (!options.lens) words.emplace_back("--no-lens");
  if (options.automatic.on)
    words.insert(words.end(), {"--auto", "--max-changes", std::to_string(options.automatic.max_changes)});
  for (const auto& knob : options.automatic.allow) words.insert(words.end(), {"--allow", knob});
  if (options.duration) words.insert(words.end(), {"--duration", std::to_string(options.duration->count()) + "ms"});
  if (!recording.empty()) words.insert(words.end(), {"--record", recording});
  if (options.interval) words.insert(words.end(), {"--interval", std::to_string(options.interval->count()) + "ms"});
  const auto number = [&](const char* option, const std::optional<double>& value, double unit, const char* suffix) {
    if (value) words.insert(words.end(), {option, format_number(*value / unit, 6) + suffix});
  };
  number("--peak", options.peak, 1e12, "");
  number("--price", options.price_per_kwh, 1, "/kWh");
  number("--price", options.price_per_hour, 1, "/h");
  if (!options.theme.empty()) words.insert(words.end(), {"--theme", options.theme});
  if (!options.config.empty())
    words.insert(words.end(), {"--config", std::filesystem::absolute(options.config).string()});
  std::string gpus;
  for (const auto gpu : options.gpus) gpus += (gpus.empty() ? "" : ",") + std::to_string(gpu);
  if (!gpus.empty()) words.insert(words.end(), {"--gpu", gpus});
  return words;
}

// The run that the command names, or the only one.
Result<run::ListedRun> wanted_run(const Options& options) {
  return run::find_run(run::runtime_roots(), options.run);
}

// The screen of a job that is not a run on this machine.
int attach_job(const Options& options) {
  const auto way = way_to_job(options.run, options.via, options.on);
  return way ? watch_job(*way, options) : failed(way.error());
}

}  // namespace

int run_job(const Options& options, const run::Inherited& inherited) {
  if (std::error_code ignored; std::filesystem::is_regular_file(options.record, ignored) &&
                               std::filesystem::file_size(options.record, ignored) > 0) {
    return failed({Error::Kind::kInvalid, "cannot record to " + options.record +
                                              ": it exists and is not empty (remove it or choose another name)"});
  }
  if (const auto allowed = auto_limits(options.automatic); !allowed) return usage_error(allowed.error());
  if (job::is_submit(options.job)) return submit_and_follow(options.job, options);
  if (const auto allowed = run::descriptors_allowed(); allowed < run::kFewestDescriptors) {
    complain("only " + std::to_string(allowed) + " descriptors are allowed (ulimit -n), and gputop needs " +
             std::to_string(run::kFewestDescriptors) + "; the command runs without gputop");
    return run::run_plainly(options.job, inherited);
  }
  const auto root = run::runtime_root();
  if (!root) {
    complain("the run has no screen and cannot be listed or attached to, because there is no folder for its files: " +
             root.error().message);
  }
  const bool screen = wants_screen(options) && !is_follower() && root;
  run::LaunchRequest request;
  if (root) request.root = *root;
  request.argv = options.job;
  request.mode = screen ? run::Mode::kPty : run::Mode::kPipes;
  request.name = name_of(options);
  request.inherited = inherited;
  request.keeps_input = screen ? ::isatty(STDIN_FILENO) == 0 : options.automatic.on;
  const auto recording = recording_path(options);
  request.engine_arguments = engine_words(options, recording);
  if (screen) {
    const auto pane = first_pane(options);
    request.rows = static_cast<unsigned>(pane.rows);
    request.columns = static_cast<unsigned>(pane.columns);
    request.terminal = STDOUT_FILENO;
    request.environment.emplace_back("TERM", "xterm-256color");
  }
  if (const auto reason = why_no_lens(options.lens, options.job); reason.empty()) {
    if (root) add_lens(request, {});
  } else if (!screen && options.lens) {
    complain(reason);
  }
  const auto launched = run::launch(request);
  if (!launched) {
    const bool ours = run::is_our_failure(launched.error());
    complain(launched.error().message + (ours ? "; the command runs without gputop" : ""));
    if (std::error_code ignored; options.record.empty() && std::filesystem::is_empty(recording, ignored)) {
      std::filesystem::remove(recording, ignored);
    }
    return ours ? run::run_plainly(options.job, inherited) : run::launch_exit_code(launched.error());
  }
  return watch_run((launched->directory / "socket").string(), {.readonly = options.readonly}, options.demo, *launched);
}

int demo(const Options& options, const run::Inherited& inherited) {
  auto demo_run = options;
  std::error_code problem;
  auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) self = run::self_path();  // no /proc
  // Written out in full, so each setting has a place to change: the advised change works by pressing a.
  demo_run.job = {self.string(),
                  "example",
                  "--batch-size",
                  "8",
                  "--num-workers",
                  "2",
                  "--prefetch-factor",
                  "2",
                  "--precision",
                  "fp32",
                  "--gradient-accumulation-steps",
                  "1",
                  "--optimizer",
                  "adamw",
                  "--learning-rate",
                  "0.001"};
  if (demo_run.name.empty()) demo_run.name = "example";
  if (demo_run.source == "auto") demo_run.source = "sim";
  // SIGINT ends the demo, so its run must not start with SIGINT ignored (as a shell's background jobs do).
  auto hearing = inherited;
  hearing.ignored &= ~(std::uint64_t{1} << (SIGINT - 1));
  return run_job(demo_run, hearing);
}

int stop(const Options& options) {
  const auto found = wanted_run(options);
  return found ? stop_run(*found, options.kill, options.duration.value_or(10s)) : failed(found.error());
}

int attach(const Options& options) {
  auto found = wanted_run(options);
  const bool unknown =
      !found && found.error().kind == Error::Kind::kNotFound;  // if there are several runs, the user chooses
  if (!options.run.empty() && (unknown || !options.via.empty())) return attach_job(options);
  if (!found) return failed(found.error());
  if (::isatty(STDOUT_FILENO) == 0) return failed({Error::Kind::kInvalid, "attach needs a terminal"});
  if (found->state == run::RunState::kAdrift) {
    return failed(
        {Error::Kind::kLost,
         "run " + found->record.id + " (pid " + std::to_string(found->record.job.pid) +
             ") is still running, but all of its gputop processes were killed, and its terminal with them: you cannot "
             "attach to it; gputop stop ends it"});
  }
  return watch_run(found->socket().string(), {.readonly = options.readonly}, options.demo);
}

}  // namespace gputop::cli

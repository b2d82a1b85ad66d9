#include "gputop/cli/cli.hpp"

#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/run_command.hpp"
#include "gputop/calibrate/calibrate.hpp"
#include "gputop/calibrate/calibrate_gpus.hpp"
#include "gputop/engine/nvml_recovery.hpp"
#include "gputop/engine/run_engine.hpp"
#include "gputop/run/hidden_mode.hpp"
#include "gputop/run/inherited.hpp"
#include "gputop/stream/print_job.hpp"
#include "gputop/viewer/preferences.hpp"
#include "gputop/viewer/run_list.hpp"

namespace gputop {
namespace {

calibrate::CalibrateOptions calibration(const cli::Options& options) {
  auto wanted = options.calibrate;
  wanted.watch = options;
  wanted.job = options.job;
  wanted.json = options.json;
  return wanted;
}

int dispatch(const cli::Options& options, const run::Inherited& inherited) {
  switch (options.command) {
    case cli::Command::kRun: return cli::run_job(options, inherited);
    case cli::Command::kAttach: return cli::attach(options);
    case cli::Command::kList: return print(run_list(options.all, options.json));
    case cli::Command::kStop: return cli::stop(options);
    case cli::Command::kMonitor: return options.demo ? cli::demo(options, inherited) : cli::monitor(options);
    case cli::Command::kSnapshot: return cli::snapshot(options);
    case cli::Command::kReplay: return cli::replay(options);
    case cli::Command::kExample: return cli::example(options);
    case cli::Command::kAdvise: return cli::advise(options);
    case cli::Command::kEstimate: return cli::estimate(options);
    case cli::Command::kShow: return cli::show(options);
    case cli::Command::kApply: return cli::apply(options);
    case cli::Command::kUndo: return cli::undo(options);
    case cli::Command::kReport: return cli::report(options);
    case cli::Command::kCompare: return cli::compare(options);
    case cli::Command::kExport: return cli::export_metrics(options);
    case cli::Command::kFleet: return run_fleet(options, options.fleet);
    case cli::Command::kDoctor: return cli::doctor(options);
    case cli::Command::kCalibrate: return calibrate::calibrate_gpus(calibration(options));
    case cli::Command::kStream: return print_job_lines(options.recording);
  }
  return 1;
}

// The keeper starts an engine with the arguments from run_command.cpp.
int engine(run::RunChannel channel, const std::vector<std::string>& words) {
  const auto parsed = cli::parse_words(words);
  const auto* options = parsed ? std::get_if<cli::Options>(&*parsed) : nullptr;
  if (options == nullptr) {
    complain(parsed ? "invalid engine arguments" : parsed.error().message);
    return 1;
  }
  auto limits = auto_limits(options->automatic);  // checked before the run was started
  return run_engine(std::move(channel), *options, limits ? *std::move(limits) : std::nullopt);
}

// What a library throws if it gets no memory, descriptors or threads.
int dispatch_or_say_why(const cli::Options& options, const run::Inherited& inherited) {
  try {
    return dispatch(options, inherited);
  } catch (const std::exception& failure) {
    complain(std::string{"gputop cannot do this now: "} + failure.what());
    return 1;
  }
}

// A dozen threads that allocate little share one heap: separate heaps would take more memory than their contents.
void share_one_heap() {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace

int run_cli(int argc, char** argv) {
  share_one_heap();
  const auto inherited = run::capture_inherited();
  if (const auto code = run::run_hidden_mode(argc, argv, engine)) std::_Exit(*code);
  if (const auto code = run_nvml_helper(argc, argv)) std::_Exit(*code);
  if (const auto code = calibrate::run_helper(argc, argv)) std::_Exit(*code);
  const auto before = life_before_nvml_crash();
  if (!before) go_on_after_nvml_deaths(argv, inherited);
  std::signal(SIGPIPE, SIG_IGN);  // a closed reader is an error of write(), not a reason to die
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that may not grow (ulimit -f)
  if (argc == 3 && std::string_view{argv[1]} == "__complete") return cli::complete(argv[2]);
  auto parsed = cli::parse(argc, argv);
  if (!parsed) return usage_error(parsed.error());
  if (const auto* answer = std::get_if<cli::Answer>(&*parsed)) return print(answer->text);
  auto& options = std::get<cli::Options>(*parsed);
  if (before) {
    options.nvml_crash = before->crash;
    options.since = before->since;
  }
  if (const auto theme = check_theme(options); !theme) return usage_error(theme.error());
  const int code = dispatch_or_say_why(options, inherited);
  // A thread may hang in a driver call forever, and the driver's own exit handlers may wait for it: do not run them.
  std::fflush(nullptr);
  std::_Exit(code);
}

}  // namespace gputop

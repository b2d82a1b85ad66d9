// The command line as plain values. parse.cpp fills them in; one file per command uses them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gputop/calibrate/calibrate_gpus.hpp"
#include "gputop/core/result.hpp"
#include "gputop/engine/auto_limits.hpp"
#include "gputop/exporter/exporter.hpp"
#include "gputop/rehearsal/rehearse.hpp"
#include "gputop/stream/watch_options.hpp"
#include "gputop/viewer/fleet_screen.hpp"

namespace gputop::cli {

enum class Command {
  kMonitor,
  kRun,
  kAttach,
  kList,
  kStop,
  kSnapshot,
  kReplay,
  kExample,
  kEstimate,
  kShow,
  kApply,
  kUndo,
  kAdvise,
  kReport,
  kCompare,
  kExport,
  kFleet,
  kStream,
  kDoctor,
  kCalibrate
};
enum class SnapshotFormat { kTable, kJson, kCsv };

// Options of `gputop apply`, of `undo`, and of writing an estimate.
struct ApplyOptions {
  std::string recording;             // "": see configs, or the job after "--"
  std::vector<std::string> configs;  // files to look into, without a run
  std::vector<std::string> changes;  // "batch_size=48"; none: list the settings
  std::vector<std::string> at;
  bool best = false;                         // for estimate: write the batch it found
  std::optional<std::int64_t> accumulation;  // that goes with it
  std::optional<std::uint64_t> world;        // ranks that train together
  bool list_only = false;                    // for undo
  std::size_t number = 1;                    // for undo: which change, the newest first
  bool dry_run = false;
  bool yes = false;
  bool scale = false;
  bool everywhere = false;
  bool all_stages = false;
  bool shared = false;
  bool remember = false;
  bool follow_links = false;
  bool foreign = false;
  bool outside = false;
};

// Options of report and compare.
enum class ReportFormat { kMarkdown, kHtml, kJson, kCsv };

struct ReportOptions {
  std::vector<std::string> inputs;  // recordings, logs, runs
  ReportFormat format = ReportFormat::kMarkdown;
  bool brief = false;                // Markdown for a pull request
  std::string output;                // "": stdout
  std::vector<std::string> columns;  // of a log without a header
};

struct Options : WatchOptions {
  Command command = Command::kMonitor;

  SnapshotFormat snapshot_format = SnapshotFormat::kTable;

  std::vector<std::string> columns;  // of advise: of a log without a header
  std::optional<double> speed;       // of replay; 0 = as fast as it can be read

  std::vector<std::string> job;  // everything after "--"
  std::string run;               // of attach and stop: id or name; "": the only one
  bool kill = false;             // of stop
  bool all = false;              // for ls: also finished ones
  std::string via;               // for attach: a way to the nodes of a job, "ssh {host}"
  std::vector<std::string> on;   // for attach: those nodes
  bool json = false;             // of ls, estimate, show and advise

  std::vector<std::pair<std::string, std::string>> estimate;  // keys and values as given, for estimate and show

  RehearsalOptions rehearsal;  // of estimate -- CMD
  std::string page;            // of estimate: the HTML file to write

  ApplyOptions apply;
  AutoOptions automatic;  // changes made without asking

  std::vector<std::string> only;  // of doctor: these checks
  std::string data;               // of doctor: the folder the run reads from

  calibrate::CalibrateOptions calibrate;

  ReportOptions report;  // of report and compare

  ExportOptions exported;  // of export
  FleetOptions fleet;      // of fleet

  std::vector<std::string> example_arguments;  // passed to the example run's own parser
};

// Help or version: text for stdout, exit code 0.
struct Answer {
  std::string text;
};

inline Error usage(std::string message) {
  return {Error::Kind::kInvalid, std::move(message)};
}

// Errors are usage errors (exit 2); their message is complete, with a suggestion if there is one.
Result<std::variant<Options, Answer>> parse(int argc, char** argv);
// The same without a program name in front.
Result<std::variant<Options, Answer>> parse_words(const std::vector<std::string>& words);

}  // namespace gputop::cli

// What the command line asked for, as plain values. parse.cpp fills it; one file per command acts on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gputop/core/result.hpp"
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

// What `gputop apply`, `undo` and the writing of an estimate were asked for.
struct ApplyOptions {
  std::string recording;             // "": see configs, or the job behind "--"
  std::vector<std::string> configs;  // files to look into, without a run
  std::vector<std::string> changes;  // "batch_size=48"; none: list what there is
  std::vector<std::string> at;
  bool best = false;                         // of estimate: write the batch it found
  std::optional<std::int64_t> accumulation;  // that goes with it
  std::optional<std::uint64_t> world;        // ranks that train together
  bool list_only = false;                    // of undo
  std::size_t number = 1;                    // of undo: which change, the newest first
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

// Of a run: changes made without being asked.
struct AutoOptions {
  bool on = false;
  unsigned max_changes = 3;
  std::vector<std::string> allow;  // knobs; empty: all
};

// What report and compare were asked for.
enum class ReportFormat { kMarkdown, kHtml, kJson, kCsv };

struct ReportOptions {
  std::vector<std::string> inputs;  // recordings, logs, runs
  ReportFormat format = ReportFormat::kMarkdown;
  bool brief = false;                // Markdown for a pull request
  std::string output;                // "": stdout
  std::vector<std::string> columns;  // of a log without a header
};

struct CalibrateOptions {
  bool show = false;  // what was measured before
  bool yes = false;   // also while the GPU is in use
  double timeout_seconds = 20;
};

struct Options : WatchOptions {
  Command command = Command::kMonitor;

  SnapshotFormat snapshot_format = SnapshotFormat::kTable;

  std::vector<std::string> columns;  // of advise: of a log without a header
  std::optional<double> speed;       // of replay; 0 = as fast as it can be read

  std::vector<std::string> job;  // what stands behind "--"
  std::string run;               // of attach and stop: id or name; "": the only one
  bool kill = false;             // of stop
  bool all = false;              // of ls: those that are over, too
  std::string via;               // of attach: a way to the nodes of a job, "ssh {host}"
  std::vector<std::string> on;   // of attach: the nodes it leads to
  bool json = false;             // of ls, estimate, show and advise

  std::vector<std::pair<std::string, std::string>> estimate;  // keys and values as given, of estimate and show

  RehearsalOptions rehearsal;  // of estimate -- CMD

  ApplyOptions apply;
  AutoOptions automatic;

  std::vector<std::string> only;  // of doctor: these checks
  std::string data;               // of doctor: the folder the run reads from

  CalibrateOptions calibrate;

  ReportOptions report;  // of report and compare

  ExportOptions exported;  // of export
  FleetOptions fleet;      // of fleet

  std::vector<std::string> example_arguments;  // handed to the example run's own parser
};

// Help or version: text for stdout, exit code 0.
struct Answer {
  std::string text;
};

inline Error usage(std::string message) {
  return {Error::Kind::kInvalid, std::move(message)};
}

// Errors are usage errors (exit 2); their message is complete, with a suggestion where there is one.
Result<std::variant<Options, Answer>> parse(int argc, char** argv);
// The same without a program's name in front.
Result<std::variant<Options, Answer>> parse_words(const std::vector<std::string>& words);

}  // namespace gputop::cli

// gputop report: findings for a recording, a live run, or a GPU log.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

#include "cli/commands.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/power_guard.hpp"
#include "gputop/report/comparison.hpp"
#include "gputop/report/gpu_csv.hpp"
#include "gputop/stream/input_file.hpp"
#include "gputop/stream/job_findings.hpp"
#include "gputop/stream/job_files.hpp"
#include "gputop/stream/recorded_input.hpp"
#include "gputop/viewer/preferences.hpp"

namespace gputop::cli {
namespace {

// Where a report goes: the user's file, or stdout.
class Destination {
 public:
  static Result<Destination> open(const std::string& path) {
    if (path.empty()) return Destination{stdout};
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) return Error{Error::Kind::kIo, path + ": cannot be written: " + std::strerror(errno)};
    return Destination{file};
  }
  WriteResult write(std::string_view text) { return write_out(text, file_); }
  // Returns the exit code: a full disk may only show now.
  int close() {
    if (file_ == stdout) return 0;
    if (std::fclose(std::exchange(file_, stdout)) == 0) return 0;
    complain(std::string{"cannot write the report: "} + std::strerror(errno));
    return 1;
  }

 private:
  explicit Destination(std::FILE* file) : file_(file) {}
  std::FILE* file_;
};

int refused(const Error& error) {
  complain(error.message);
  return 1;
}

int put(const std::string& path, std::string_view text) {
  auto out = Destination::open(path);
  if (!out) return refused(out.error());
  const auto written = out->write(text);
  const int closed = out->close();
  return written == WriteResult::kFailed ? 1 : closed;
}

// Every reading as it was: one line per GPU, with implausible values left empty and named.
class CsvExport {
 public:
  explicit CsvExport(Destination out) : out_(std::move(out)) { pending_ = gpu_csv_header(); }

  bool take(const Event& event) {
    if (const auto* started = std::get_if<StreamStarted>(&event.payload)) {
      wall_ = started->wall;
      timed_ = started->timed;
    }
    if (const auto* source = std::get_if<SourceStatus>(&event.payload)) screened_ = source->screened;
    if (const auto* adjusted = std::get_if<ClockAdjusted>(&event.payload)) wall_ = adjusted->wall;
    const auto* sampled = std::get_if<GpusSampled>(&event.payload);
    if (sampled == nullptr) return true;
    const auto moment = wall_ + std::chrono::duration_cast<std::chrono::milliseconds>(event.at.time_since_epoch());
    const auto time = timed_ ? format_wall(moment) : std::string{};
    for (const auto& gpu : sampled->gpus) add(time, gpu);
    return pending_.size() < kBuffer || flush();
  }
  int finish() {
    flush();
    const int closed = out_.close();
    return state_ == WriteResult::kFailed ? 1 : closed;
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16U;

  void add(const std::string& time, const GpuReading& reading) {
    auto errors = sensor_errors(reading);
    if (!screened_ && reading.power && !reading.power_limit && !reading.max_power_limit && errors.empty()) {
      if (auto error = guards_[{reading.uuid, reading.uuid.empty() ? reading.index : 0}].check(reading))
        errors.push_back(*std::move(error));
    }
    if (errors.empty()) return append_gpu_csv_line(pending_, time, reading, reading.error);
    auto gpu = reading;
    std::string text = gpu.error;
    for (const auto& error : errors) {
      take_out(gpu, error);
      text += (text.empty() ? "" : "; ") + error.text;
    }
    append_gpu_csv_line(pending_, time, gpu, text);
  }
  bool flush() {
    if (state_ == WriteResult::kOk) state_ = out_.write(pending_);
    pending_.clear();
    return state_ == WriteResult::kOk;
  }

  Destination out_;
  WriteResult state_ = WriteResult::kOk;
  WallTime wall_;
  bool timed_ = true;
  bool screened_ = false;
  std::map<std::pair<std::string, unsigned>, PowerGuard> guards_;
  std::string pending_;
};

int export_csv(const ReportOptions& options) {
  auto out = Destination::open(options.output);
  if (!out) return refused(out.error());
  CsvExport csv{*std::move(out)};
  const auto read = read_readings(options.inputs.front(), options.columns, [&](const Event& event) { return csv.take(event); });
  if (!read) return refused(read.error());
  return csv.finish();
}

AdvisorSettings advisor_settings(const Options& options) {
  auto preferences = load_preferences(options);
  for (const auto& problem : preferences.problems) complain(to_string(problem));
  return std::move(preferences.advisor);
}

}  // namespace

int report(const Options& options) {
  auto wanted = options.report;
  if (wanted.inputs.empty()) {
    const auto last = find_input("");
    if (!last) return refused(last.error());
    wanted.inputs.push_back(last->path);
  }
  if (const auto files = job_behind(wanted.inputs.front())) {
    if (wanted.format == ReportFormat::kCsv || wanted.format == ReportFormat::kHtml)
      return usage_error(
          {Error::Kind::kInvalid, "a job can be reported as md or json; for other formats name one of its recordings"});
    const auto job = read_job_findings(wanted.inputs.front(), *files, advisor_settings(options));
    if (!job) return refused(job.error());
    return put(wanted.output, wanted.format == ReportFormat::kJson ? job_json(*job) : job_markdown(*job));
  }
  if (wanted.format == ReportFormat::kCsv) return export_csv(wanted);
  const auto findings = read_findings(wanted.inputs.front(), wanted.columns, advisor_settings(options));
  if (!findings) return refused(findings.error());
  switch (wanted.format) {
    case ReportFormat::kHtml: return put(wanted.output, findings_html(*findings));
    case ReportFormat::kJson: return put(wanted.output, findings_json(*findings));
    default: return put(wanted.output, wanted.brief ? findings_brief(*findings) : findings_markdown(*findings));
  }
}

int compare(const Options& options) {
  const auto& wanted = options.report;
  const auto advisor = advisor_settings(options);
  std::vector<Findings> all;
  for (const auto& input : wanted.inputs) {
    // All ranks of a job run at the same speed, so its first one represents it.
    const auto job = job_behind(input);
    auto findings = read_findings(job ? first_rank(*job) : input, wanted.columns, advisor);
    if (!findings) return refused(findings.error());
    if (job) findings->title = "job " + input + ", " + std::to_string(job->size()) + " recordings";
    all.push_back(*std::move(findings));
  }
  const auto comparison = compare_findings(all);
  switch (wanted.format) {
    case ReportFormat::kHtml: return put(wanted.output, comparison_html(comparison));
    case ReportFormat::kJson: return put(wanted.output, comparison_json(comparison));
    default: return put(wanted.output, comparison_markdown(comparison));
  }
}

}  // namespace gputop::cli

// gputop report: findings for a recording, a live run, or a GPU log; what a snapshot of torch.cuda.memory tells.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.hpp"
#include "gputop/base/destination.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/report/comparison.hpp"
#include "gputop/report/memory_snapshot.hpp"
#include "gputop/report/readings_csv.hpp"
#include "gputop/stream/input_file.hpp"
#include "gputop/stream/job_files.hpp"
#include "gputop/stream/job_findings.hpp"
#include "gputop/stream/recorded_input.hpp"
#include "gputop/viewer/preferences.hpp"

namespace gputop::cli {
namespace {

int put(const std::string& path, std::string_view text) {
  auto out = Destination::open(path);
  if (!out) return failed(out.error());
  const auto written = out->write(text);
  const int closed = out->close();
  return written == WriteResult::kFailed ? 1 : closed;
}

int export_csv(const ReportOptions& options) {
  auto out = Destination::open(options.output);
  if (!out) return failed(out.error());
  constexpr std::size_t kBuffer = std::size_t{1} << 16U;
  ReadingsCsv csv;
  auto state = WriteResult::kOk;
  const auto flush = [&] {
    if (state == WriteResult::kOk) state = out->write(csv.take_text());
    return state == WriteResult::kOk;
  };
  const auto read = read_readings(options.inputs.front(), options.columns, [&](const Event& event) {
    csv.take(event);
    return csv.size() < kBuffer || flush();
  });
  if (!read) return failed(read.error());
  flush();
  const int closed = out->close();
  return state == WriteResult::kFailed ? 1 : closed;
}

AdvisorSettings advisor_settings(const Options& options) {
  auto preferences = load_preferences(options);
  for (const auto& problem : preferences.problems) complain(to_string(problem));
  return std::move(preferences.advisor);
}

// No recording and no log begins as a pickle does.
bool is_pickle(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  std::ifstream file{path, std::ios::binary};
  std::string begin(2, '\0');
  file.read(begin.data(), 2);
  return file && static_cast<unsigned char>(first_char(begin)) == 0x80 && last_char(begin) >= 2 && last_char(begin) <= 5;
}

int report_memory_snapshot(const std::string& path, const ReportOptions& options) {
  constexpr std::uintmax_t kMost = std::uintmax_t{2} << 30U;
  std::error_code failure;
  if (std::filesystem::file_size(path, failure) > kMost)
    return failed({Error::Kind::kInvalid, path + ": a memory snapshot of more than 2 GiB; record fewer events (max_entries)"});
  std::ifstream file{path, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  const auto snapshot = read_memory_snapshot(bytes);
  if (!snapshot) return failed({snapshot.error().kind, path + ": " + snapshot.error().message});
  const auto story = explain(*snapshot);
  const auto name = std::filesystem::path{path}.filename().string();
  switch (options.format) {
    case ReportFormat::kCsv:
      return usage_error({Error::Kind::kInvalid, "a memory snapshot can be reported as md, html or json"});
    case ReportFormat::kHtml: return put(options.output, memory_snapshot_html(name, *snapshot, story));
    case ReportFormat::kJson: return put(options.output, memory_snapshot_json(name, *snapshot, story));
    default: return put(options.output, memory_snapshot_markdown(name, *snapshot, story));
  }
}

}  // namespace

int report(const Options& options) {
  auto wanted = options.report;
  if (wanted.inputs.empty()) {
    const auto last = find_input("");
    if (!last) return failed(last.error());
    wanted.inputs.push_back(last->path);
  }
  if (is_pickle(wanted.inputs.front())) return report_memory_snapshot(wanted.inputs.front(), wanted);
  if (const auto files = job_behind(wanted.inputs.front())) {
    if (wanted.format == ReportFormat::kCsv || wanted.format == ReportFormat::kHtml)
      return usage_error(
          {Error::Kind::kInvalid, "a job can be reported as md or json; for other formats name one of its recordings"});
    const auto job = read_job_findings(wanted.inputs.front(), *files, advisor_settings(options));
    if (!job) return failed(job.error());
    return put(wanted.output, wanted.format == ReportFormat::kJson ? job_json(*job) : job_markdown(*job));
  }
  if (wanted.format == ReportFormat::kCsv) return export_csv(wanted);
  const auto findings = read_findings(wanted.inputs.front(), wanted.columns, advisor_settings(options));
  if (!findings) return failed(findings.error());
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
    if (!findings) return failed(findings.error());
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

#include "cli/raw_options.hpp"

#include <algorithm>
#include <charconv>

#include "gputop/core/parse.hpp"

namespace gputop::cli {
namespace {

using namespace std::chrono_literals;

Result<std::chrono::milliseconds> duration_option(const char* option,
                                                  const std::string& text,
                                                  std::chrono::milliseconds least,
                                                  std::chrono::milliseconds most) {
  const auto parsed = parse_duration(text);
  if (!parsed) return usage(std::string{option} + ": " + parsed.error().message);
  if (*parsed < least || *parsed > most) {
    return usage(std::string{option} + ": \"" + text + "\" is outside " + std::to_string(least.count()) + "ms … " +
                 std::to_string(most.count()) + "ms");
  }
  return *parsed;
}

Result<std::vector<unsigned>> gpu_list(const std::string& text) {
  std::vector<unsigned> gpus;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    unsigned index = 0;
    const auto [stop, problem] = std::from_chars(text.data() + begin, text.data() + end, index);
    if (problem != std::errc{} || stop != text.data() + end) {
      return usage("--gpu: \"" + text + "\" is not a list of GPU numbers (try --gpu 0,2)");
    }
    gpus.push_back(index);
    begin = end + 1;
  }
  return gpus;
}

Result<double> speed_factor(const std::string& text) {
  if (text == "max") return 0.0;
  double factor = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (problem != std::errc{} || stop != text.data() + text.size() || !(factor > 0) || factor > 1e6) {
    return usage("--speed: \"" + text + "\" is not a speed (try 1, 10, 0.5 or max)");
  }
  return factor;
}

Result<ReportFormat> report_format(const std::string& text, bool compares) {
  if (text == "md" || text == "markdown") return ReportFormat::kMarkdown;
  if (text == "html") return ReportFormat::kHtml;
  if (text == "json") return ReportFormat::kJson;
  if (text == "csv" && !compares) return ReportFormat::kCsv;
  return usage("--format: \"" + text + "\" is none of md, html, json" + (compares ? "" : ", csv"));
}

}  // namespace

Status convert(const RawOptions& raw, Options& options) {
  if (!raw.interval.empty()) {
    auto value = duration_option("--interval", raw.interval, 100ms, 60'000ms);
    if (!value) return value.error();
    options.interval = *value;
  }
  if (!raw.duration.empty()) {
    auto value = duration_option("--duration", raw.duration, 1ms, std::chrono::hours{24 * 365});
    if (!value) return value.error();
    options.duration = *value;
  }
  if (!raw.gpus.empty()) {
    auto value = gpu_list(raw.gpus);
    if (!value) return value.error();
    options.gpus = *std::move(value);
  }
  if (!raw.speed.empty()) {
    auto value = speed_factor(raw.speed);
    if (!value) return value.error();
    options.speed = *value;
  }
  if (!raw.format.empty()) {
    auto value = report_format(raw.format, options.command == Command::kCompare);
    if (!value) return value.error();
    options.report.format = *value;
  }
  if (raw.json) options.snapshot_format = SnapshotFormat::kJson;
  if (raw.csv) options.snapshot_format = SnapshotFormat::kCsv;
  return success();
}

}  // namespace gputop::cli

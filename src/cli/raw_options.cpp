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

// "0.30/kWh", "2.50/h": per energy, or per GPU hour.
Status read_price(std::string text, Options& options) {
  double price = 0;
  const bool of_fleet = options.command == Command::kFleet;
  if (of_fleet && text.find('/') == std::string::npos) text += "/h";
  const auto slash = std::min(text.find('/'), text.size());
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + slash, price);
  const auto unit = text.substr(slash);
  const bool energy = unit == "/kWh" || unit == "/kwh";
  if (problem != std::errc{} || stop != text.data() + slash || !(price >= 0) || price > 1e9 || (!energy && unit != "/h")) {
    return usage("--price: \"" + text + "\" is not a price (try 0.30/kWh, or 2.50/h for an hour of one GPU)");
  }
  if (of_fleet && energy) return usage("--price: a fleet's idle GPUs cost by the hour (try 2.50)");
  if (of_fleet) options.fleet.price = price;
  (energy ? options.price_per_kwh : options.price_per_hour) = price;
  return success();
}

Result<double> peak_rate(const std::string& text) {
  double teraflops = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), teraflops);
  if (problem != std::errc{} || stop != text.data() + text.size() || !(teraflops > 0) || teraflops > 1e6) {
    return usage("--peak: \"" + text + "\" is not a rate in TFLOP/s (try 312)");
  }
  return teraflops * 1e12;
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
  if (!raw.price.empty()) {
    if (auto read = read_price(raw.price, options); !read) return read;
  }
  if (!raw.peak.empty()) {
    auto value = peak_rate(raw.peak);
    if (!value) return value.error();
    options.peak = *value;
  }
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
  if (!raw.timeout.empty()) {
    auto value = duration_option("--timeout", raw.timeout, 100ms, 600'000ms);
    if (!value) return value.error();
    options.fleet.access.timeout = *value;
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

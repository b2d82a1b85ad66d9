// Output of dcgm-exporter and similar exporters: NAME{gpu="0",…} VALUE [MILLISECONDS], scraped once or repeatedly.
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

struct Metric {
  std::string_view name;
  std::string_view column;
  double factor;
};
constexpr auto kMetrics = std::to_array<Metric>({
#define METRIC(name, column, factor) {name, column, factor},
#include "gputop/core/gpu_metrics.def"
#undef METRIC
});

const Metric* find_metric(std::string_view name) {
  for (const auto& metric : kMetrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

using Labels = std::map<std::string_view, std::string>;

// One line: the metric, its labels, its value and its time.
struct Sample {
  const Metric* metric = nullptr;
  Labels labels;
  double value = 0;
  std::optional<WallTime> time;
};

// gpu="0",UUID="GPU-…"} removes the labels from the text.
std::optional<Labels> take_labels(std::string_view& text) {
  Labels labels;
  while (labels.size() < 64) {
    skip_front(text, std::min(text.find_first_not_of(" ,"), text.size()));
    if (text.starts_with('}')) {
      skip_front(text, 1);
      return labels;
    }
    const auto equals = text.find("=\"");
    if (equals == std::string_view::npos) return std::nullopt;
    const auto name = slice(text, 0, equals);
    skip_front(text, equals + 2);
    std::string value;
    while (!text.empty() && first_char(text) != '"') {
      if (first_char(text) == '\\' && text.size() > 1) skip_front(text, 1);
      value += first_char(text);
      skip_front(text, 1);
    }
    if (text.empty()) return std::nullopt;
    skip_front(text, 1);
    labels.emplace(name, std::move(value));
  }
  return std::nullopt;
}

std::optional<double> number_in(std::string_view word) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  return problem == std::errc{} && end == word.data() + word.size() ? std::optional{value} : std::nullopt;
}

std::optional<Sample> sample_of(std::string_view line) {
  auto text = trimmed(line);
  const auto end = text.find_first_of("{ ");
  if (end == std::string_view::npos || text.starts_with('#')) return std::nullopt;
  Sample sample{.metric = find_metric(slice(text, 0, end)), .labels = {}, .value = 0, .time = {}};
  if (sample.metric == nullptr) return std::nullopt;
  skip_front(text, end);
  if (text.starts_with('{')) {
    skip_front(text, 1);
    auto labels = take_labels(text);
    if (!labels) return std::nullopt;
    sample.labels = *std::move(labels);
  }
  const auto words = words_of(text, 3);
  const auto value = words.empty() ? std::nullopt : number_in(words[0]);
  if (!value) return std::nullopt;
  sample.value = *value;
  if (words.size() > 1) sample.time = smi::parse_time(words[1]);
  return sample;
}

class MetricsReading {
 public:
  Result<SmiLog> run(std::string_view text, std::string_view file) {
    while (!text.empty()) {
      const auto line = next_line(text);
      if (auto sample = sample_of(line)) {
        add(*sample);
      } else if (const auto time = clock_.read(line)) {
        finish_round();
        wall_ = time;
      }
    }
    finish_round();
    if (stream_.rounds() == 0)
      return Error{Error::Kind::kInvalid,
                   std::string{file} + ": holds metrics, but none of a GPU's work, memory, power or heat"};
    return stream_.finish("dcgm-exporter log", host_, driver_);
  }

 private:
  // Everything about one GPU in this scrape.
  struct Scraped {
    std::string name;
    std::string uuid;
    std::map<std::string_view, std::pair<const Metric*, double>> values;  // by column
  };

  static std::string label(const Sample& sample, std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
      if (const auto found = sample.labels.find(name); found != sample.labels.end() && !found->second.empty())
        return found->second;
    }
    return {};
  }

  void add(const Sample& sample) {
    const auto instance = label(sample, {"GPU_I_ID"});
    if (!instance.empty()) return;  // of a slice: the board's own values are on another line
    const auto host = label(sample, {"Hostname", "hostname", "instance"});
    const auto uuid = label(sample, {"UUID", "uuid"});
    const auto number = label(sample, {"gpu", "minor_number", "index"});
    const auto who = host + "/" + (uuid.empty() ? number : uuid);
    if (!seen_.emplace(sample.metric->name, who).second) {
      finish_round();
      seen_.emplace(sample.metric->name, who);
    }
    if (sample.time && !wall_) wall_ = sample.time;
    if (host_.empty()) host_ = printable(host);
    if (driver_.empty()) driver_ = printable(label(sample, {"DCGM_FI_DRIVER_VERSION", "driver_version"}));
    auto& gpu = round_[who];
    if (gpu.name.empty()) gpu.name = printable(label(sample, {"modelName", "name"}));
    gpu.uuid = printable(uuid);
    hosts_.insert(host);
    numbers_.try_emplace(who, number_of(number, who));
    auto& best = gpu.values[sample.metric->column];
    if (best.first == nullptr || sample.metric <= best.first)
      best = {sample.metric, sample.value * sample.metric->factor};
  }

  // The exporter's number; with several hosts, numbers are assigned in order of appearance.
  unsigned number_of(const std::string& number, const std::string& who) const {
    const auto given = number_in(number);
    const bool usable = hosts_.size() <= 1 && given && *given >= 0 && *given < 1024;
    return usable && !numbers_.contains(who) ? static_cast<unsigned>(*given) : static_cast<unsigned>(numbers_.size());
  }

  void finish_round() {
    std::vector<LogReading> gpus;
    for (const auto& [who, scraped] : round_) {
      LogReading reading;
      for (const auto& [column, value] : scraped.values) {
        smi::Cell cell{.text = "number", .number = value.second, .unit = {}, .failure = {}};
        if (column != "memory_free") reading.put(column, cell);
      }
      auto& gpu = reading.gpu;
      gpu.index = numbers_.at(who);
      gpu.name = scraped.name;
      gpu.uuid = scraped.uuid;
      const auto free = scraped.values.find("memory_free");
      if (free != scraped.values.end() && gpu.memory_used && !gpu.memory_total && free->second.second >= 0) {
        gpu.memory_total = *gpu.memory_used + Bytes{static_cast<std::uint64_t>(free->second.second) << 20U} +
                           gpu.memory_reserved.value_or(Bytes{});
      }
      gpus.push_back(std::move(reading));
    }
    stream_.add(std::exchange(wall_, std::nullopt), std::move(gpus));
    round_.clear();
    seen_.clear();
  }

  LogStream stream_;
  smi::LineClock clock_;
  std::string host_;
  std::string driver_;
  std::optional<WallTime> wall_;
  std::map<std::string, Scraped> round_;
  std::set<std::pair<std::string_view, std::string>> seen_;  // metrics and GPUs of this scrape
  std::set<std::string> hosts_;
  std::map<std::string, unsigned> numbers_;
};

}  // namespace

bool is_gpu_metrics(std::string_view text) {
  while (!text.empty()) {
    auto line = next_line(text);
    if (line.size() > 8 && (line.starts_with("DCGM_") || line.starts_with("dcgm_") || line.starts_with("nvidia_") ||
                            line.starts_with("gputop_gpu_")) &&
        sample_of(line))
      return true;
  }
  return false;
}

Result<SmiLog> read_gpu_metrics(std::string_view text, std::string_view file) {
  return MetricsReading{}.run(text, file);
}

}  // namespace gputop::gpu_log

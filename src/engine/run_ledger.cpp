#include "engine/run_ledger.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gputop/config/text_file.hpp"
#include "gputop/core/rounded_count.hpp"

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 256U << 10U;
constexpr std::size_t kMostLines = 400;

template <class T>
void put(Json& json, const char* name, const Reading<T>& value) {
  if (value) json[name] = *value;
}

template <class T>
Reading<T> number(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number() || found->template get<double>() < 0) return std::nullopt;
  return found->template get<T>();
}

std::string text(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::string line_of(const JobKey& job, const RunPoint& point) {
  Json json{{"directory", job.directory}, {"script", job.script}, {"gpu", job.gpu}, {"simulated", job.simulated}};
  put(json, "parameters", job.parameters);
  json["batch"] = point.batch;
  put(json, "workers", point.workers);
  if (point.precision) json["precision"] = to_string(*point.precision);
  put(json, "samples_per_second", point.samples_per_second);
  if (point.peak_memory) json["peak_memory"] = point.peak_memory->value();
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

JobKey job_in(const Json& json) {
  return {text(json, "directory"), text(json, "script"), text(json, "gpu"),
          json.value("simulated", Json{}) == Json(true), number<std::uint64_t>(json, "parameters")};
}

RunPoint point_in(const Json& json) {
  RunPoint point;
  point.batch = number<std::uint64_t>(json, "batch").value_or(0);
  point.workers = number<unsigned>(json, "workers");
  point.precision = parse_precision(text(json, "precision"));
  point.samples_per_second = number<double>(json, "samples_per_second");
  if (const auto bytes = number<std::uint64_t>(json, "peak_memory")) point.peak_memory = Bytes{*bytes};
  return point;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

bool JobKey::fits(const JobKey& other) const {
  const bool same_model = !parameters || !other.parameters || is_same_count(*parameters, *other.parameters);
  return directory == other.directory && script == other.script && gpu == other.gpu && simulated == other.simulated &&
         same_model;
}

std::string script_of(const std::vector<std::string>& argv) {
  for (std::size_t i = 0; i < argv.size(); ++i) {
    if (argv[i].ends_with(".py")) return argv[i];
    if (argv[i] == "-m" && i + 1 < argv.size()) return argv[i + 1];
  }
  return argv.empty() ? std::string{} : argv.front();
}

std::vector<RunPoint> runs_in(std::string_view text, const JobKey& job) {
  std::vector<RunPoint> points;
  for (const auto line : lines_of(text)) {
    const auto json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !job.fits(job_in(json))) continue;
    const auto point = point_in(json);
    if (point.batch == 0) continue;
    std::erase_if(points, [&](const RunPoint& known) { return known.same_settings(point); });
    points.push_back(point);
  }
  return points;
}

std::string with_run(std::string_view text, const JobKey& job, const RunPoint& point) {
  const auto lines = lines_of(text);
  std::string all;
  for (std::size_t i = lines.size() >= kMostLines ? lines.size() - kMostLines + 1 : 0; i < lines.size(); ++i) {
    (all += lines[i]) += '\n';
  }
  return all + line_of(job, point) + '\n';
}

std::vector<RunPoint> RunLedger::points(const JobKey& job) const {
  const auto text = read_text_file(path_, kMostBytes);
  return text ? runs_in(*text, job) : std::vector<RunPoint>{};
}

Status RunLedger::add(const JobKey& job, const RunPoint& point) const {
  const auto text = read_text_file(path_, kMostBytes);
  return replace_text_file(path_, with_run(text ? std::string_view{*text} : std::string_view{}, job, point));
}

}  // namespace gputop

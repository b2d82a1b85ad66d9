#include "gputop/fleet/api.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/core/json_limits.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::fleet {
namespace {

using Answer = nlohmann::json;

Error no_prometheus(std::string_view json) {
  const auto begin = printable(slice(json, 0, 80));
  return {Error::Kind::kInvalid, "this is not a Prometheus: the answer begins with \"" + begin + "\""};
}

// The "result" of an answer of this type.
Result<Answer> result_of(std::string_view text, std::string_view type) {
  if (json_asks_too_much(text)) return no_prometheus(text);
  auto json = Answer::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("status")) return no_prometheus(text);
  if (json["status"] != "success") {
    const auto why = json.value("error", std::string{"no reason given"});
    return Error{Error::Kind::kInvalid, "Prometheus refuses the query: " + printable(why)};
  }
  auto& data = json["data"];
  if (!data.is_object() || data.value("resultType", "") != type || !data["result"].is_array()) return no_prometheus(text);
  return Answer(std::move(data["result"]));
}

// ["unix time", "value"]
Reading<double> number_in(const Answer& pair) {
  if (!pair.is_array() || pair.size() != 2 || !pair[1].is_string()) return std::nullopt;
  const auto& text = pair[1].get_ref<const std::string&>();
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr double kLargest = 1e18;  // nothing that is asked for comes near; DCGM's blanks are beyond
  const bool whole = problem == std::errc{} && end == text.data() + text.size();
  if (!whole || !(std::abs(value) < kLargest)) return std::nullopt;
  return value;
}

}  // namespace

Result<std::vector<Sample>> read_vector(std::string_view json) {
  const auto result = result_of(json, "vector");
  if (!result) return result.error();
  std::vector<Sample> samples;
  samples.reserve(result->size());
  for (const auto& entry : *result) {
    if (!entry.is_object() || !entry.contains("metric") || !entry.contains("value")) continue;
    const auto value = number_in(entry["value"]);
    if (!value || !entry["metric"].is_object()) continue;
    Sample sample{.labels = {}, .value = *value};
    for (const auto& [name, text] : entry["metric"].items()) {
      if (text.is_string()) sample.labels.emplace_back(name, printable(text.get_ref<const std::string&>()));
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

Result<Series> read_range(std::string_view json) {
  const auto result = result_of(json, "matrix");
  if (!result) return result.error();
  Series series;
  if (result->empty() || !(*result)[0].is_object() || !(*result)[0].contains("values")) return series;
  for (const auto& pair : (*result)[0]["values"]) {
    const auto value = number_in(pair);
    if (value && pair[0].is_number()) series.points.push_back({pair[0].get<double>(), *value});
  }
  return series;
}

}  // namespace gputop::fleet

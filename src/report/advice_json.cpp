#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "gputop/advisor/each_fact.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/report/advice.hpp"
#include "report/json_values.hpp"

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;

// A knob's value as a number or a boolean if it is one; null if it is unknown.
Json value_of(const std::string& text) {
  if (text.empty()) return nullptr;
  if (text == "true") return true;
  if (text == "false") return false;
  const auto* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto parsed = std::from_chars(text.data(), end, whole); parsed.ec == std::errc{} && parsed.ptr == end)
    return whole;
  double number = 0;
  if (const auto parsed = std::from_chars(text.data(), end, number); parsed.ec == std::errc{} && parsed.ptr == end)
    return number;
  return text;
}

// Four significant digits are more precise than any of these values.
double without_noise(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 3).ptr;
  double result = value;
  std::from_chars(text.data(), end, result);
  return result;
}

Json number_of(double value) {
  const double whole = static_cast<double>(saturate<std::int64_t>(value));
  if (whole == value && value > -1e15 && value < 1e15) return saturate<std::int64_t>(value);
  return value < 1e6 && value > -1e6 ? without_noise(value) : value;
}

Json finding_json(const Finding& finding) {
  Json evidence = Json::array();
  for (const auto& item : finding.evidence) {
    evidence.push_back({{"metric", item.metric}, {"value", number_of(item.value)}, {"unit", item.unit}});
  }
  Json changes = Json::array();
  for (const auto& change : finding.changes) {
    changes.push_back({{"knob", change.knob}, {"from", value_of(change.from)}, {"to", value_of(change.to)}});
  }
  Json json{{"id", finding.id},       {"severity", to_string(finding.severity)},
            {"title", finding.title}, {"why", finding.why},
            {"evidence", evidence},   {"changes", changes}};
  if (finding.speedup) {
    json["expected_speedup"] = {without_noise(finding.speedup->low), without_noise(finding.speedup->high)};
  } else {
    json["expected_speedup"] = nullptr;
  }
  json["confidence"] = without_noise(finding.confidence);
  json["expected_utilization_percent"] = nullptr;
  if (finding.busy)
    json["expected_utilization_percent"] = {without_noise(finding.busy->low * 100),
                                            without_noise(finding.busy->high * 100)};
  json["run_time_seconds"] = nullptr;
  json["expected_run_time_seconds"] = nullptr;
  if (finding.run_time) {
    const auto seconds = [](Duration time) { return without_noise(to_seconds(time)); };
    json["run_time_seconds"] = seconds(finding.run_time->now);
    json["expected_run_time_seconds"] = {seconds(finding.run_time->low), seconds(finding.run_time->high)};
  }
  return json;
}

Json fact_value(bool value) {
  return value;
}
Json fact_value(double value) {
  return number_of(value);
}
Json fact_value(std::uint64_t value) {
  return value;
}
Json fact_value(unsigned value) {
  return value;
}
Json fact_value(const std::string& value) {
  return value;
}
Json fact_value(Bytes value) {
  return value.value();
}
Json fact_value(Duration value) {
  return without_noise(to_seconds(value));
}
template <class T>
Json fact_value(T value) {
  return to_string(value);
}

// What is known about the run, its source and its age. Times are in seconds, sizes in bytes.
Json facts_json(const Facts& facts) {
  Json list = Json::array();
  // Outside the visitor, which is instantiated for each type of fact.
  const auto add = [&](const char* name, Json value, FactSource source, Instant at) {
    Json fact = Json::object();
    fact["name"] = name;
    fact["value"] = std::move(value);
    fact["source"] = to_string(source);
    fact["age_seconds"] = without_noise(to_seconds(facts.now - at));
    list.push_back(std::move(fact));
  };
  each_fact(facts, [&](const char* name, const auto& fact) {
    if (fact) add(name, fact_value(fact->value), fact->source, fact->at);
  });
  return list;
}

Json signs_json(const std::vector<Sign>& signs) {
  Json list = Json::array();
  for (const auto& sign : signs)
    list.push_back({{"about", sign.about}, {"state", to_string(sign.kind)}, {"text", sign.text}});
  return list;
}

Json options_json(const std::vector<Option>& options) {
  Json list = Json::array();
  for (const auto& option : options) list.push_back({{"id", option.id}, {"text", option.text}});
  return list;
}

Json disagreements_json(const Facts& facts) {
  Json list = Json::array();
  for (const auto& each : facts.disagreements)
    list.push_back({{"fact", each.fact}, {"taken", each.taken}, {"other", each.other}});
  return list;
}

}  // namespace

std::string advice_json(const Advice& advice, const Facts& facts) {
  Json list = Json::array();
  for (const auto& finding : advice.findings) list.push_back(finding_json(finding));
  Json end{{"kind", nullptr}, {"detail", nullptr}};
  if (facts.has_run) end = {{"kind", to_string(facts.end.kind)}, {"detail", facts.end.detail}};
  const Json json{{"schema", "gputop.advice/1"},
                  {"bottleneck", to_string(advice.diagnosis.bottleneck)},
                  {"advice", list},
                  {"end", end},
                  {"signs", signs_json(advice.signs)},
                  {"options", options_json(advice.options)},
                  {"progress", report::progress_json(facts)},
                  {"metrics", report::metrics_json(facts.metrics)},
                  {"facts", facts_json(facts)},
                  {"disagreements", disagreements_json(facts)}};
  return harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace gputop

// gpustat --json: one object per reading. Files with the GPUs extracted have one object per GPU.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/json_limits.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

using Json = nlohmann::json;

// Removes the next whole {…} from the text and returns it; "" if there is none.
std::string_view next_object(std::string_view& text) {
  const auto begin = text.find('{');
  if (begin == std::string_view::npos) return {};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = char_at(text, i);
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      const auto object = slice(text, begin, i + 1 - begin);
      skip_front(text, i + 1);
      return object;
    }
  }
  return {};
}

template <class Quantity>
void take(const Json& json, const char* name, Reading<Quantity>& reading, double factor = 1) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number()) return;
  const double value = found->get<double>() * factor;
  if (value >= 0 && value < 1e18) reading = Quantity{static_cast<typename Quantity::rep>(value)};
}

std::string text_of(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? printable(found->get<std::string>()) : std::string{};
}

LogReading reading_of(const Json& json, unsigned position) {
  constexpr double kMebibyte = 1024 * 1024;
  LogReading reading;
  auto& gpu = reading.gpu;
  const auto index = json.find("index");
  gpu.index = index != json.end() && index->is_number_unsigned() ? index->get<unsigned>() : position;
  gpu.name = text_of(json, "name");
  gpu.uuid = text_of(json, "uuid");
  take(json, "utilization.gpu", gpu.utilization);
  take(json, "utilization.enc", gpu.encoder);
  take(json, "utilization.dec", gpu.decoder);
  take(json, "temperature.gpu", gpu.temperature);
  take(json, "fan.speed", gpu.fan);
  take(json, "power.draw", gpu.power);
  take(json, "enforced.power.limit", gpu.power_limit);
  take(json, "memory.used", gpu.memory_used, kMebibyte);
  take(json, "memory.total", gpu.memory_total, kMebibyte);
  return reading;
}

}  // namespace

// After a "[": an array of objects, not "[N/A]".
bool is_gpustat_json(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (char_at(text, begin) != '{' && char_at(text, begin) != '[')) return false;
  if (char_at(text, begin) == '{') return true;
  const auto next = text.find_first_not_of(" \t\r\n", begin + 1);
  return next != std::string_view::npos && (char_at(text, next) == '{' || char_at(text, next) == ']');
}

Result<SmiLog> read_gpustat_json(std::string_view text, std::string_view file) {
  LogStream stream;
  std::string hostname;
  std::string driver;
  std::size_t odd = 0;
  std::vector<LogReading> bare;
  std::map<std::string, unsigned> numbers;  // for GPUs without one
  const auto finish_bare = [&] { stream.add(std::nullopt, std::exchange(bare, {})); };
  for (auto object = next_object(text); !object.empty(); object = next_object(text)) {
    const auto json = json_asks_too_much(object) ? Json{} : Json::parse(object, nullptr, false);
    if (json.is_object() && json.contains("utilization.gpu")) {
      const auto number =
          numbers.try_emplace(text_of(json, "uuid"), static_cast<unsigned>(numbers.size())).first->second;
      auto gpu = reading_of(json, number);
      if (std::any_of(bare.begin(), bare.end(), [&](const auto& known) { return known.gpu.index == gpu.gpu.index; }))
        finish_bare();
      bare.push_back(std::move(gpu));
      continue;
    }
    const auto gpus = json.is_object() ? json.find("gpus") : json.end();
    if (!json.is_object() || gpus == json.end() || !gpus->is_array()) {
      ++odd;
      continue;
    }
    std::vector<LogReading> round;
    for (const auto& gpu : *gpus) {
      if (gpu.is_object()) round.push_back(reading_of(gpu, static_cast<unsigned>(round.size())));
    }
    if (hostname.empty()) hostname = text_of(json, "hostname");
    if (driver.empty()) driver = text_of(json, "driver_version");
    stream.add(smi::parse_time(text_of(json, "query_time")), std::move(round));
  }
  finish_bare();
  const bool cut = text.find('{') != std::string_view::npos;
  if (stream.rounds() == 0) {
    return Error{Error::Kind::kInvalid,
                 std::string{file} + (cut ? ": JSON that is cut off before its first reading ends"
                                          : ": JSON, but holds no readings of gpustat --json (objects with “gpus”)")};
  }
  auto log = stream.finish("gpustat log", hostname, driver);
  if (odd > 0)
    log.notes.push_back(std::to_string(odd) + (odd == 1 ? " object" : " objects") + " without “gpus” left out");
  if (cut) log.notes.emplace_back("the last object is cut off and was left out");
  return log;
}

}  // namespace gputop::gpu_log

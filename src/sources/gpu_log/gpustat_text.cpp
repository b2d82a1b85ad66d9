// gpustat's text: "host  Wed May  1 12:00:00 2024  535.104", then "[0] Name | 31'C,  97 % |  1024 / 24564 MB |" for
// each GPU, optionally with fan, encoders and power (-F, -e, -P).
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

std::optional<unsigned> number_in_brackets(std::string_view text) {
  unsigned number = 0;
  const auto end = text.find(']');
  if (!text.starts_with('[') || end == std::string_view::npos) return std::nullopt;
  const auto inner = trimmed(slice(text, 1, end - 1));
  const auto parsed = std::from_chars(inner.data(), inner.data() + inner.size(), number);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr == inner.data() + inner.size();
  return whole && number < 1024 ? std::optional{number} : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char sign) {
  std::vector<std::string_view> parts;
  while (parts.size() < 32) {
    const auto at = text.find(sign);
    parts.push_back(trimmed(slice(text, 0, at)));
    if (at == std::string_view::npos) break;
    skip_front(text, at + 1);
  }
  return parts;
}

// "  1024 / 24564 MB"
bool put_memory(LogReading& reading, std::string_view text) {
  const auto parts = split(text, '/');
  if (parts.size() != 2 || !parts[1].ends_with("MB")) return false;
  reading.put("memory_used", parts[0]);
  reading.put("memory_total", trimmed(slice(parts[1], 0, parts[1].size() - 2)));
  return true;
}

// "31'C,  30 %,  97 % (E:   0 %  D:   0 %),  120 / 250 W": of two percentages, the first is the fan.
bool put_state(LogReading& reading, std::string_view text) {
  if (const auto codec = text.find('('); codec != std::string_view::npos) {
    const auto end = std::min(text.find(')', codec), text.size() - 1);
    const std::string rest = std::string{slice(text, 0, codec)} + std::string{slice(text, end + 1)};
    return put_state(reading, rest);
  }
  bool warmth = false;
  std::vector<std::string_view> shares;
  for (const auto part : split(text, ',')) {
    if (part.ends_with('C') && part.size() > 1) {
      auto number = slice(part, 0, part.find_first_not_of("0123456789?"));
      reading.put("temperature_gpu", number);
      warmth = true;
    } else if (part.ends_with('%')) {
      shares.push_back(trimmed(slice(part, 0, part.size() - 1)));
    } else if (part.ends_with('W')) {
      const auto power = split(slice(part, 0, part.size() - 1), '/');
      reading.put("power_draw", power[0]);
      if (power.size() > 1) reading.put("power_limit", power[1]);
    }
  }
  if (shares.size() == 2) reading.put("fan_speed", shares[0]);
  if (!shares.empty()) reading.put("utilization_gpu", shares.back());
  return warmth && !shares.empty();
}

std::optional<LogReading> gpustat_row(std::string_view line) {
  const auto text = trimmed(line);
  const auto index = number_in_brackets(text);
  if (!index) return std::nullopt;
  const auto cells = split(slice(text, text.find(']') + 1), '|');
  if (cells.size() < 3) return std::nullopt;
  LogReading reading;
  reading.gpu.index = *index;
  reading.gpu.name = printable(std::string{cells[0]});
  if (!put_state(reading, cells[1]) || !put_memory(reading, cells[2])) return std::nullopt;
  return reading;
}

// "host  Wed May  1 12:00:00 2024  535.104.05": the date is in its middle.
struct Head {
  std::string host;
  std::string driver;
  std::optional<WallTime> time;
};
std::optional<Head> gpustat_head(std::string_view line) {
  const auto words = words_of(line);
  for (const std::size_t first : {1U, 0U}) {
    if (words.size() < first + 4) continue;
    for (const std::size_t count : {5U, 4U, 2U}) {  // words of a date: with weekday and year, or ISO
      if (words.size() < first + count || words.size() > first + count + 1) continue;
      const auto* end = words[first + count - 1].data() + words[first + count - 1].size();
      const std::string_view date{words[first].data(), static_cast<std::size_t>(end - words[first].data())};
      auto time = smi::time_line(date);
      if (!time) continue;
      Head head{.host = first > 0 ? std::string{words[0]} : "", .driver = {}, .time = time};
      if (words.size() > first + count) head.driver = std::string{words[first + count]};
      return head;
    }
  }
  return std::nullopt;
}

// The hosts that the log names. With several, GPUs are numbered in order of appearance.
std::set<std::string> hosts_of(std::string_view text) {
  std::set<std::string> hosts;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (line.find('|') != std::string_view::npos) continue;
    if (const auto head = gpustat_head(line); head && !head->host.empty()) hosts.insert(head->host);
  }
  return hosts;
}

}  // namespace

bool is_gpustat_text(std::string_view text) {
  for (auto at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    if (at + 2 >= text.size() || char_at(text, at + 1) < '0' || char_at(text, at + 1) > '9') continue;
    auto rest = slice(text, at, 512);
    if (gpustat_row(next_line(rest))) return true;
  }
  return false;
}

Result<SmiLog> read_gpustat_text(std::string_view text, std::string_view file) {
  Rounds rounds;
  smi::LineClock clock;
  std::string host;
  std::string driver;
  const bool several = hosts_of(text).size() > 1;
  std::string whose;
  std::optional<WallTime> last;
  std::map<std::pair<std::string, unsigned>, unsigned> numbers;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (auto reading = gpustat_row(line)) {
      if (several)
        reading->gpu.index =
            numbers.try_emplace({whose, reading->gpu.index}, static_cast<unsigned>(numbers.size())).first->second;
      rounds.add(*std::move(reading));
    } else if (const auto time = clock.read(line)) {
      rounds.at(time);
    } else if (const auto head = gpustat_head(line)) {
      // Several hosts that answered in the same second are one round.
      if (!several || head->time != last) rounds.at(head->time);
      last = head->time;
      whose = head->host;
      if (host.empty()) host = printable(head->host);
      if (driver.empty()) driver = printable(head->driver);
    }
  }
  rounds.finish_round();
  if (rounds.stream().rounds() == 0)
    return Error{Error::Kind::kInvalid, std::string{file} + ": holds no line of gpustat that can be read"};
  return rounds.stream().finish("gpustat log", host, driver);
}

}  // namespace gputop::gpu_log

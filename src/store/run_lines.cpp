#include "store/run_lines.hpp"

#include <algorithm>
#include <iterator>

#include "gputop/lens/message.hpp"

namespace gputop::store {
namespace {

// Rates are computed over twenty seconds, so two ticks must fit into that. Beyond the first few processes (rank 0 is
// one of them), only their existence matters.
constexpr Duration kBetween = std::chrono::seconds{8};
constexpr Duration kBetweenOthers = std::chrono::seconds{60};
constexpr std::size_t kFirst = 2;
constexpr std::string_view kAlwaysWanted[] = {"rror", "RROR", "emory", "xception", "arning", "illed", "batch"};

// `{"of":26767,…`
std::optional<std::int64_t> speaker(std::string_view value) {
  Scanner in{value};
  std::string_view key;
  std::int64_t pid = 0;
  if (!in.take('{') || !in.read_key(key) || key != "of" || !in.read(pid)) return std::nullopt;
  return pid;
}

}  // namespace

std::optional<OutputWritten> read_output_value(std::string_view value) {
  Scanner in{value};
  OutputWritten output;
  std::string_view key;
  std::uint64_t stream = 0;
  if (!in.take('{') || !in.read_key(key) || key != "stream" || !in.read(stream) || stream > 9) return std::nullopt;
  if (!in.take(',') || !in.read_key(key) || key != "offset" || !in.read(output.offset)) return std::nullopt;
  if (!in.take(',') || !in.read_key(key) || key != "text" || !in.read(output.bytes)) return std::nullopt;
  if (!in.take('}') || !in.at_end()) return std::nullopt;
  output.stream = static_cast<unsigned>(stream);
  return output;
}

std::optional<LensReported> read_lens_value(std::string_view kind, std::string_view value) {
  const auto pid = speaker(value);
  if (!pid) return std::nullopt;
  auto message = read_lens_message(kind, value);
  if (!message) return std::nullopt;
  return LensReported{*pid, *std::move(message)};
}

bool SpokenThinner::wants_tick(std::string_view value, Instant at) {
  const auto pid = speaker(value);
  if (!pid) return true;
  const auto known = ticks_.find(*pid);
  if (known == ticks_.end()) {
    ticks_.emplace(*pid, at);
    return true;
  }
  const auto position = static_cast<std::size_t>(std::distance(ticks_.begin(), known));
  if (at - known->second < (position < kFirst ? kBetween : kBetweenOthers)) return false;
  known->second = at;
  return true;
}

bool SpokenThinner::wants_output(std::string_view value, Instant at) {
  const bool due = !output_ || at - *output_ >= output_spacing_;
  if (due) output_ = at;
  return due || std::any_of(std::begin(kAlwaysWanted), std::end(kAlwaysWanted),
                            [&](auto word) { return value.find(word) != std::string_view::npos; });
}

}  // namespace gputop::store

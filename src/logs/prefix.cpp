#include "logs/prefix.hpp"

#include <array>

#include "logs/text.hpp"

namespace gputop::logs {
namespace {

constexpr int kMostPrefixes = 10;
constexpr unsigned kMostRanks = 100'000;

constexpr std::array<std::string_view, 9> kLevels{"INFO",     "WARNING", "WARN",   "DEBUG", "ERROR",
                                                  "CRITICAL", "FATAL",   "NOTICE", "TRACE"};

Reading<unsigned> rank_of(std::string_view digits) {
  const auto number = leading_number(digits);
  if (!number || !number->whole || number->length != digits.size() || number->value < 0 || number->value > kMostRanks)
    return std::nullopt;
  return static_cast<unsigned>(number->value);
}

// "rank0", "Rank 0", "default0", "RANK: 3", "gpu1".
Reading<unsigned> named_rank(std::string_view text) {
  for (const std::string_view name : {"rank", "default", "gpu"}) {
    if (text.size() <= name.size() || !same_word(text.substr(0, name.size()), name)) continue;
    text.remove_prefix(name.size());
    while (!text.empty() && (text.front() == ' ' || text.front() == ':' || text.front() == '=' || text.front() == '-'))
      text.remove_prefix(1);
    return rank_of(text.substr(0, text.find('/')));
  }
  return std::nullopt;
}

std::size_t level_length(std::string_view text) {
  for (const auto level : kLevels) {
    if (text.size() >= level.size() && same_word(text.substr(0, level.size()), level) &&
        (text.size() == level.size() || !is_alnum(text[level.size()]))) {
      return level.size();
    }
  }
  return 0;
}

// "2024-01-01 12:00:00,123", "12:00:00", "01/02 12:00:00", "2024-01-01T12:00:00Z": its length, or 0.
std::size_t time_length(std::string_view text) {
  std::size_t at = 0;
  bool date = false;
  const auto digits = [&] {
    std::size_t count = 0;
    while (at + count < text.size() && is_digit(text[at + count])) ++count;
    return count;
  };
  const auto first = digits();
  if (first == 0) return 0;
  if (at + first < text.size() && (text[at + first] == '-' || text[at + first] == '/' || text[at + first] == '.') &&
      (first == 4 || first == 2)) {
    const char mark = text[at + first];
    std::size_t parts = 0;
    auto end = at;
    while (parts < 3) {
      at = end;
      const auto count = digits();
      if (count == 0 || (parts > 0 && count != 2 && count != 4)) break;
      end = at + count;
      ++parts;
      if (end >= text.size() || text[end] != mark || parts == 3) break;
      ++end;
    }
    date = parts == 3 || (parts == 2 && first == 2 && mark != '.' && end < text.size() && text[end] == ' ');
    if (!date) return 0;
    at = end;
    if (at < text.size() && (text[at] == ' ' || text[at] == 'T' || text[at] == ',')) ++at;
  }
  const auto clock = leading_clock(text.substr(at));
  const bool three_parts = clock.length >= 7;
  if (!three_parts) return date && first == 4 ? at : 0;
  at += clock.length;
  if (at < text.size() && text[at] == ',') {
    ++at;
    at += digits();
  }
  while (at < text.size() && (text[at] == 'Z' || (text[at] == '+' && at + 1 < text.size() && is_digit(text[at + 1]))))
    at = text.find_first_of(" ]|", at) == std::string_view::npos ? text.size() : text.find_first_of(" ]|", at);
  return at;
}

bool is_logger_note(std::string_view inner) {
  return level_length(inner) > 0 || time_length(inner) > 0 || contains(inner, ".py:") || contains(inner, ".py ") ||
         inner == "titan" || inner == "root" || (contains(inner, "pid=") && !contains(inner, "loss"));
}

// Whether the words at the front count something by themselves.
bool names_progress(std::string_view text) {
  const auto front = trimmed(text).substr(0, 6);
  for (const std::string_view word : {"epoch", "step", "iter", "batch"}) {
    if (same_word(front.substr(0, word.size()), word)) return true;
  }
  return false;
}

// "[…]" or "(…)" at the front; true when it was a prefix and is gone.
bool strip_group(std::string_view& text, Reading<unsigned>& rank, bool first) {
  const char close = text.front() == '[' ? ']' : ')';
  const auto end = text.find(close);
  if (end == std::string_view::npos || end > 80) return false;
  const auto inner = trimmed(text.substr(1, end - 1));
  auto rest = text.substr(end + 1);
  if (auto named = named_rank(inner); named && close == ']') {
    rank = named;
  } else if (const auto comma = inner.find(',');
             close == ']' && comma != std::string_view::npos && rest.starts_with("<std")) {
    rank = rank_of(inner.substr(comma + 1));
    rest.remove_prefix(std::min(rest.size(), rest.find('>') + 1));
  } else if (auto plain = rank_of(inner); plain && close == ']' && rest.starts_with(':')) {
    rank = plain;
  } else if (const auto slash = inner.find('/'); close == ')' && !first && slash != std::string_view::npos &&
                                                 names_progress(rest)) {  // "(0/4) Epoch 3, batch 1200"
    const auto index = rank_of(inner.substr(0, slash));
    const auto world = rank_of(inner.substr(slash + 1));
    if (!index || !world || *index >= *world) return false;
    rank = index;
  } else if (!is_logger_note(inner)) {
    return false;
  }
  if (rest.starts_with(':')) rest.remove_prefix(1);
  text = rest;
  return true;
}

// "I0101 12:00:00.123456 140000 file.py:123] ": glog and absl.
bool strip_glog(std::string_view& text) {
  if (text.size() < 6 || !contains("IWEF", text.substr(0, 1)) || !is_digit(text[1]) || !is_digit(text[2]) ||
      !is_digit(text[3]) || !is_digit(text[4]))
    return false;
  const auto end = text.find("] ");
  if (end == std::string_view::npos || end > 80) return false;
  text.remove_prefix(end + 2);
  return true;
}

// A logger's name: only where a level stands behind it ("root - INFO - ") or a place within the source does.
bool strip_name(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && (is_alnum(text[end]) || contains("_.:<>", text.substr(end, 1)))) ++end;
  if (end == 0 || end > 60) return false;
  auto rest = text.substr(end);
  const auto name = text.substr(0, end);
  // "train.py:123", "__main__:train:45"; "step:5" is none.
  const auto colon = name.find(':');
  const bool place = colon != std::string_view::npos && is_digit(name.back()) &&
                     (contains(name.substr(0, colon), ".") || name.rfind(':') != colon);
  if (place && rest.starts_with("] ")) rest.remove_prefix(1);  // "metrics.py:341] "
  if (!rest.starts_with(' ')) return false;
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '-' || rest.front() == '|')) rest.remove_prefix(1);
  if (!place && level_length(rest) == 0) return false;
  text = rest;
  return true;
}

bool strip_level(std::string_view& text) {
  const auto length = level_length(text);
  if (length == 0 || length == text.size()) return false;
  auto rest = text.substr(length);
  if (rest.front() == ':') {  // "INFO:root:", "INFO:tensorflow:"
    rest.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest.size() && (is_alnum(rest[end]) || rest[end] == '_' || rest[end] == '.')) ++end;
    if (end > 0 && end < rest.size() && rest[end] == ':') rest.remove_prefix(end + 1);
  } else if (!contains(" -|\t", rest.substr(0, 1))) {
    return false;
  }
  text = rest;
  return true;
}

// "0: " of srun -l, "rank0: ".
bool strip_bare_rank(std::string_view& text, Reading<unsigned>& rank) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos || colon > 9 || colon + 2 >= text.size() || text[colon + 2] == ' ' ||
      is_digit(text[colon + 2]))
    return false;
  const auto word = text.substr(0, colon);
  auto found = word.size() <= 3 ? rank_of(word) : Reading<unsigned>{};
  if (!found && same_word(word.substr(0, 4), "rank")) found = named_rank(word);
  if (!found) return false;
  rank = found;
  text.remove_prefix(colon + 2);
  return true;
}

bool strip_one(std::string_view& text, Reading<unsigned>& rank, bool first) {
  if (text.empty()) return false;
  if (text.front() == '[' || text.front() == '(') return strip_group(text, rank, first);
  if (const auto length = time_length(text); length > 0) {
    text.remove_prefix(length);
    return true;
  }
  if (strip_glog(text) || strip_level(text)) return true;
  if (first) return strip_bare_rank(text, rank) || strip_name(text);
  for (const std::string_view mark : {"- ", "| ", ">> ", ": ", "<stdout>:", "<stderr>:"}) {
    if (!text.starts_with(mark)) continue;
    text.remove_prefix(mark.size());
    return true;
  }
  return strip_name(text);
}

}  // namespace

Prefixed without_prefix(std::string_view line) {
  Prefixed result{line, std::nullopt};
  auto text = line;
  for (int i = 0; i < kMostPrefixes; ++i) {
    auto next = text;
    while (!next.empty() && next.front() == ' ') next.remove_prefix(1);
    if (!strip_one(next, result.rank, i == 0)) break;
    text = next;
  }
  result.text = text;
  return result;
}

}  // namespace gputop::logs

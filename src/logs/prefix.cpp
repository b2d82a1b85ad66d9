#include "logs/prefix.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"

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
  return saturate<unsigned>(number->value);
}

// "rank0", "Rank 0", "default0", "RANK: 3", "gpu1".
Reading<unsigned> named_rank(std::string_view text) {
  for (const std::string_view name : {"rank", "default", "gpu"}) {
    if (text.size() <= name.size() || !same_word(slice(text, 0, name.size()), name)) continue;
    skip_front(text, name.size());
    while (!text.empty() &&
           (first_char(text) == ' ' || first_char(text) == ':' || first_char(text) == '=' || first_char(text) == '-'))
      skip_front(text, 1);
    return rank_of(slice(text, 0, text.find('/')));
  }
  return std::nullopt;
}

std::size_t level_length(std::string_view text) {
  for (const auto level : kLevels) {
    if (text.size() >= level.size() && same_word(slice(text, 0, level.size()), level) &&
        (text.size() == level.size() || !is_alnum(char_at(text, level.size())))) {
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
    while (at + count < text.size() && is_digit(char_at(text, at + count))) ++count;
    return count;
  };
  const auto first = digits();
  if (first == 0) return 0;
  if (at + first < text.size() &&
      (char_at(text, at + first) == '-' || char_at(text, at + first) == '/' || char_at(text, at + first) == '.') &&
      (first == 4 || first == 2)) {
    const char mark = char_at(text, at + first);
    std::size_t parts = 0;
    auto end = at;
    while (parts < 3) {
      at = end;
      const auto count = digits();
      if (count == 0 || (parts > 0 && count != 2 && count != 4)) break;
      end = at + count;
      ++parts;
      if (end >= text.size() || char_at(text, end) != mark || parts == 3) break;
      ++end;
    }
    date = parts == 3 || (parts == 2 && first == 2 && mark != '.' && end < text.size() && char_at(text, end) == ' ');
    if (!date) return 0;
    at = end;
    if (at < text.size() && (char_at(text, at) == ' ' || char_at(text, at) == 'T' || char_at(text, at) == ',')) ++at;
  }
  const auto clock = leading_clock(slice(text, at));
  const bool three_parts = clock.length >= 7;
  if (!three_parts) return date && first == 4 ? at : 0;
  at += clock.length;
  if (at < text.size() && char_at(text, at) == ',') {
    ++at;
    at += digits();
  }
  while (at < text.size() && (char_at(text, at) == 'Z' ||
                              (char_at(text, at) == '+' && at + 1 < text.size() && is_digit(char_at(text, at + 1)))))
    at = text.find_first_of(" ]|", at) == std::string_view::npos ? text.size() : text.find_first_of(" ]|", at);
  return at;
}

// "Sun Oct 29 17:00:03 2023"
bool is_date_in_words(std::string_view text) {
  constexpr std::array<std::string_view, 7> kDays{"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};
  const auto colon = text.find(':');
  return colon != std::string_view::npos && colon >= 2 && leading_clock(slice(text, colon - 2)).length >= 7 &&
         std::any_of(kDays.begin(), kDays.end(), [&](auto day) { return text.starts_with(day); });
}

// "pkg.callback.progress": a module's name.
bool is_module(std::string_view inner) {
  return contains(inner, ".") && is_alpha(first_char(inner)) && is_alpha(last_char(inner)) &&
         std::all_of(inner.begin(), inner.end(), [](char c) { return is_alnum(c) || c == '_' || c == '.'; });
}

bool is_known_name(std::string_view inner) {
  return inner == "titan" || inner == "root" || same_word(inner, "stdout") || same_word(inner, "stderr");
}

bool is_logger_note(std::string_view inner) {
  return is_module(inner) || level_length(inner) > 0 || time_length(inner) > 0 || is_date_in_words(inner) ||
         contains(inner, ".py:") || contains(inner, ".py ") || is_known_name(inner) ||
         (contains(inner, "pid=") && !contains(inner, "loss"));
}

// Whether the words at the front count something by themselves.
bool names_progress(std::string_view text) {
  const auto front = slice(trimmed(text), 0, 6);
  for (const std::string_view word : {"epoch", "step", "iter", "batch"}) {
    if (same_word(slice(front, 0, word.size()), word)) return true;
  }
  return false;
}

// "[…]" or "(…)" at the front; true when it was a prefix and is gone.
bool strip_group(std::string_view& text, Reading<unsigned>& rank, bool first) {
  const char close = first_char(text) == '[' ? ']' : ')';
  const auto end = text.find(close);
  if (end == std::string_view::npos || end > 80) return false;
  const auto inner = trimmed(slice(text, 1, end - 1));
  auto rest = slice(text, end + 1);
  if (auto named = named_rank(inner); named && close == ']') {
    rank = named;
  } else if (const auto comma = inner.find(',');
             close == ']' && comma != std::string_view::npos && rest.starts_with("<std")) {
    rank = rank_of(slice(inner, comma + 1));
    skip_front(rest, rest.find('>') + 1);
  } else if (auto plain = rank_of(inner); plain && close == ']' && rest.starts_with(':')) {
    rank = plain;
  } else if (const auto wall = inner.find('|'); close == ']' && wall != std::string_view::npos && wall > 0 &&
                                                rest.starts_with(':') && is_alpha(first_char(inner)) &&
                                                rank_of(slice(inner, wall + 1))) {  // "[trainer0|1]:"
    rank = rank_of(slice(inner, wall + 1));
  } else if (const auto slash = inner.find('/'); close == ')' && !first && slash != std::string_view::npos &&
                                                 names_progress(rest)) {  // "(0/4) Epoch 3, batch 1200"
    const auto index = rank_of(slice(inner, 0, slash));
    const auto world = rank_of(slice(inner, slash + 1));
    if (!index || !world || *index >= *world) return false;
    rank = index;
  } else if (!is_logger_note(inner)) {
    return false;
  }
  if (rest.starts_with(':')) skip_front(rest, 1);
  text = rest;
  return true;
}

// "I0101 12:00:00.123456 140000 file.py:123] ": glog and absl.
bool strip_glog(std::string_view& text) {
  if (text.size() < 6 || !contains("IWEF", slice(text, 0, 1)) || !is_digit(char_at(text, 1)) ||
      !is_digit(char_at(text, 2)) || !is_digit(char_at(text, 3)) || !is_digit(char_at(text, 4)))
    return false;
  const auto end = text.find("] ");
  if (end == std::string_view::npos || end > 80) return false;
  skip_front(text, end + 2);
  return true;
}

// A blank or a mark that loggers put between the parts of a line.
bool skip_join(std::string_view& text) {
  for (const std::string_view mark : {" ", "\t", "-", "|", "\xE2\x80\x93", "\xE2\x80\x94"}) {
    if (!text.starts_with(mark)) continue;
    skip_front(text, mark.size());
    return true;
  }
  return false;
}

// A logger's name: only where a level stands behind it ("root - INFO - ") or a place within the source does.
bool strip_name(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && (is_alnum(char_at(text, end)) || contains("_.:<>", slice(text, end, 1)))) ++end;
  if (end == 0 || end > 60) return false;
  auto rest = slice(text, end);
  const auto name = slice(text, 0, end);
  // "train.py:123", "__main__:train:45"; "step:5" is none.
  const auto colon = name.find(':');
  const bool place = colon != std::string_view::npos && is_digit(last_char(name)) &&
                     (contains(slice(name, 0, colon), ".") || name.rfind(':') != colon);
  if (place && rest.starts_with("] ")) skip_front(rest, 1);  // "metrics.py:341] "
  if (!is_blank(first_char(rest))) return false;
  while (skip_join(rest)) continue;
  if (!place && level_length(rest) == 0) return false;
  if (name.ends_with("Error:") || name.ends_with("Exception:")) return false;  // "ValueError: Error while …"
  text = rest;
  return true;
}

// " - INFO - trainer - Starting epoch (1/2)": the logger's name behind the level.
void strip_name_behind_level(std::string_view& rest) {
  constexpr std::string_view kJoin = " - ";
  if (!rest.starts_with(kJoin)) return;
  auto end = kJoin.size();
  while (end < rest.size() && (is_alnum(char_at(rest, end)) || contains("_.", slice(rest, end, 1)))) ++end;
  const auto name = slice(rest, kJoin.size(), end - kJoin.size());
  const auto message = slice(rest, end);
  if (!message.starts_with(kJoin) || !is_alpha(char_at(message, kJoin.size()))) return;
  if (!is_alpha(first_char(name)) || is_step_word(name) || same_word(name, "epoch")) return;
  rest = message;
}

bool strip_level(std::string_view& text) {
  const auto length = level_length(text);
  if (length == 0 || length == text.size()) return false;
  auto rest = slice(text, length);
  if (first_char(rest) == ':') {  // "INFO:root:", "INFO:tensorflow:"
    skip_front(rest, 1);
    std::size_t end = 0;
    while (end < rest.size() &&
           (is_alnum(char_at(rest, end)) || contains("_.-", slice(rest, end, 1))))
      ++end;
    if (end > 0 && end < rest.size() && char_at(rest, end) == ':') skip_front(rest, end + 1);
  } else if (!contains(" -|\t", slice(rest, 0, 1)) && !rest.starts_with("\xE2\x80\x94")) {
    return false;
  } else {
    strip_name_behind_level(rest);
  }
  text = rest;
  return true;
}

// "0: " of srun -l, "rank0: ".
bool strip_bare_rank(std::string_view& text, Reading<unsigned>& rank) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos || colon > 9 || colon + 2 >= text.size() || char_at(text, colon + 2) == ' ' ||
      is_digit(char_at(text, colon + 2)))
    return false;
  const auto word = slice(text, 0, colon);
  auto found = word.size() <= 3 ? rank_of(word) : Reading<unsigned>{};
  if (!found && same_word(slice(word, 0, 4), "rank")) found = named_rank(word);
  if (!found) return false;
  rank = found;
  skip_front(text, colon + 2);
  return true;
}

// "trainer/0 [default2]:[rank2]: " of torchx: the name of a role and its replica.
bool strip_replica(std::string_view& text) {
  const auto slash = text.find('/');
  const auto blank = text.find(' ');
  if (slash == std::string_view::npos || blank == std::string_view::npos || slash > blank || blank > 40) return false;
  if (!is_alpha(first_char(text)) || !rank_of(slice(text, slash + 1, blank - slash - 1)) || !slice(text, blank + 1).starts_with('[')) return false;
  skip_front(text, blank + 1);
  return true;
}

bool strip_one(std::string_view& text, Reading<unsigned>& rank, bool first) {
  if (text.empty()) return false;
  if (first_char(text) == '[' || first_char(text) == '(') return strip_group(text, rank, first);
  if (const auto length = time_length(text); length > 0) {
    skip_front(text, length);
    return true;
  }
  if (strip_glog(text) || strip_level(text)) return true;
  if (first) return strip_bare_rank(text, rank) || strip_replica(text) || strip_name(text);
  for (const std::string_view mark :
       {"- ", "| ", ">> ", ": ", "\xE2\x80\x93 ", "\xE2\x80\x94 ", "<stdout>:", "<stderr>:"}) {
    if (!text.starts_with(mark)) continue;
    skip_front(text, mark.size());
    return true;
  }
  return strip_name(text);
}

// rich writes where a line comes from at its right edge: "…      trainer.py:604".
std::string_view without_place(std::string_view line) {
  auto end = line;
  while (!end.empty() && is_digit(last_char(end))) skip_back(end, 1);
  if (end.size() == line.size() || !end.ends_with(".py:")) return line;
  const auto begin = end.rfind("  ");
  if (begin == std::string_view::npos || contains(trimmed(slice(end, begin)), " ")) return line;
  end = slice(end, 0, begin);
  while (!end.empty() && is_blank(last_char(end))) skip_back(end, 1);
  return end;
}

}  // namespace

Prefixed without_prefix(std::string_view line) {
  line = without_place(line);
  Prefixed result{line, std::nullopt};
  auto text = line;
  for (int i = 0; i < kMostPrefixes; ++i) {
    auto next = text;
    while (!next.empty() && is_blank(first_char(next))) skip_front(next, 1);
    if (!strip_one(next, result.rank, i == 0)) break;
    text = next;
  }
  result.text = text;
  return result;
}

}  // namespace gputop::logs

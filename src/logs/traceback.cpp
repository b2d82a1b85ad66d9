#include "gputop/logs/traceback.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"
#include "logs/text.hpp"

namespace gputop::logs {
namespace {

constexpr int kMostLines = 2000;  // lines; a deep recursion has about 1000 frames
constexpr std::size_t kLongestMessage = 2000;

// `File "/home/ada/train.py", line 76, in train_one_epoch` → "train.py:76 in train_one_epoch"
std::string location_of(std::string_view line) {
  const auto file = between(line, "File \"", "\"");
  if (file.empty()) return {};
  const auto number = line.find("\", line ");
  if (number == std::string_view::npos) return {};
  const auto digits = leading_number(slice(line, number + 8));
  if (!digits) return {};
  const auto slash = file.find_last_of("/\\");
  std::string place{slice(file, slash == std::string_view::npos ? 0 : slash + 1)};
  place += ":" + std::string{slice(line, number + 8, digits->length)};
  if (const auto in = line.find(", in ", number); in != std::string_view::npos)
    place += " in " + std::string{trimmed(slice(line, in + 5, 80))};
  return place;
}

// "│ /home/ada/train.py:76 in train_one_epoch      │" → the same
std::string boxed_location(std::string_view line) {
  const auto colon = line.find(".py:");
  if (colon == std::string_view::npos) return {};
  auto place = slice(line, line.find_last_of(" /\\", colon) + 1);
  while (!place.empty() && !is_alnum(last_char(place)) && last_char(place) != '>' && last_char(place) != '_')
    skip_back(place, 1);
  return contains(place, " in ") ? std::string{slice(place, 0, 120)} : std::string{};
}

// "ValueError", "torch.cuda.OutOfMemoryError": how long the name is that the line begins with, or 0.
std::size_t name_length(std::string_view line) {
  std::size_t end = 0;
  std::size_t last = 0;
  while (end < line.size() &&
         (is_alnum(char_at(line, end)) || char_at(line, end) == '_' || char_at(line, end) == '.')) {
    if (char_at(line, end) == '.') last = end + 1;
    ++end;
  }
  if (end == 0 || last >= end || is_digit(char_at(line, 0))) return 0;
  const bool ends = end == line.size() || slice(line, end).starts_with(": ") || slice(line, end) == ":";
  const char first = char_at(line, last);
  return ends && first >= 'A' && first <= 'Z' ? end : 0;
}

constexpr std::string_view kBegin = "Traceback (most recent call last)";

// What somebody's logger has put before the first line: "[177/train/578 (pid 2893)] ". rich's box and the exception's
// name, as IPython writes it, are none.
std::string_view logged_before(std::string_view line) {
  const auto before = slice(line, 0, line.find(kBegin));
  const auto text = trimmed(before);
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; });
  return text.empty() || !ascii || name_length(text) > 0 || is_alpha(last_char(text)) ? std::string_view{} : before;
}

// The same but for its digits: a time, a line number.
bool is_alike(std::string_view text, std::string_view prefix) {
  if (prefix.empty() || text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    const char a = char_at(text, i);
    const char b = char_at(prefix, i);
    if (a != b && !(is_digit(a) && is_digit(b))) return false;
  }
  return true;
}

}  // namespace

std::optional<PythonException> TracebackReader::add(std::string_view line, bool& taken) {
  taken = false;
  if (is_alike(line, prefix_)) skip_front(line, prefix_.size());
  const auto text = trimmed(line);
  // rich draws a box around it, IPython writes the exception's name before it.
  if (contains(text, kBegin)) {
    active_ = true;
    lines_ = 0;
    location_.clear();
    if (const auto before = logged_before(line); !before.empty()) prefix_ = before;
    taken = true;
    return std::nullopt;
  }
  if (!active_) {
    if (text.starts_with("During handling of the above exception") ||
        text.starts_with("The above exception was the direct cause")) {
      chain_announced_ = true;
      taken = true;
    }
    // A script that cannot even be compiled: only its place, then "SyntaxError: …".
    if (line.starts_with("  File \"") && contains(line, "\", line ") && !contains(line, ", in ")) {
      active_ = taken = true;
      lines_ = 0;
      location_ = location_of(line);
    }
    return std::nullopt;
  }
  if (++lines_ > kMostLines) {
    active_ = false;
    return std::nullopt;
  }
  if (text.empty()) return std::nullopt;
  if (text.starts_with("\xE2\x94\x82") || text.starts_with("\xE2\x95") || text.starts_with("---")) {  // │ ╭ ╰
    taken = true;
    if (auto place = boxed_location(text); !place.empty()) location_ = std::move(place);
    return std::nullopt;
  }
  const bool indented = first_char(line) == ' ' || first_char(line) == '\t';
  if (indented) {
    taken = true;
    if (auto place = location_of(line); !place.empty()) location_ = std::move(place);
    return std::nullopt;
  }
  const auto length = name_length(text);
  if (length == 0) return std::nullopt;
  taken = true;
  active_ = false;
  PythonException exception;
  exception.type = slice(text, 0, length);
  exception.message = text.size() > length + 1 ? trimmed(slice(text, length + 1, kLongestMessage)) : std::string_view{};
  exception.location = std::move(location_);
  exception.chained = chain_announced_;
  chain_announced_ = false;
  location_.clear();
  return exception;
}

}  // namespace gputop::logs

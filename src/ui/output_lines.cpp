#include "gputop/ui/output_lines.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/characters.hpp"

namespace gputop::ui {
namespace {

constexpr bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '.';
}

// "ValueError: …", "torch.OutOfMemoryError: …", "my.Exception: …" at the beginning of what may be a rank's prefix.
bool names_exception(std::string_view line) {
  constexpr std::array<std::string_view, 2> kEnds{"Error", "Exception"};
  for (auto colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    const auto before = line.substr(0, colon);
    auto begin = before.size();
    while (begin > 0 && is_word(before[begin - 1])) --begin;
    const auto word = before.substr(begin);
    const bool starts = begin == 0 || before[begin - 1] == ' ' || before[begin - 1] == ']';
    if (starts && std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return word.ends_with(end); })) return true;
  }
  return false;
}

}  // namespace

std::uint64_t live_top(const term::Emulator& output, int height) {
  height = std::max(1, height);
  if (output.rows() <= height) {
    if (output.alternate()) return output.screen_line();
    const auto lines = static_cast<std::uint64_t>(height);
    return std::max(output.first_line(), output.end_line() - std::min(output.end_line(), lines));
  }
  // The run's screen is higher than the window (another viewer's is larger): the part where something happens.
  int last = output.cursor().y;
  for (int y = output.rows() - 1; y > last; --y) {
    if (!output.line(output.screen_line() + static_cast<std::uint64_t>(y)).text.empty()) last = y;
  }
  return output.screen_line() + static_cast<std::uint64_t>(std::clamp(last - height + 1, 0, output.rows() - height));
}

std::uint64_t settled_top(const term::Emulator& output, OutputView& view, int height) {
  view.page = std::max(1, height);
  const auto live = live_top(output, height);
  if (!view.top) return live;
  view.top = std::clamp(*view.top, std::min(output.first_line(), live), live);
  return *view.top;
}

std::vector<std::pair<std::size_t, std::size_t>> matches_in(std::string_view line, std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  if (text.empty()) return found;
  const bool any_case = std::none_of(text.begin(), text.end(), is_upper);
  const auto same = [&](char a, char b) { return a == b || (any_case && to_lower(a) == b); };
  for (auto at = line.begin(); at != line.end();) {
    at = std::search(at, line.end(), text.begin(), text.end(), same);
    if (at == line.end()) break;
    const auto begin = static_cast<std::size_t>(at - line.begin());
    found.emplace_back(begin, begin + text.size());
    at += static_cast<std::ptrdiff_t>(text.size());
  }
  return found;
}

std::optional<std::uint64_t> find_line(const term::Emulator& output,
                                       std::string_view text,
                                       LineRange range,
                                       std::optional<std::uint64_t> from,
                                       int step) {
  if (range.begin >= range.end) return std::nullopt;
  const auto has_text = [&](std::uint64_t number) {
    const std::string& row = output.line(number).text;
    if (!matches_in(row, text).empty()) return true;
    // A row that is full goes on in the next one.
    if (row.size() < static_cast<std::size_t>(output.columns()) || number + 1 >= output.end_line()) return false;
    const auto whole = row + output.line(number + 1).text;
    const auto matches = matches_in(whole, text);
    return !matches.empty() && matches.front().first < row.size();
  };
  if (step > 0) {
    for (auto at = from ? std::max(*from + 1, range.begin) : range.begin; at < range.end; ++at) {
      if (has_text(at)) return at;
    }
  } else {
    for (auto at = from ? std::min(*from, range.end) : range.end; at > range.begin; --at) {
      if (has_text(at - 1)) return at - 1;
    }
  }
  return std::nullopt;
}

bool looks_like_error(std::string_view line) {
  constexpr std::array<std::string_view, 9> kSigns{"Traceback (most recent call last)",
                                                   "out of memory",
                                                   "Segmentation fault",
                                                   "Bus error",
                                                   "core dumped",
                                                   "Aborted (",
                                                   "CUDA error",
                                                   "RESOURCE_EXHAUSTED",
                                                   "killed by signal"};
  if (std::any_of(kSigns.begin(), kSigns.end(), [&](auto sign) { return line.find(sign) != line.npos; })) return true;
  return names_exception(line);
}

std::optional<std::uint64_t> find_error(const term::Emulator& output,
                                        LineRange range,
                                        std::optional<std::uint64_t> after) {
  for (auto number = after ? std::max(*after + 1, range.begin) : range.begin; number < range.end; ++number) {
    if (looks_like_error(output.line(number).text)) return number;
  }
  return std::nullopt;
}

}  // namespace gputop::ui

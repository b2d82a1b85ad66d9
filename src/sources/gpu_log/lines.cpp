#include "sources/gpu_log/lines.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"

namespace gputop::gpu_log {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 16U;
constexpr std::string_view kSpace = " \t\r";

}  // namespace

std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = slice(text, 0, end);
  skip_front(text, std::min(end + 1, text.size()));
  return line.size() <= kLongestLine ? line : std::string_view{};
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return slice(text, begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> words;
  while (words.size() < most) {
    const auto begin = line.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) break;
    skip_front(line, begin);
    const auto end = std::min(line.find_first_of(kSpace), line.size());
    words.push_back(slice(line, 0, end));
    skip_front(line, end);
  }
  return words;
}

}  // namespace gputop::gpu_log

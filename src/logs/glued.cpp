#include "logs/glued.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"
#include "logs/text.hpp"

namespace gputop::logs {
namespace {

// "2022-08-16 16:54:13", also with a T, with commas and points behind it.
constexpr std::string_view kDate = "0000-00-00 00:00:00";
constexpr std::string_view kUsDate = "00/00/0000 00:00:00";

bool is_date(std::string_view text, std::string_view form = kDate) {
  if (text.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char wanted = char_at(form, i);
    const char found = char_at(text, i);
    if (wanted == '0' ? !is_digit(found) : found != wanted && !(wanted == ' ' && found == 'T')) return false;
  }
  return true;
}

std::size_t date_at(std::string_view line) {
  for (auto dash = line.find('-', 4); dash != std::string_view::npos; dash = line.find('-', dash + 1)) {
    if (!is_date(slice(line, dash - 4))) continue;
    return dash > 4 && char_at(line, dash - 5) == '[' ? dash - 5 : dash - 4;
  }
  return std::string_view::npos;
}

bool is_bar(std::string_view text) {
  return contains(text, "%|") || contains(text, "it/s") || contains(text, "s/it") || contains(text, " - ETA: ");
}

}  // namespace

std::size_t glued_at(std::string_view line) {
  constexpr std::array<std::string_view, 3> kBegins{"[E ProcessGroup", "[rank", "Traceback (most recent call last)"};
  if (!contains(line, "/s") && !contains(line, "s/it") && !contains(line, "ETA: ")) return std::string_view::npos;
  auto at = date_at(line);
  for (const auto begin : kBegins) at = std::min(at, line.find(begin));
  // "…, 8.93it/s][TRAIN] Iter: 1200 Loss: 0.01", "…, 21.9s/it, loss=0.08]INFO:data:epoch is incremented"
  for (const std::string_view rate : {"it/s", "s/it"}) {
    const auto bar = line.find(rate);
    const auto end = bar == std::string_view::npos ? bar : line.find(']', bar);
    if (end == std::string_view::npos || contains(slice(line, bar, end - bar), "[")) continue;
    const char next = char_at(line, end + 1);
    // "…, loss=0.0858] Exception while training: CUDA out of memory."
    const bool behind = next == ' ' && is_alpha(char_at(line, end + 2));
    const bool dated = is_date(slice(line, end + 1), kUsDate);  // accelerate's logger
    if (is_alpha(next) || next == '[' || behind || dated) at = std::min(at, end + 1);
  }
  return at != std::string_view::npos && at > 0 && is_bar(slice(line, 0, at)) ? at : std::string_view::npos;
}

}  // namespace gputop::logs

#include "example/progress_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr double kLeastInterval = 0.1;
constexpr double kSmoothing = 0.3;
constexpr std::size_t kBarWithoutTerminal = 10;

std::string right_aligned(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace

std::string tqdm_time(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, seconds));
  std::array<char, 48> text{};
  const auto hours = static_cast<long long>(whole / 3600);
  const auto minutes = static_cast<int>(whole / 60 % 60);
  const auto rest = static_cast<int>(whole % 60);
  if (hours > 0) {
    std::snprintf(text.data(), text.size(), "%lld:%02d:%02d", hours, minutes, rest);
  } else {
    std::snprintf(text.data(), text.size(), "%02d:%02d", minutes, rest);
  }
  return text.data();
}

std::string tqdm_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

ProgressBar::ProgressBar(std::string description, std::uint64_t total, double now, ExampleWorld::Screen screen)
    : description_(std::move(description)), total_(total), screen_(screen), started_(now), drawn_at_(now) {}

std::optional<std::string> ProgressBar::draw(std::uint64_t done, double now, const std::string& postfix) {
  if (drawn_ && done < total_ && now - drawn_at_ < kLeastInterval) return std::nullopt;
  if (drawn_ && done > done_) {
    const auto steps = static_cast<double>(done - done_);
    const bool first = mean_seconds_ == 0;
    mean_steps_ = first ? steps : kSmoothing * steps + (1 - kSmoothing) * mean_steps_;
    mean_seconds_ = first ? now - drawn_at_ : kSmoothing * (now - drawn_at_) + (1 - kSmoothing) * mean_seconds_;
  }
  drawn_ = true;
  drawn_at_ = now;
  done_ = done;
  auto text = line(postfix);
  // Bar cells are wider in bytes than on the screen; everything else is ASCII.
  const auto columns = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  const auto left_over = columns_used_ > columns ? columns_used_ - columns : 0;
  columns_used_ = columns;
  return "\r" + text + std::string(left_over, ' ');
}

void ProgressBar::set_screen(ExampleWorld::Screen screen) {
  screen_ = screen;
  if (screen.columns > 0) columns_used_ = std::min<std::size_t>(columns_used_, screen.columns);  // blanks must not wrap
}

std::string ProgressBar::erase() const {
  return "\r" + std::string(columns_used_, ' ') + "\r";
}

std::string ProgressBar::line(const std::string& postfix) const {
  const double rate = mean_seconds_ > 0 ? mean_steps_ / mean_seconds_ : 0;
  std::string speed = "?it/s";
  std::string remaining = "?";
  if (rate > 0) {
    speed = rate < 1 ? right_aligned(format_number(1 / rate, 2), 5) + "s/it"
                     : right_aligned(format_number(rate, 2), 5) + "it/s";
    remaining = tqdm_time(static_cast<double>(total_ - done_) / rate);
  }
  const double share = static_cast<double>(done_) / static_cast<double>(total_);
  const auto left = description_ + ": " + right_aligned(format_number(100 * share, 0), 3) + "%|";
  const auto right = "| " + std::to_string(done_) + "/" + std::to_string(total_) + " [" +
                     tqdm_time(drawn_at_ - started_) + "<" + remaining + ", " + speed +
                     (postfix.empty() ? "" : ", " + postfix) + "]";
  if (screen_.columns == 0) return left + bar(kBarWithoutTerminal) + right;
  if (left.size() + right.size() >= screen_.columns) return (left + right).substr(0, screen_.columns);
  return left + bar(screen_.columns - left.size() - right.size()) + right;
}

std::string ProgressBar::bar(std::size_t width) const {
  static constexpr std::array<std::string_view, 9> kUtf8{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
  static constexpr std::array<std::string_view, 11> kAscii{" ", "1", "2", "3", "4", "5", "6", "7", "8", "9", "#"};
  const std::size_t levels = screen_.utf8 ? kUtf8.size() - 1 : kAscii.size() - 1;
  const auto glyph = [&](std::size_t level) { return screen_.utf8 ? kUtf8[level] : kAscii[level]; };
  const auto filled = width * levels * done_ / total_;
  std::string text;
  for (std::size_t cell = 0; cell < width; ++cell) {
    const auto before = cell * levels;
    text += glyph(std::clamp<std::size_t>(filled > before ? filled - before : 0, 0, levels));
  }
  return text;
}

}  // namespace gputop

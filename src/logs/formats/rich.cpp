// rich — bars of the library of that name, Lightning's RichProgressBar among them:
// "Epoch 0/9 ━━━━━╸──── 10/20 0:00:01 • 0:00:01 9.50it/s v_num: 1.000 train_loss: 0.5".
#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {
namespace {

constexpr std::array<std::string_view, 4> kCells{"\xE2\x94\x81", "\xE2\x95\xB8", "\xE2\x95\xBA",
                                                 "\xE2\x94\x80"};  // ━ ╸ ╺ ─
constexpr std::size_t kCell = 3;
constexpr std::size_t kShortestBar = 4;

bool is_cell(std::string_view text) {
  return std::any_of(kCells.begin(), kCells.end(), [&](auto cell) { return text.starts_with(cell); });
}

}  // namespace

std::optional<Progress> rich(std::string_view line) {
  const auto begin = std::min(line.find(kCells[0]), line.find(kCells[2]));
  if (begin == std::string_view::npos || begin == 0) return std::nullopt;
  auto rest = slice(line, begin);
  std::size_t cells = 0;
  for (; is_cell(rest); ++cells) skip_front(rest, kCell);
  if (cells < kShortestBar) return std::nullopt;
  Progress progress;
  const auto label = trimmed(slice(line, 0, begin));
  if (label.empty()) return std::nullopt;  // pip's and uv's
  progress.label = label;
  progress.bar = true;
  progress.phase = phase_of(label);
  read_label(label, progress);
  progress.step_in_epoch = progress.epoch.has_value();
  // "elapsed • remaining"
  Reading<double> left;
  FieldReader reader{rest};
  for (int clocks = 0; const auto field = reader.next();) {
    if (field->unit == kClock) {
      if (++clocks == 2) left = field->value;
      continue;
    }
    const auto understood = understand(*field);
    if (understood.meaning == Meaning::kOtherRate) progress.phase = Phase::kOther;
    apply(understood, *field, progress);
  }
  if (!progress.eta && left) progress.eta = from_seconds(*left);
  if (!progress.step) return std::nullopt;
  return progress;
}

}  // namespace gputop::logs::formats

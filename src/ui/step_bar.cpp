#include "ui/step_bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gputop/core/format.hpp"

namespace gputop::ui {
namespace {

constexpr double kVisible = 0.005;  // below half a percent there is nothing to see

// Without colours the parts differ by their filling.
Glyph filling(StepPart part) {
  switch (part) {
    case StepPart::kGpuCompute: return glyph("█");
    case StepPart::kInputWait: return glyph("░");
    case StepPart::kHost: return glyph("▒");
    case StepPart::kUnknown: return glyph("·");
    default: return glyph("▓");
  }
}

// The work first, then what it waits for.
constexpr std::array kOrder{StepPart::kGpuCompute,    StepPart::kInputWait, StepPart::kHost,   StepPart::kTransfer,
                            StepPart::kCommunication, StepPart::kPauses,    StepPart::kUnknown};

}  // namespace

Role role_of(StepPart part) {
  switch (part) {
    case StepPart::kGpuCompute: return Role::kGood;
    case StepPart::kInputWait: return Role::kBad;
    case StepPart::kHost: return Role::kWarning;
    case StepPart::kTransfer: return Role::kPcie;
    case StepPart::kCommunication: return Role::kThroughput;
    case StepPart::kPauses: return Role::kMuted;
    case StepPart::kUnknown: break;
  }
  return Role::kUnknown;
}

void step_bar(Painter& painter, int x, int y, int width, const Diagnosis& diagnosis) {
  double passed = 0;
  int filled = 0;
  for (const auto part : kOrder) {
    const double share = diagnosis.share(part);
    passed += share;
    if (share < kVisible) continue;
    const int end = std::clamp(static_cast<int>(std::lround(passed * width)), std::min(width, filled + 1), width);
    painter.fill(x + filled, y, end - filled, filling(part), role_of(part));
    filled = end;
  }
}

void step_words(Painter& painter, int x, int y, int width, const Diagnosis& diagnosis) {
  auto parts = kOrder;
  std::stable_sort(parts.begin(), parts.end(),
                   [&](StepPart a, StepPart b) { return diagnosis.share(a) > diagnosis.share(b); });
  int used = 0;
  for (const auto part : parts) {
    const double share = diagnosis.share(part);
    if (share < kVisible) break;
    const std::string text = std::string{in_words(part)} + " " + format_number(share * 100, 0) + " %";
    if (used + columns_of(text) > width) break;
    used += painter.text(x + used, y, text, role_of(part)) + 2;
  }
}

}  // namespace gputop::ui

#include "ui/step_time.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"

namespace gputop::ui {
namespace {

constexpr double kVisible = 0.005;  // below half a percent there is nothing to see
constexpr double kMostUnknown = 0.9;  // a bar that is nearly all "unknown" tells nothing

// One order everywhere: the work, what it waits for, the rest.
constexpr std::array kOrder{StepPart::kGpuCompute,    StepPart::kInputWait, StepPart::kHost,   StepPart::kTransfer,
                            StepPart::kCommunication, StepPart::kPauses,    StepPart::kUnknown};

bool is_shown(const Diagnosis& diagnosis, StepPart part) {
  return diagnosis.share(part) >= kVisible || part == StepPart::kGpuCompute || part == StepPart::kInputWait;
}

std::string percent(double share) {
  return format_number(share * 100, 0) + " %";
}

}  // namespace

Role step_role(StepPart part) {
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

bool has_steps(const Model& model) {
  return model.run && model.advice.now().diagnosis.share(StepPart::kUnknown) < kMostUnknown;  // without a run nothing takes steps
}

ftxui::Elements step_bars(const Model& model, const Look& look) {
  const auto& diagnosis = model.advice.now().diagnosis;
  const auto& time = model.advice.facts.step.step_time;
  ftxui::Elements rows;
  std::string title = " where the time of a step goes";
  if (time) {
    const double ms = to_seconds(time->value) * 1000;
    title = " where a step's " + (ms >= 1000 ? format_number(ms / 1000, 1) + " s go" : format_number(ms, ms < 10 ? 1 : 0) + " ms go");
  }
  rows.push_back(look.say(title, Role::kTitle));
  int label = 0;
  for (const auto part : kOrder) {
    if (is_shown(diagnosis, part)) label = std::max(label, columns_of(in_words(part)));
  }
  for (const auto part : kOrder) {
    if (!is_shown(diagnosis, part)) continue;
    const double share = diagnosis.share(part);
    const bool compute = part == StepPart::kGpuCompute && look.width >= 60;
    const auto words = std::string{in_words(part)};
    const auto gap = std::string(static_cast<std::size_t>(label - columns_of(words) + 2), ' ');
    rows.push_back(ftxui::hbox({look.say("   " + words + gap, Role::kText),
                                meter(look.styles, {share, 0, step_role(part)}, percent(share), 5, Role::kText, 40) | ftxui::flex,
                                look.say(compute ? "   good: 90+ " : look.width >= 60 ? "             " : " ", Role::kMuted)}));
  }
  return rows;
}

ftxui::Element step_strip(const Model& model, const Look& look) {
  const auto& diagnosis = model.advice.now().diagnosis;
  ftxui::Elements parts{ftxui::text(" ")};
  int free = look.width - 2;
  for (const auto part : kOrder) {
    const double share = diagnosis.share(part);
    if (share < kVisible) continue;
    const auto words = std::string{in_words(part)} + " " + percent(share) + " ";
    const int bar_width = std::max(1, static_cast<int>(share * look.width / 4));
    const int cost = columns_of(words) + bar_width + 2;
    if (cost > free) break;
    free -= cost;
    parts.push_back(look.say(words, step_role(part)));
    Spans blocks{{""}};
    for (int i = 0; i < bar_width; ++i) blocks.front().text += "■";
    blocks.front().role = step_role(part);
    parts.push_back(look.line(std::move(blocks)));
    parts.push_back(ftxui::text("  "));
  }
  return ftxui::hbox(std::move(parts));
}

}  // namespace gputop::ui

// What is wrong with a GPU, in words.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/gpu_lines.hpp"

namespace gputop::ui {
namespace {

bool link_degraded(const PcieLink& link) {
  // The generation falls on purpose while a GPU idles; the width does not.
  return link.width && link.max_width && *link.width < *link.max_width;
}

}  // namespace

GpuMark gpu_marks(const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  GpuMark mark;
  const auto add = [&](std::string text, Role role) {
    if (mark.text.empty()) {
      mark = {std::move(text), role};
    } else {
      mark.text += " · " + std::move(text);
    }
  };
  if (gpu.state != GpuState::kOk) {
    std::string words{to_string(gpu.state)};
    if (gpu.state == GpuState::kNotAnswering && model.now > track.seen) {
      words += " for " + format_duration(model.now - track.seen);
    }
    // The driver's reader may have said it in the same word: "lost: it fell off the bus".
    if (gpu.error.starts_with(to_string(gpu.state))) {
      words = printable(gpu.error);
    } else if (!gpu.error.empty()) {
      words += ": " + printable(gpu.error);
    }
    add(std::move(words), Role::kBad);
  }
  if (track.xid_count > 0) {
    add("Xid " + std::to_string(track.last_xid) +
            (track.xid_count > 1 ? " (" + std::to_string(track.xid_count) + " in all)" : ""),
        Role::kBad);
  }
  if (gpu.ecc_uncorrected.value_or(0) > 0) {
    add("ECC " + std::to_string(*gpu.ecc_uncorrected) + " uncorrected", Role::kBad);
  }
  for (const auto& fault : track.faults) add(fault, Role::kWarning);
  if (gpu.throttle) {
    if (auto words = throttle_in_words(*gpu.throttle); !words.empty()) add(std::move(words), Role::kWarning);
  }
  if (link_degraded(gpu.pcie)) {
    add("PCIe ×" + std::to_string(*gpu.pcie.width) + " of ×" + std::to_string(*gpu.pcie.max_width), Role::kWarning);
  }
  if (gpu.state == GpuState::kOk && !gpu.error.empty()) add(printable(gpu.error), Role::kWarning);
  return mark;
}

int gpu_trouble(const Model& model, const GpuTrack& track) {
  switch (track.now.state) {
    case GpuState::kLost: return 0;
    case GpuState::kFailed:
    case GpuState::kNotAnswering: return 1;
    case GpuState::kOk: break;
  }
  if (track.xid_count > 0 || track.now.ecc_uncorrected.value_or(0) > 0) return 2;
  // Comes and goes by the second: a GPU that jumped about with it could not be read.
  constexpr Duration kLately = std::chrono::seconds{30};
  if (track.windows.thermal.mean(model.now - kLately, model.now).value_or(0) > 0) return 3;
  return link_degraded(track.now.pcie) || !track.now.error.empty() ? 4 : kNoTrouble;
}

}  // namespace gputop::ui

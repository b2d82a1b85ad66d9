// Where a step's time goes, as far as it is known, and the one part that limits the run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

enum class StepPart : std::uint8_t {
  kInputWait,
  kHost,
  kGpuCompute,
  kTransfer,
  kCommunication,
  kPauses,  // validation and checkpoints
  kUnknown,
};
inline constexpr std::size_t kStepParts = 7;
std::string_view to_string(StepPart part);  // for JSON: "input_wait", "gpu_compute", "validation", …
std::string_view in_words(StepPart part);   // for people: "input wait", "GPU compute", …

// What the loader waits for.
enum class InputLimit : std::uint8_t { kUnknown, kCpu, kDisk };

struct Diagnosis {
  Depth depth = Depth::kGpuOnly;
  std::array<double, kStepParts> shares{0, 0, 0, 0, 0, 0, 1};  // of wall time, 0…1; they add up to 1
  StepPart bottleneck = StepPart::kUnknown;
  double confidence = 0;
  InputLimit input_limit = InputLimit::kUnknown;
  Reading<double> utilization;        // 0…1, mean of the run's GPUs
  std::vector<std::string> unknowns;  // what could not be determined, and what would determine it
  std::string verdict;                // "Input-bound: the GPU waits 41 % of the time"

  [[nodiscard]] double share(StepPart part) const { return shares[static_cast<std::size_t>(part)]; }
};

Diagnosis diagnose(const Facts& facts, const Thresholds& limits);

// The GPUs the run uses; without a run, those that did any work.
std::vector<const GpuFacts*> gpus_in_use(const Facts& facts);

// "NVML only", "NVML, output and process tree", "with the lens".
std::string_view in_words(Depth depth);

}  // namespace gputop

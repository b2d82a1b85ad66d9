#include "gputop/advisor/diagnosis.hpp"

#include <algorithm>
#include <cmath>

#include "advisor/idle_cause.hpp"
#include "advisor/phrase.hpp"
#include "advisor/stillness.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// A GPU with this much load is in use, whoever uses it.
constexpr Percent kSomeWork{5};

Reading<double> mean_utilization(const std::vector<const GpuFacts*>& gpus) {
  double sum = 0;
  int count = 0;
  for (const auto* gpu : gpus) {
    if (!gpu->utilization) continue;
    sum += gpu->utilization->value() / 100;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

double known_share(const Known<double>& share) {
  return share ? std::clamp(share->value, 0.0, 1.0) : 0;
}

class Diagnostician {
 public:
  Diagnostician(const Facts& facts, const Thresholds& limits) : facts_(facts), limits_(limits) {}

  Diagnosis run() {
    result_.depth = facts_.depth;
    if (!facts_.unjudged.empty()) {
      result_.verdict = facts_.unjudged;
      return std::move(result_);
    }
    result_.utilization = mean_utilization(gpus_in_use(facts_));
    result_.input_limit = input_limit(facts_, limits_);
    if (stands_still(facts_, limits_)) {
      result_.unknowns.push_back("what it waits for: py-spy dump --pid PID shows where it is");
      result_.verdict = "Stalled: no step, no output and no work for " + format_duration(facts_.still->time);
      return std::move(result_);
    }
    share_out();
    choose();
    result_.verdict = verdict();
    return std::move(result_);
  }

 private:
  double& part(StepPart which) { return result_.shares[static_cast<std::size_t>(which)]; }

  // The GPU's observed load comes first: a host wait hidden behind the GPU's queued work costs nothing.
  void share_out() {
    double left = 1;
    const auto take = [&](StepPart which, double wanted) {
      const double taken = std::clamp(wanted, 0.0, left);
      part(which) = taken;
      left -= taken;
    };
    take(StepPart::kPauses, known_share(facts_.step.pause_share));
    const double in_step = 1 - part(StepPart::kPauses);
    take(StepPart::kCommunication, known_share(facts_.step.communication_share) * in_step);
    // Kernels that exchange gradients also keep a GPU busy.
    if (result_.utilization) take(StepPart::kGpuCompute, *result_.utilization - part(StepPart::kCommunication));
    const auto take_copies = [&] { take(StepPart::kTransfer, known_share(facts_.step.transfer_share) * in_step); };
    if (facts_.step.input_wait_share) {
      // Includes the wait for an epoch's first batch.
      take(StepPart::kInputWait,
           known_share(facts_.step.input_wait_share) * in_step + known_share(facts_.step.epoch_start_share));
      take_copies();  // afterwards: those of a batch that is prefetched overlap with the wait for the next
      result_.confidence = facts_.step.input_wait_share->source == FactSource::kLens ? 0.9 : 0.8;
      if (result_.utilization) take(StepPart::kHost, left);
    } else if (take_copies(); result_.utilization) {
      const auto cause = idle_cause(facts_, limits_);
      result_.confidence = cause.confidence;
      if (cause.part != StepPart::kUnknown) take(cause.part, left);
    }
    part(StepPart::kUnknown) = left;
    name_unknowns();
  }

  void name_unknowns() {
    const auto say = [&](std::string text) { result_.unknowns.push_back(std::move(text)); };
    if (!result_.utilization) say("GPU compute: how busy the GPU is was not recorded");
    if (!facts_.step.input_wait_share) {
      say(facts_.depth == Depth::kLens ? "waits for data: the lens saw no DataLoader"
                                       : "waits for data: no lens, and the output prints no data time");
    }
    if (!facts_.step.transfer_share) say("transfer: counted with the host's share");
    if (!facts_.step.communication_share && facts_.settings.world_size && facts_.settings.world_size->value > 1) {
      say("communication: counted with GPU compute");
    }
  }

  // The largest wasted part; a GPU that computes most of the time is its own bottleneck.
  void choose() {
    struct Candidate {
      StepPart part;
      double limit;  // percent
    };
    const std::array<Candidate, 5> candidates{{{StepPart::kInputWait, limits_.input_wait},
                                               {StepPart::kHost, limits_.host_gap},
                                               {StepPart::kTransfer, limits_.transfer},
                                               {StepPart::kCommunication, limits_.communication},
                                               {StepPart::kPauses, limits_.pauses}}};
    double largest = 0;
    for (const auto& candidate : candidates) {
      const double share = part(candidate.part);
      if (share * 100 < candidate.limit || share <= largest) continue;
      largest = share;
      result_.bottleneck = candidate.part;
    }
    if (result_.bottleneck != StepPart::kUnknown) return;
    const double unknown = part(StepPart::kUnknown);
    if (result_.utilization && unknown * 100 < 100 - limits_.busy && part(StepPart::kGpuCompute) > unknown) {
      result_.bottleneck = StepPart::kGpuCompute;
      result_.confidence = std::max(result_.confidence, 0.8);
    }
  }

  [[nodiscard]] std::string verdict() const {
    const auto share = [&](StepPart which) { return percent_words(result_.share(which)); };
    switch (result_.bottleneck) {
      case StepPart::kInputWait: {
        std::string who{who_waits(facts_)};  // "the GPU"
        who[0] = who[0] == 't' ? 'T' : who[0];
        return who + " waits for data " + share(StepPart::kInputWait) + " of the time";
      }
      case StepPart::kHost:
        return "The GPU waits for Python " + share(StepPart::kHost) + " of the time (kernel launches included)";
      case StepPart::kTransfer: return "Copies to the GPU take " + share(StepPart::kTransfer) + " of the time";
      case StepPart::kCommunication:
        return "Waiting for other ranks, and the exchange with them, takes " + share(StepPart::kCommunication) + " of the time";
      case StepPart::kPauses: return "Paused " + share(StepPart::kPauses) + " of the time: " + pauses();
      case StepPart::kGpuCompute: return "The GPU is the limit: " + share(StepPart::kGpuCompute) + " busy";
      case StepPart::kUnknown: break;
    }
    if (!result_.utilization) {
      const auto unread = [](const GpuFacts& gpu) { return !gpu.utilization && !gpu.utilization_max; };
      if (facts_.gpus.empty()) return facts_.has_run ? "Training without a GPU" : "No GPU at work";
      const bool all = std::all_of(facts_.gpus.begin(), facts_.gpus.end(), unread);
      return all ? "How busy the GPU is was not recorded" : "No GPU at work";
    }
    if (*result_.utilization * 100 >= limits_.low_utilization) {
      return percent_words(*result_.utilization) + " busy; where the rest of the time goes is not known";
    }
    return percent_words(*result_.utilization) + " busy: CPU-bound or batch too small";
  }

  // The largest part of it, if known.
  [[nodiscard]] std::string pauses() const {
    constexpr double kMost = 0.8;
    const auto& checkpoints = facts_.step.checkpoint_share;
    const double all = known_share(facts_.step.pause_share);
    if (!checkpoints || all <= 0) return "validation and checkpoints";
    if (checkpoints->value >= kMost * all) return "checkpoints";
    return checkpoints->value <= (1 - kMost) * all ? "validation" : "validation and checkpoints";
  }

  const Facts& facts_;
  const Thresholds& limits_;
  Diagnosis result_;
};

}  // namespace

std::string_view to_string(StepPart part) {
  static constexpr std::array<std::string_view, kStepParts> kNames = {
      "input_wait", "host", "gpu_compute", "transfer", "communication", "validation", "unknown"};
  return kNames.at(static_cast<std::size_t>(part));
}

std::string_view in_words(StepPart part) {
  static constexpr std::array<std::string_view, kStepParts> kNames = {
      "waits for data", "waits for Python", "GPU compute", "copies to the GPU", "exchange between GPUs", "validation",
      "unknown"};
  return kNames.at(static_cast<std::size_t>(part));
}

std::string_view in_words(Depth depth) {
  static constexpr std::array<std::string_view, 3> kNames = {"NVML only", "NVML, output and process tree",
                                                             "with the lens"};
  return kNames.at(static_cast<std::size_t>(depth));
}

std::vector<const GpuFacts*> gpus_in_use(const Facts& facts) {
  std::vector<const GpuFacts*> used;
  const bool known = std::any_of(facts.gpus.begin(), facts.gpus.end(), [](const auto& gpu) { return gpu.used_by_run; });
  for (const auto& gpu : facts.gpus) {
    const auto most = gpu.utilization_max ? gpu.utilization_max : gpu.utilization;
    // A log does not say whose work it is, and a container not always.
    const bool works = gpu.at_work.value_or(most && *most >= kSomeWork);
    if (known ? gpu.used_by_run : works) used.push_back(&gpu);
  }
  return used;
}

Diagnosis diagnose(const Facts& facts, const Thresholds& limits) {
  return Diagnostician{facts, limits}.run();
}

}  // namespace gputop

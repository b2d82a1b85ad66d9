// gpu_fault — the hardware or the driver reports a fault: a lost GPU, an Xid, uncorrectable memory errors.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {
namespace {

// Usually the application's own fault: a bad kernel or a stopped process.
bool is_application_fault(std::uint64_t xid) {
  return xid == 13 || xid == 31 || xid == 43 || xid == 45;
}

std::string xid_words(std::uint64_t xid) {
  switch (xid) {
    case 13: return "a kernel failed";
    case 31: return "a kernel accessed invalid memory";
    case 43: return "a kernel was stopped";
    case 45: return "the run's work was preempted";
    case 48: return "a double-bit memory error";
    case 63:
    case 64: return "a memory page was retired";
    case 74: return "an NVLink error";
    case 79: return "it has fallen off the bus";
    case 94:
    case 95: return "a memory error that was contained";
    default: return "see NVIDIA's list of Xid errors";
  }
}

}  // namespace

std::optional<Finding> gpu_fault(const Situation& s) {
  for (const auto& gpu : s.facts.gpus) {
    const bool gone = gpu.state == GpuState::kLost || gpu.state == GpuState::kFailed;
    if (!gone && gpu.xid_count == 0 && gpu.ecc_uncorrected == 0) continue;
    Finding finding{.id = "gpu_fault", .severity = Severity::kError};
    const std::string name = "GPU " + std::to_string(gpu.index);
    if (gone) {
      finding.title = name + " is lost";
      finding.why = name + " no longer answers";
      finding.action = "reset it (nvidia-smi -r) or reboot; if it happens again, look at power and cooling";
      finding.evidence.push_back({"lost", 1, ""});
    } else if (gpu.xid_count > 0) {
      const bool application = is_application_fault(gpu.last_xid);
      finding.severity = application ? Severity::kWarning : Severity::kError;
      finding.title = name + " reported Xid " + std::to_string(gpu.last_xid);
      finding.why = name + " reported Xid " + std::to_string(gpu.last_xid) + ": " + xid_words(gpu.last_xid);
      finding.action = application
                           ? "most likely a fault of the program: run it with CUDA_LAUNCH_BLOCKING=1 to find the kernel"
                           : "a fault of the hardware or the driver: look at dmesg, take the GPU out of use";
    } else {
      finding.title = name + " has memory errors";
      finding.why = name + " counted " + count_words(gpu.ecc_uncorrected, "memory error", "memory errors") +
                    " that could not be corrected";
      finding.action = "results may be wrong: take the GPU out of use and have it replaced";
    }
    if (gpu.xid_count > 0) {
      finding.evidence.push_back({"xid", static_cast<double>(gpu.last_xid), ""});
      finding.evidence.push_back({"xid_count", static_cast<double>(gpu.xid_count), ""});
    }
    if (gpu.ecc_uncorrected > 0)
      finding.evidence.push_back({"ecc_uncorrected", static_cast<double>(gpu.ecc_uncorrected), "errors"});
    finding.confidence = 0.95;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules

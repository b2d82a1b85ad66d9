// allocator — PYTORCH_ALLOC_CONF: an old name, a conflict, or a setting that slows down.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict allocator(const Machine& machine) {
  const auto current = machine.environment.find("PYTORCH_ALLOC_CONF");
  const auto old = machine.environment.find("PYTORCH_CUDA_ALLOC_CONF");
  const bool has_current = current != machine.environment.end();
  const bool has_old = old != machine.environment.end();
  if (!has_current && !has_old) return ok("defaults");
  if (has_current && has_old && current->second != old->second) {
    return {Level::kWarn, "PYTORCH_ALLOC_CONF and PYTORCH_CUDA_ALLOC_CONF differ",
            "only one of them counts, by PyTorch's version", "unset the one you do not mean", false};
  }
  const std::string& value = has_current ? current->second : old->second;
  if (value.find("backend:cudaMallocAsync") != std::string::npos &&
      value.find("expandable_segments:True") != std::string::npos) {
    return {Level::kWarn, value, "expandable_segments does nothing with cudaMallocAsync", "leave one of them out",
            false};
  }
  if (const auto caching = machine.environment.find("PYTORCH_NO_CUDA_MEMORY_CACHING");
      caching != machine.environment.end()) {
    return {Level::kBad, "PYTORCH_NO_CUDA_MEMORY_CACHING is set",
            "every tensor asks the driver for memory: many times slower", "unset PYTORCH_NO_CUDA_MEMORY_CACHING",
            false};
  }
  return ok(value);
}

}  // namespace gputop::doctor::checks

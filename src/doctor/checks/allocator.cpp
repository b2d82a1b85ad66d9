// allocator — PYTORCH_ALLOC_CONF: a text that PyTorch cannot parse, a conflict, or a setting without effect.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {
namespace {

// "max_split_size_mb:128,roundup_power2_divisions:[256:1,>:4]": every part is name:value, or PyTorch throws.
bool readable(std::string_view value) {
  int depth = 0;
  bool colon = false;
  for (const char c : value) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ':' && depth == 0) colon = true;
    if (c == ',' && depth == 0) {
      if (!colon) return false;
      colon = false;
    }
  }
  return colon && depth == 0;
}

}  // namespace

Verdict allocator(const Machine& machine) {
  const auto current = machine.environment.find("PYTORCH_ALLOC_CONF");
  const auto old = machine.environment.find("PYTORCH_CUDA_ALLOC_CONF");
  const bool has_current = current != machine.environment.end() && !current->second.empty();
  const bool has_old = old != machine.environment.end() && !old->second.empty();
  if (!has_current && !has_old) return ok("defaults");
  if (has_current && has_old && current->second != old->second) {
    return {Level::kWarn, "PYTORCH_ALLOC_CONF and PYTORCH_CUDA_ALLOC_CONF differ",
            "only one of them counts, by PyTorch's version", "unset the one you do not mean", false};
  }
  const std::string& name = has_current ? current->first : old->first;
  const std::string& value = has_current ? current->second : old->second;
  if (!readable(value)) {
    return {Level::kBad, name + "=" + value, "PyTorch cannot read it and stops at the first use of the GPU",
            "write name:value pairs with commas, e.g. " + name + "=expandable_segments:True", false};
  }
  if (value.find("backend:cudaMallocAsync") != std::string::npos &&
      value.find("expandable_segments:True") != std::string::npos) {
    return {Level::kWarn, value, "expandable_segments does nothing with cudaMallocAsync", "leave one of them out",
            false};
  }
  return ok(value);
}

}  // namespace gputop::doctor::checks

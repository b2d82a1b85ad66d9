#include "sources/sim/memory.hpp"

#include <algorithm>
#include <array>

namespace gputop {
namespace {

constexpr std::uint64_t kBlock = 2U << 20U;  // the caching allocator's rounding for large requests
constexpr std::uint64_t kLayers = 24;        // activations are allocated layer by layer

Bytes rounded(double bytes) {
  const auto whole = static_cast<std::uint64_t>(bytes);
  return Bytes{(whole + kBlock - 1) / kBlock * kBlock};
}

struct BytesPerParameter {
  double weights;
  double gradients;
  double optimizer_share;  // of the fp32 optimizer state
  double activations;      // of the fp32 activations
};

BytesPerParameter bytes_per_parameter(SimPrecision precision) {
  switch (precision) {
    case SimPrecision::kFp32:
    case SimPrecision::kTf32: return {4, 4, 1, 1};
    case SimPrecision::kAmpFp16:
    case SimPrecision::kAmpBf16: return {4 + 2, 4, 1, 0.65};  // autocast keeps a half-precision copy of the weights
    case SimPrecision::kBf16: return {2, 2, 0.5, 0.5};
  }
  return {4, 4, 1, 1};
}

}  // namespace

SimMemory memory_of(const SimRunConfig& config) {
  const auto& work = config.workload;
  const auto per = bytes_per_parameter(config.precision);
  const double batch = config.batch_size;
  const double kept = config.checkpointing ? 0.3 : 1;
  return {
      .context = work.context,
      .workspace = work.workspace,
      .weights = rounded(work.parameters * per.weights),
      .gradients = rounded(work.parameters * per.gradients),
      .optimizer = rounded(work.parameters * work.optimizer_bytes_per_parameter * per.optimizer_share),
      .activations = rounded(batch * static_cast<double>(work.activation_per_sample.value()) * per.activations * kept),
      .batch = rounded(batch * 2 * static_cast<double>(work.sample.value()))};
}

std::optional<SimOutOfMemory> out_of_memory(const SimCard& card, const SimMemory& memory, Bytes neighbours) {
  const Bytes capacity = card.usable();
  const Bytes room = neighbours < capacity ? capacity - neighbours : Bytes{};
  if (memory.total() <= room) return std::nullopt;
  SimOutOfMemory oom{.capacity = capacity};
  Bytes held;
  // In the order in which a run allocates; activations come layer by layer.
  for (const Bytes part :
       {memory.context, memory.weights, memory.workspace, memory.optimizer, memory.gradients, memory.batch}) {
    if (held + part > room) {
      oom.requested = part;
      break;
    }
    held += part;
  }
  if (oom.requested == Bytes{}) {
    oom.requested = std::max(Bytes{kBlock}, rounded(static_cast<double>(memory.activations.value()) / kLayers));
    held += oom.requested * static_cast<double>((room - held).value() / oom.requested.value());
  }
  oom.in_use = held;
  oom.free = room - held;
  const Bytes torch = held > memory.context ? held - memory.context : Bytes{};
  oom.reserved = Bytes{std::min<std::uint64_t>(torch.value() / 64, oom.requested.value() / 2)};
  oom.allocated = torch - oom.reserved;
  return oom;
}

}  // namespace gputop

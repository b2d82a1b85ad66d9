// How long the copies of a step take: their bytes, counted by the lens, at the speed the card was calibrated to, or at
// most the link's.
#include <algorithm>
#include <array>

#include "app/facts/parts.hpp"

namespace gputop::facts {
namespace {

// Bytes per second of one PCIe lane after its encoding; generations 1 to 6.
constexpr std::array<double, 6> kLane{0.25e9, 0.5e9, 0.985e9, 1.969e9, 3.938e9, 7.563e9};

// An upper bound. An idle link is slowed down to save power, so only a link in use tells.
Reading<double> link_rate(const GpuFacts& gpu) {
  constexpr double kInUse = 30;  // percent
  const auto& [generation, width, max_generation, max_width] = gpu.pcie;
  if (!gpu.utilization || gpu.utilization->value() < kInUse) return std::nullopt;
  if (!generation || !width || *generation < 1 || *generation > kLane.size()) return std::nullopt;
  return kLane[*generation - 1] * *width;
}

}  // namespace

void add_transfer(Gathering& gathering, const LensProcess& process) {
  if (!process.flops || process.flops->value.copied.value_or(0) == 0) return;
  const auto& [said, at] = *process.flops;
  auto& facts = gathering.facts;
  auto& transfer = facts.transfer;
  const auto copied = static_cast<double>(*said.copied);
  transfer.copied = Bytes{*said.copied};
  if (said.pageable) transfer.pageable_share = std::min(1.0, static_cast<double>(*said.pageable) / copied);
  if (said.waited) transfer.waited_share = std::min(1.0, static_cast<double>(*said.waited) / copied);
  const auto* gpu = gpu_of(gathering, &process);
  const auto steps = optimizer_rate(facts, process);
  if (gpu == nullptr || !transfer.pageable_share) return;
  auto pinned = gpu->measured.to_gpu_pinned;
  auto pageable = gpu->measured.to_gpu_pageable;
  transfer.calibrated = pinned && pageable && *pinned > 0 && *pageable > 0;
  if (!transfer.calibrated) pinned = pageable = link_rate(*gpu);
  if (!pinned) return;
  const double seconds =
      copied * (*transfer.pageable_share / *pageable + (1 - *transfer.pageable_share) / *pinned);
  transfer.rate = copied / seconds;
  transfer.pinned_rate = pinned;
  if (!steps) return;
  const auto source = transfer.calibrated ? FactSource::kLens : FactSource::kGuessed;
  gathering.take("transfer_share", facts.step.transfer_share, std::min(1.0, seconds * *steps), source, at);
}

}  // namespace gputop::facts

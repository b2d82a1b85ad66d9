#include "advisor/idle_cause.hpp"

#include "advisor/worker_plan.hpp"

namespace gputop {
namespace {

constexpr double kGuess = 0.4;     // only the GPU itself was observed
constexpr double kWatched = 0.65;  // the processes were observed

bool above(const Reading<double>& share, double percent) {
  return share && *share * 100 >= percent;
}
bool above(const Reading<Percent>& share, double percent) {
  return share && share->value() >= percent;
}

}  // namespace

InputLimit input_limit(const Facts& facts, const Thresholds& limits) {
  // A worker that is runnable without a core computes as little as one that waits for a disk.
  const bool starved = above(facts.tree.worker_starved_share, limits.worker_starved);
  if (const auto& computing = facts.step.fetch_cpu_share) {
    return computing->value * 100 >= limits.cpu_bound_fetch || starved ? InputLimit::kCpu : InputLimit::kDisk;
  }
  if (above(facts.tree.worker_disk_share, limits.worker_disk)) return InputLimit::kDisk;
  if (starved) return InputLimit::kCpu;
  if (above(facts.tree.worker_cpu, limits.worker_busy)) return InputLimit::kCpu;
  const auto& host = facts.host;
  if (above(host.io_pressure, limits.io_pressure) || above(host.io_wait, limits.io_pressure) ||
      above(host.disk_busy, limits.disk_busy)) {
    return InputLimit::kDisk;
  }
  if (above(host.cpu, limits.cpu_full) && crowd_is_ours(facts)) return InputLimit::kCpu;
  // Workers that training waits for never sleep; if they hardly compute either, they wait for what they read.
  const auto& wait = facts.step.input_wait_share;
  const bool waited_for = wait && wait->value * 100 >= limits.input_wait;
  const auto& computing = facts.tree.worker_cpu;
  if (waited_for && computing && *computing * 100 < limits.cpu_bound_fetch / 2) return InputLimit::kDisk;
  return InputLimit::kUnknown;
}

IdleCause idle_cause(const Facts& facts, const Thresholds& limits) {
  const auto& tree = facts.tree;
  const bool has_workers = tree.workers && *tree.workers > 0;
  if (!has_workers) return {StepPart::kUnknown, kGuess};
  // Training waits for workers that never sleep; workers that sleep have full queues and wait themselves.
  if (above(tree.worker_disk_share, limits.worker_disk)) return {StepPart::kInputWait, kWatched};
  if (above(tree.worker_cpu, limits.worker_busy)) return {StepPart::kInputWait, kWatched};
  if (above(tree.worker_idle_share, limits.worker_idle)) return {StepPart::kHost, kWatched};
  return {StepPart::kUnknown, kGuess};
}

}  // namespace gputop

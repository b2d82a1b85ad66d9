#include "report/next_submit.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

constexpr double kMore = 1.2;  // than was used
constexpr double kMinutes = 5;  // what times are rounded up to

std::string as_limit(Duration time) {
  const auto minutes = saturate<unsigned>(std::ceil(to_seconds(time) / 60 * kMore / kMinutes) * kMinutes);
  const auto two = [](unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  const auto days = minutes / (24 * 60);
  return (days > 0 ? std::to_string(days) + "-" : "") + two(minutes / 60 % 24) + ":" + two(minutes % 60) + ":00";
}

}  // namespace

std::string next_submit(const Model& model) {
  if (!model.run || !model.run->end || !model.job || model.job->launcher != "slurm") return {};
  const auto& end = *model.run->end;
  std::string text;
  const auto ask = [&](const std::string& what, const std::string& seen) { text += "    #SBATCH --" + what + "   # " + seen + "\n"; };
  if (const double used = model.tree.most_resident; used > 0) {
    const auto gigabytes = saturate<std::uint64_t>(std::ceil(used * kMore / (1ULL << 30U)));
    ask("mem=" + std::to_string(gigabytes) + "G", "at most " + format_bytes(Bytes{saturate<std::uint64_t>(used)}) + " on this node, by this task");
  }
  if (const double cores = model.tree.most_cores; cores > 0)
    ask("cpus-per-task=" + std::to_string(std::max(1U, saturate<unsigned>(std::ceil(cores - 0.1)))), "at most " + format_number(cores, 1) + " cores were busy");
  const auto took = model.run->age(model.now);
  const auto left = model.run->log.progress().eta;
  if (end.exit_code == 0 && end.by.empty()) {
    ask("time=" + as_limit(took), "it took " + format_duration(took));
  } else if (left && *left > Duration{} && end.by.starts_with("Slurm")) {
    ask("time=" + as_limit(took + *left), "it was ended after " + format_duration(took) + ", with " + format_duration(*left) + " left");
  }
  std::size_t used = 0;
  for (const auto& track : model.gpus) used += track.totals.peak_utilization.value() > 0 ? 1 : 0;
  if (!model.gpus.empty()) ask("gres=gpu:" + std::to_string(used), std::to_string(used) + " of " + std::to_string(model.gpus.size()) + " GPUs were used");
  return text.empty() ? text : "  for the next submit, from what was measured:\n" + text;
}

}  // namespace gputop

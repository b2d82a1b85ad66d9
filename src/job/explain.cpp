#include "gputop/job/explain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "gputop/core/format.hpp"
#include "job/cause.hpp"
#include "job/common_steps.hpp"

namespace gputop::job {
namespace {

constexpr double kLeastHeld = 0.10;         // of a step, that is worth a word
constexpr double kLeastHeldMs = 1.0;
constexpr double kMostlyLast = 0.6;         // of the steps; of two ranks one is last half of the time by chance
constexpr double kMostlyLastOfTwo = 0.8;
constexpr double kBeyondChance = 4;         // standard deviations; asked of the few steps of the last seconds
constexpr double kUnevenItems = 1.15;       // largest ÷ mean
constexpr double kHungSeconds = 4;
constexpr double kSilentSeconds = 20;
constexpr double kBusy = 0.9;
constexpr double kLowPower = 0.5;
constexpr double kNoInput = 0.05;

// The share of steps from which "comes last" is no accident.
double wanted_share(const CommonSteps& common) {
  const double chance = 1 / static_cast<double>(common.parties());
  const double deviation = std::sqrt(chance * (1 - chance) / static_cast<double>(common.size()));
  const double usual = common.parties() == 2 ? kMostlyLastOfTwo : kMostlyLast;
  return std::min(1.0, std::max(usual, chance + kBeyondChance * deviation));
}

std::optional<Straggler> straggler_of(const std::vector<Rank>& ranks, const CommonSteps& common) {
  if (common.size() < CommonSteps::kFewest) return std::nullopt;
  const auto rank = common.mostly_last();
  if (!rank) return std::nullopt;
  const double wanted = wanted_share(common);
  const double step = common.step_ms();
  const double held = common.held_ms(*rank);
  if (common.last_share(*rank) < wanted || held < kLeastHeld * step || held < kLeastHeldMs) return std::nullopt;
  Straggler found{.rank = ranks[*rank].number,
                  .node = ranks[*rank].node,
                  .whole_node = common.parties() < ranks.size(),
                  .others = common.others(*rank),
                  .held_ms = held,
                  .step_ms = step,
                  .last_share = common.last_share(*rank),
                  .steps = common.size()};
  std::tie(found.cause, found.figure) = cause_of(ranks, *rank, common, held);
  return found;
}

std::optional<Imbalance> imbalance_of(const CommonSteps& common) {
  const auto spread = common.items_spread();
  if (!spread || *spread < kUnevenItems || !common.largest_comes_last()) return std::nullopt;
  const double held = common.held_ms();
  if (held < kLeastHeld * common.step_ms() || held < kLeastHeldMs) return std::nullopt;
  return Imbalance{.held_ms = held, .step_ms = common.step_ms(), .spread = *spread, .steps = common.size()};
}

std::string doing(const Rank& rank) {
  if (rank.stopped) return "has been stopped (by a signal such as SIGSTOP, or a debugger)";
  const std::string where = rank.site.empty() ? "" : " (" + printable(rank.site) + ")";
  switch (rank.phase) {
    case Phase::kInput: return "has been waiting for its batch" + where;
    case Phase::kCompute: return "has been in its own code" + where;
    default: return "has not reported anything";
  }
}

std::uint64_t last_step(const Rank& rank) {
  return rank.steps.empty() ? 0 : rank.steps.back().number;
}

// Others stand in the exchange, and this one does not come.
std::optional<Hung> hung_of(const std::vector<Rank>& ranks) {
  std::size_t waiting = 0;
  for (const auto& rank : ranks) {
    if (!rank.ended && !rank.stopped && rank.phase == Phase::kExchange && rank.stuck_for >= kHungSeconds) ++waiting;
  }
  std::optional<Hung> worst;
  const auto consider = [&](const Rank& rank, double seconds, std::string what) {
    if (worst && worst->seconds >= seconds) return;
    worst = Hung{rank.number, rank.node, seconds, last_step(rank), std::move(what), waiting};
  };
  for (const auto& rank : ranks) {
    if (rank.ended) {
      if (waiting > 0) consider(rank, std::numeric_limits<double>::infinity(), "has ended (" + *rank.ended + ")");
    } else if (rank.stopped) {
      consider(rank, rank.stuck_for, doing(rank));
    } else if (waiting > 0 && rank.stuck_for >= kHungSeconds && rank.phase != Phase::kExchange) {
      consider(rank, rank.stuck_for, doing(rank));
    } else if (waiting > 0 && rank.silent_for && *rank.silent_for >= kSilentSeconds) {
      consider(rank, *rank.silent_for, "has given no sign of life (its recording no longer grows)");
    }
  }
  if (worst && std::isinf(worst->seconds)) {
    worst->seconds = 0;
    worst->ended = true;
    for (const auto& rank : ranks) {
      if (rank.phase == Phase::kExchange) worst->seconds = std::max(worst->seconds, rank.stuck_for);
    }
  }
  return worst;
}

// Where only the GPUs are seen: all are busy, none works hard, and nobody waits for data.
bool communicates_by_gpu(const std::vector<Rank>& ranks) {
  std::size_t such = 0;
  for (const auto& rank : ranks) {
    double length = 0;
    double input = 0;
    for (const auto& step : rank.steps) {
      length += step.length();
      input += step.input;
    }
    if (length <= 0 || input > kNoInput * length || !rank.gpu_busy || !rank.power_share) return false;
    if (*rank.gpu_busy < kBusy || *rank.power_share > kLowPower) return false;
    ++such;
  }
  return such >= 2;
}

std::string milliseconds(double value) {
  return format_number(value, value < 10 ? 1 : 0) + " ms";
}

}  // namespace

Explained explain(const std::vector<Rank>& ranks) {
  Explained explained;
  const CommonSteps common{ranks};
  explained.ranks = common.speakers();
  explained.steps = common.size();
  explained.hung = hung_of(ranks);
  if (common.speakers() >= 2 && common.size() >= CommonSteps::kFewest) {
    // What the last seconds say is newer; the longer time also shows who is last in most steps, but not in all.
    explained.straggler = straggler_of(ranks, CommonSteps{ranks, false, CommonSteps::Span::kLately});
    if (!explained.straggler) explained.straggler = straggler_of(ranks, common);
    if (!explained.straggler) {
      const CommonSteps nodes{ranks, true};
      if (nodes.parties() >= 2 && nodes.parties() < ranks.size()) explained.straggler = straggler_of(ranks, nodes);
    }
    if (!explained.straggler) explained.imbalance = imbalance_of(common);
    explained.communication_ms = common.communication_ms();
    if (common.step_ms() > 0) explained.communication_share = *explained.communication_ms / common.step_ms();
  }
  explained.communication_by_gpu = communicates_by_gpu(ranks);
  return explained;
}

std::string_view to_string(Cause cause) {
  switch (cause) {
    case Cause::kUnknown: return "unknown";
    case Cause::kLoader: return "loader";
    case Cause::kLoaderDisk: return "disk";
    case Cause::kLoaderCpu: return "transform";
    case Cause::kCollector: return "garbage_collector";
    case Cause::kBatches: return "batches";
    case Cause::kHeat: return "heat";
    case Cause::kPowerCap: return "power_cap";
    case Cause::kLink: return "link";
    case Cause::kClock: return "clock";
    case Cause::kGpuNeighbor: return "gpu_neighbor";
    case Cause::kHostNeighbor: return "host_neighbor";
    case Cause::kHost: return "host";
    case Cause::kCompute: return "compute";
  }
  return "unknown";
}

std::string to_words(Cause cause, double figure) {
  const auto percent = [&] { return format_number(100 * figure, 0) + " %"; };
  switch (cause) {
    case Cause::kLoader: return "it waits " + milliseconds(figure) + " longer for its batches";
    case Cause::kLoaderDisk: return "its loader waits for disk, " + milliseconds(figure) + " longer than the others'";
    case Cause::kLoaderCpu: return "its loader computes, " + milliseconds(figure) + " longer than the others'";
    case Cause::kCollector: return "Python's garbage collector takes " + percent() + " of its time";
    case Cause::kBatches: return "its batches are " + percent() + " larger than the others'";
    case Cause::kHeat: return "heat slows its GPU down " + percent() + " of the time";
    case Cause::kPowerCap: return "the power limit slows its GPU down " + percent() + " of the time";
    case Cause::kLink: return "its PCIe link has only " + percent() + " of the others' rate";
    case Cause::kClock: return "its GPU's clock is " + percent() + " below the others'";
    case Cause::kGpuNeighbor: return "another process computes on its GPU";
    case Cause::kHostNeighbor:
      return "it is runnable without a core " + percent() + " of the time: others use its cores";
    case Cause::kHost: return "it waits " + milliseconds(figure) + " longer in its own code, without computing";
    case Cause::kCompute: return "it computes " + milliseconds(figure) + " longer than the others";
    case Cause::kUnknown: break;
  }
  return "the reason is unknown";
}

std::string to_words(const Straggler& found) {
  const std::string others = found.others == 1 ? "the other rank" : std::to_string(found.others) + " ranks";
  const std::string who = found.whole_node ? "node " + printable(found.node)
                          : "rank " + std::to_string(found.rank) + (found.node.empty() ? "" : " on " + printable(found.node));
  return who + " holds " + others + " up by " + milliseconds(found.held_ms) + " of each " + milliseconds(found.step_ms) +
         " step: " + to_words(found.cause, found.figure);
}

std::string to_words(const Imbalance& found) {
  return "the ranks wait for one another " + milliseconds(found.held_ms) + " of each " + milliseconds(found.step_ms) +
         " step, now for one and now for another: their batches differ, the largest is " +
         format_number(100 * (found.spread - 1), 0) + " % above the mean";
}

std::string as_sentence(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words;
}

std::string to_words(const Hung& found) {
  std::string text = "rank " + std::to_string(found.rank) + (found.node.empty() ? "" : " on " + printable(found.node)) +
                     " " + found.doing;
  const std::string time = found.seconds >= 1 ? " for " + format_number(found.seconds, 0) + " s" : "";
  if (!found.ended) text += time;
  if (found.step > 0) text += (found.ended ? " after step " : ", after step ") + std::to_string(found.step);
  if (found.waiting > 0)
    text += "; " + (found.waiting == 1 ? std::string{"one rank waits"} : std::to_string(found.waiting) + " ranks wait") +
            " for it";
  if (found.ended && found.waiting > 0 && !time.empty()) text += (found.waiting == 1 ? ", and has" : ", and have") + std::string{" done so"} + time;
  return text;
}

}  // namespace gputop::job

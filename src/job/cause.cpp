#include "job/cause.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/statistics.hpp"

namespace gputop::job {
namespace {

constexpr double kExplains = 0.4;      // of the delay: a part larger by this much is the cause
constexpr double kIoPressure = 0.15;   // of the time
constexpr double kOften = 0.1;         // of the time, more than the others
constexpr double kUneven = 0.1;        // more than the others
constexpr double kStarved = 0.15;      // of the time, more than the others
constexpr double kLittleStarved = 0.05;  // the same, if that explains the delay
constexpr double kComputes = 0.5;      // of the additional time: it is CPU time

class Comparison {
 public:
  Comparison(const std::vector<Rank>& ranks, std::size_t late, const CommonSteps& common)
      : ranks_(ranks), late_(late), common_(common) {}

  // How much more of it the late rank has than the others usually have.
  template <class Get>
  [[nodiscard]] double beyond(Get get) const {
    return get(*common_.means(late_)) - usual(get);
  }
  template <class Get>
  [[nodiscard]] double usual(Get get) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (!common_.same_party(i, late_) && common_.means(i)) values.push_back(get(*common_.means(i)));
    }
    return median(values).value_or(0);
  }
  // The same for readings that may be unknown; unknown if the rank does not report it.
  [[nodiscard]] Reading<double> own(Reading<double> Rank::* share) const { return ranks_[late_].*share; }
  [[nodiscard]] Reading<double> others(Reading<double> Rank::* share) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (!common_.same_party(i, late_) && (ranks_[i].*share)) values.push_back(*(ranks_[i].*share));
    }
    return median(values);
  }
  [[nodiscard]] bool above(Reading<double> Rank::* share, double by) const {
    return own(share) && *own(share) - others(share).value_or(0) >= by;
  }

 private:
  const std::vector<Rank>& ranks_;
  std::size_t late_;
  const CommonSteps& common_;
};

}  // namespace

std::pair<Cause, double> cause_of(const std::vector<Rank>& ranks,
                                  std::size_t late,
                                  const CommonSteps& common,
                                  double held) {
  using Means = CommonSteps::Means;
  if (!common.means(late)) return {Cause::kUnknown, 0};
  const Comparison compare{ranks, late, common};
  const auto& rank = ranks[late];
  const double input = compare.beyond([](const Means& m) { return m.input; });
  const double own = compare.beyond([](const Means& m) { return m.own; });
  const double cpu = compare.beyond([](const Means& m) { return m.cpu; });
  const double length = common.step_ms();
  // The main thread stood in the run queue for so much of the delay, in whatever part of the step.
  const double starved = rank.starved_share ? *rank.starved_share - compare.others(&Rank::starved_share).value_or(0) : 0;
  const bool lacks_core = starved >= kLittleStarved && starved * length >= kExplains * held;
  if (input >= kExplains * held && input >= own) {
    // The loader's share of computing comes from its first batches; the step's CPU time says what it does now.
    if (cpu >= kComputes * input) return {Cause::kLoaderCpu, input};
    const bool on_disk = compare.above(&Rank::io_pressure, kIoPressure);
    // On a busy host both are seen: each return from the disk waits for a core.
    const double disk = on_disk ? *rank.io_pressure - compare.others(&Rank::io_pressure).value_or(0) : 0;
    if (lacks_core && starved > disk) return {Cause::kHostNeighbor, *rank.starved_share};
    return {on_disk ? Cause::kLoaderDisk : Cause::kLoader, input};
  }
  if (own < kExplains * held) return {Cause::kUnknown, 0};
  if (rank.collecting_share &&
      (*rank.collecting_share - compare.others(&Rank::collecting_share).value_or(0)) * length >= kExplains * held)
    return {Cause::kCollector, *rank.collecting_share};
  const auto items = [](const Means& m) { return m.items; };
  if (const double usual = compare.usual(items); usual > 0 && compare.beyond(items) >= kUneven * usual)
    return {Cause::kBatches, compare.beyond(items) / usual};
  if (compare.above(&Rank::thermal_share, kOften)) return {Cause::kHeat, *rank.thermal_share};
  if (compare.above(&Rank::power_cap_share, kOften)) return {Cause::kPowerCap, *rank.power_cap_share};
  if (rank.gpu_neighbor) return {Cause::kGpuNeighbor, 0};
  if (const auto link = compare.others(&Rank::link_share); rank.link_share && link && *rank.link_share < 0.75 * *link)
    return {Cause::kLink, *rank.link_share / *link};
  if (const auto clock = compare.others(&Rank::clock_share); rank.clock_share && clock && *rank.clock_share < 0.9 * *clock)
    return {Cause::kClock, 1 - *rank.clock_share / *clock};
  if (lacks_core || starved >= kStarved) return {Cause::kHostNeighbor, *rank.starved_share};
  return cpu >= kComputes * own ? std::pair{Cause::kCompute, own} : std::pair{Cause::kHost, own};
}

}  // namespace gputop::job

// What the lenses of a run have said so far: the Model's part about them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "gputop/core/lens.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// Something a lens said, and when it said so last.
template <class T>
struct Said {
  T value{};
  Instant at;
};

// One process that trains.
struct LensProcess {
  std::int64_t pid = 0;  // as gputop sees it
  LensHello hello;
  Instant since;
  Instant heard;
  std::vector<Said<LensLoader>> loaders;
  std::vector<Said<LensOptimizer>> optimizers;
  Reading<Said<LensModel>> model;
  Reading<Said<LensEnvironment>> environment;
  Reading<Said<LensMemory>> memory;
  Reading<Said<LensFlops>> flops;
  Reading<Said<LensFramework>> framework;
  std::deque<Said<LensTick>> ticks;  // newest last, bounded
  Reading<Said<LensTick>> warm;      // the first after the warm-up,
  Reading<Said<LensTick>> early;     // and the last of the minute behind it: what a slow-down shows against
  Reading<Said<LensPhase>> phase;    // it has been at that for seconds
  unsigned faults = 0;
  bool ended = false;

  static constexpr std::size_t kTicks = 400;  // a quarter of an hour and more
  static constexpr std::size_t kTicksWithSteps = 30;
  static constexpr std::uint64_t kWarmUpSteps = 20;
  static constexpr Duration kEarly = std::chrono::minutes{1};

  [[nodiscard]] Reading<unsigned> rank() const;
  // The loader whose batches most optimizer steps were made of; nullptr: none yet.
  [[nodiscard]] const Said<LensLoader>* training_loader() const;
  // Since the tick before the last, only loaders that nothing is learnt from were drawn from. nullopt: none was.
  [[nodiscard]] Reading<bool> validates() const;
  // A loader's counts in the last tick, and in the first one not before `from`; both or none.
  struct Span {
    LensLoaderTick first;
    LensLoaderTick last;
    std::uint64_t steps = 0;  // of the busiest optimizer, in between
    Duration time{};
    Instant at;  // of the last
  };
  [[nodiscard]] Reading<Span> span(unsigned loader, Instant from) const;
};

struct LensTrack {
  std::vector<LensProcess> processes;     // in the order they came
  std::deque<Said<LensAck>> answers;      // to commands, newest last, bounded
  std::deque<Said<LensApplied>> applied;  // what a launch or an epoch began with, newest last, bounded
  std::vector<LensOom> ooms;
  std::string unavailable;  // why there can be no lens: "isolated mode …"; "" when nothing is in its way

  static constexpr std::size_t kAnswers = 64;

  // The first process that trains: rank 0 where there are ranks.
  [[nodiscard]] const LensProcess* main() const;
};

// What a message is worth a line in the log, "" for most.
std::string update(LensTrack& track, Instant at, std::int64_t pid, const LensMessage& message);

}  // namespace gputop

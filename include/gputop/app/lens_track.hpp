// What the lenses of a run have reported so far: the Model's part about them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "gputop/core/lens.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// Something a lens reported, and when it last did.
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
  Reading<Said<LensTick>> warm;      // the first one after the warm-up
  Reading<Said<LensTick>> early;     // the last one of the minute after it: the reference for a later slow-down
  Reading<Said<LensPhase>> phase;    // it has been in this phase for seconds
  unsigned faults = 0;
  bool ended = false;

  static constexpr std::size_t kTicks = 400;  // more than a quarter of an hour
  static constexpr std::size_t kTicksWithSteps = 30;
  static constexpr std::uint64_t kWarmUpSteps = 20;
  static constexpr Duration kEarly = std::chrono::minutes{1};

  [[nodiscard]] Reading<unsigned> rank() const;
  // The loader whose batches most optimizer steps consumed; nullptr: none yet.
  [[nodiscard]] const Said<LensLoader>* training_loader() const;
  // Since the tick before the last, only loaders without training were read. nullopt: none was.
  [[nodiscard]] Reading<bool> validates() const;
  // A loader's counts in the last tick and in the first one not before `from`: both or neither.
  struct Span {
    LensLoaderTick first;
    LensLoaderTick last;
    std::uint64_t steps = 0;  // of the busiest optimizer, in between
    Duration time{};
    Instant at;  // of the last tick
  };
  [[nodiscard]] Reading<Span> span(unsigned loader, Instant from) const;
};

struct LensTrack {
  std::vector<LensProcess> processes;     // in the order of their arrival
  std::deque<Said<LensAck>> answers;      // to commands, newest last, bounded
  std::deque<Said<LensApplied>> applied;  // what a launch or an epoch began with, newest last, bounded
  std::vector<LensOom> ooms;
  std::string unavailable;  // why there can be no lens: "isolated mode …"; "" if nothing prevents it

  static constexpr std::size_t kAnswers = 64;

  // The first process that trains: rank 0 if there are ranks.
  [[nodiscard]] const LensProcess* main() const;
};

// The line that a message gets in the log; "" for most.
std::string update(LensTrack& track, Instant at, std::int64_t pid, const LensMessage& message);

}  // namespace gputop

// One simulated GPU: physics of its runs, heat that comes and goes slowly, and the noise of its sensors.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gputop/core/gpu.hpp"
#include "gputop/core/time.hpp"
#include "gputop/sources/sim_physics.hpp"
#include "sources/sim/noise.hpp"

namespace gputop {

struct SimProcess {
  std::int64_t pid = 0;
  SimTask task;
};

struct SimGpuSetup {
  SimCard card;
  unsigned index = 0;
  Watts power_limit{};  // in force; the card's own unless someone lowered it
  double cooling = 1;   // share of the heat removal the card should have
};

class SimGpu {
 public:
  // `scenario` seeds the noise.
  SimGpu(const SimGpuSetup& setup, std::string_view scenario);

  // Time goes forward from one call to the next; the first call finds the card as warm as its load makes it.
  GpuReading read(Instant now, std::span<const SimProcess> processes);
  // As a driver reports a card that has fallen off the bus: who it was, and nothing more.
  [[nodiscard]] GpuReading read_lost() const;

  [[nodiscard]] const SimCard& card() const { return setup_.card; }
  [[nodiscard]] unsigned index() const { return setup_.index; }

 private:
  [[nodiscard]] GpuReading identity() const;
  [[nodiscard]] Celsius settled_at(Watts power) const;
  [[nodiscard]] Celsius throttles_at() const { return setup_.card.slowdown - Celsius{4}; }
  [[nodiscard]] Watts power_at(Celsius temperature) const;
  SimLoad load(std::span<const SimTask> tasks, bool& hot) const;
  void warm(Instant now, Watts power);

  SimGpuSetup setup_;
  Noise noise_;
  std::optional<Instant> read_at_;
  Celsius temperature_{0};
  Joules energy_{0};
};

}  // namespace gputop

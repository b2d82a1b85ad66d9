// One simulated GPU: the physics of its runs, slow heating and cooling, and sensor noise.
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
  Watts power_limit{};  // enforced; the card's own unless someone lowered it
  double cooling = 1;   // share of the heat removal that the card should have
};

class SimGpu {
 public:
  // `scenario` seeds the noise.
  SimGpu(const SimGpuSetup& setup, std::string_view scenario);

  // Time must not go backwards between calls; at the first call the card already has the temperature of its load.
  GpuReading read(Instant now, std::span<const SimProcess> processes);
  // As a driver reports a card that fell off the bus: its identity only.
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

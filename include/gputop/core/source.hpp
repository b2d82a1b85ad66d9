// The contract of everything that produces events: NVML, the host, the simulation, a recording.
#pragma once

#include <functional>
#include <string_view>

#include "gputop/core/event.hpp"

namespace gputop {

// Threads: start, tick and stop are called from one thread (the loop's). The source may call the sink from any of its
// own threads; the engine's sink only queues. No call may block: a slow reading is delivered when it is ready.
class Source {
 public:
  using Sink = std::function<void(Event)>;

  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // The user's name for it: "nvml", "host", "sim:healthy", "replay".
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Called once. The source emits a SourceStatus soon afterwards.
  virtual void start(Instant now, Sink sink) = 0;

  // Requests a reading. Answers arrive through the sink, stamped with the tick's time.
  virtual void tick(Instant now) = 0;

  // The sink is not called again after this returns. Returns at once, even while a call inside the source hangs.
  virtual void stop() = 0;
};

}  // namespace gputop

// The one contract of everything that produces events: NVML, the host, the simulation, a recording.
#pragma once

#include <functional>
#include <string_view>

#include "gputop/core/event.hpp"

namespace gputop {

// Thread rules: start, tick and stop are called from one thread (the loop's). The sink may be called from any thread of
// the source's own; the engine's sink only queues. No call may block: a reading that takes long is delivered when it is
// there.
class Source {
 public:
  using Sink = std::function<void(Event)>;

  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // As the user names it: "nvml", "host", "sim:healthy", "replay".
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Called once. The source soon emits a SourceStatus.
  virtual void start(Instant now, Sink sink) = 0;

  // Asks for a reading. Answers come through the sink, each stamped with the tick's time.
  virtual void tick(Instant now) = 0;

  // After it returns the sink is not called again. Returns at once even while a call inside the source hangs.
  virtual void stop() = 0;
};

}  // namespace gputop

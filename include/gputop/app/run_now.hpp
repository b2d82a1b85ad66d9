// What the run does right now: by the lens's counts if there are any, otherwise by what it prints.
#pragma once

#include "gputop/app/model.hpp"
#include "gputop/logs/throughput.hpp"

namespace gputop {

// The batch of one micro-step of one rank.
Reading<std::uint64_t> current_batch(const Model& model);

// Validation batches came since the last report and no training batches; without a lens, what was printed last.
bool is_validating(const Model& model);

// At this moment: nullopt while it validates or stalls.
Reading<Throughput> throughput_now(const Model& model, Instant at);

// The last known one. A run that prints tokens keeps showing tokens.
Reading<Throughput> last_throughput(const Model& model);

// Since the last output, batch or step. nullopt: there is no run.
Reading<Duration> still_for(const Model& model, Instant now);

}  // namespace gputop

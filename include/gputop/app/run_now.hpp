// What the run does just now: by the lens's counts where there are some, else by what it prints.
#pragma once

#include "gputop/app/model.hpp"
#include "gputop/logs/throughput.hpp"

namespace gputop {

// The batch of one micro-step of one rank.
Reading<std::uint64_t> current_batch(const Model& model);

// Batches of a validation loader came since the last report, and none to learn from; else what was printed last.
bool is_validating(const Model& model);

// Of this moment: nullopt while it validates or stands still.
Reading<Throughput> throughput_now(const Model& model, Instant at);

// The last one there was. What is printed in tokens stays what people look at.
Reading<Throughput> last_throughput(const Model& model);

// Since the last output, batch or step. nullopt: there is no run.
Reading<Duration> still_for(const Model& model, Instant now);

}  // namespace gputop

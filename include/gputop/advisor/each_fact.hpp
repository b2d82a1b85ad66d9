// The facts that have a source, by name: for whoever shows or writes all of them.
#pragma once

#include "gputop/advisor/facts.hpp"

namespace gputop {

// visit("batch_size", Known<…>) for each, known or not.
template <class Visit>
void each_fact(const Facts& facts, Visit&& visit) {
  const auto& settings = facts.settings;
  visit("batch_size", settings.batch_size);
  visit("accumulation", settings.accumulation);
  visit("learning_rate", settings.learning_rate);
  visit("optimizer", settings.optimizer);
  visit("precision", settings.precision);
  visit("tf32", settings.tf32);
  visit("workers", settings.workers);
  visit("prefetch", settings.prefetch);
  visit("pin_memory", settings.pin_memory);
  visit("persistent_workers", settings.persistent_workers);
  visit("checkpointing", settings.checkpointing);
  visit("threads", settings.threads);
  visit("parameters", settings.parameters);
  visit("model", settings.model_class);
  const auto& step = facts.step;
  visit("samples_per_second", step.samples_per_second);
  visit("step_time", step.step_time);
  visit("input_wait_share", step.input_wait_share);
  visit("fetch_cpu_share", step.fetch_cpu_share);
  visit("transfer_share", step.transfer_share);
  visit("communication_share", step.communication_share);
  visit("pause_share", step.pause_share);
  visit("step_variation", step.variation);
  visit("rate_spread", step.rate_spread);
  visit("activations_per_sample", facts.memory.activations_per_sample);
}

}  // namespace gputop

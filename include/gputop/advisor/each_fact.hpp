// Visits all facts that have a source, by name, for code that shows or writes all of them.
#pragma once

#include <optional>
#include <type_traits>

#include "gputop/advisor/facts.hpp"

namespace gputop {

// visit("batch_size", Known<…>) for each, known or not.
template <class Visit>
void each_fact(const Facts& facts, Visit&& visit) {
  const auto& settings = facts.settings;
  visit("batch_size", settings.batch_size);
  visit("accumulation", settings.accumulation);
  visit("learning_rate", settings.learning_rate);
  // A model that gputop does not know keeps its own name.
  const bool other = settings.optimizer && settings.optimizer->value == OptimizerKind::kOther;
  if (other && settings.optimizer_name) {
    visit("optimizer", settings.optimizer_name);
  } else {
    visit("optimizer", settings.optimizer);
  }
  visit("precision", settings.precision);
  visit("tf32", settings.tf32);
  visit("workers", settings.workers);
  visit("prefetch", settings.prefetch);
  visit("pin_memory", settings.pin_memory);
  visit("persistent_workers", settings.persistent_workers);
  visit("checkpointing", settings.checkpointing);
  visit("threads", settings.threads);
  visit("parameters", settings.parameters);
  visit("trainable_parameters", settings.trainable_parameters);
  visit("model", settings.model_class);
  visit("dataset_size", settings.dataset_size);
  visit("eval_batch_size", settings.eval_batch_size);
  visit("compiled", settings.compiled);
  visit("channels_last", settings.channels_last);
  visit("world_size", settings.world_size);
  const auto& step = facts.step;
  visit("epoch", step.epoch);
  visit("step", step.step);
  visit("total_steps", step.total_steps);
  visit("loss", step.loss);
  visit("samples_per_second", step.samples_per_second);
  visit("tokens_per_second", step.tokens_per_second);
  visit("step_time", step.step_time);
  visit("input_wait_share", step.input_wait_share);
  visit("fetch_cpu_share", step.fetch_cpu_share);
  visit("transfer_share", step.transfer_share);
  visit("communication_share", step.communication_share);
  visit("pause_share", step.pause_share);
  visit("checkpoint_share", step.checkpoint_share);
  visit("step_variation", step.variation);
  visit("rate_spread", step.rate_spread);
  visit("epoch_start_share", step.epoch_start_share);
  visit("run_time", step.run_time);
  visit("data_time", step.data_time);
  visit("eta", step.eta);
  visit("printed_memory", step.printed_memory);
  const auto& efficiency = facts.efficiency;
  visit("flops_per_step", efficiency.step_flops);
  visit("flops_by", efficiency.flops_by);
  visit("flops_per_second", efficiency.flops_per_second);
  visit("peak_flops_per_second", efficiency.peak);
  visit("peak_by", efficiency.peak_by);
  visit("mfu", efficiency.mfu);
  visit("calibrated_share", efficiency.calibrated_share);
  visit("operations_per_second", efficiency.operations_per_second);
  visit("optimizer_share", efficiency.optimizer_share);
  visit("energy_wh", efficiency.energy);
  visit("wh_per_1000_samples", efficiency.energy_per_1000);
  visit("cost", efficiency.cost);
  visit("activations_per_sample", facts.memory.activations_per_sample);
  // Observations of the processes, over the window that ends now.
  const auto seen = [&](const char* name, const auto& reading) {
    using Value = std::decay_t<decltype(*reading)>;
    visit(name, reading ? Known<Value>{Fact<Value>{*reading, FactSource::kObserved, facts.now}} : Known<Value>{});
  };
  const auto& tree = facts.tree;
  seen("ranks", tree.ranks);
  // They cannot be observed if they are threads, or between two epochs: the count in the settings stays.
  const bool unseen = tree.workers == 0U && settings.workers && settings.workers->value > 0;
  seen("loader_workers", unseen ? Reading<unsigned>{} : tree.workers);
  seen("worker_cores", tree.worker_cpu);  // of each
  seen("worker_idle_share", tree.worker_idle_share);
  seen("worker_disk_wait_share", tree.worker_disk_share);   // in state D
  seen("worker_starved_share", tree.worker_starved_share);  // runnable without a core
  seen("main_process_cores", tree.main_cpu);
  seen("involuntary_switches_per_second", tree.involuntary_switches);
  seen("page_cache_share", tree.page_cache_share);
  const auto& throttled = facts.host.quota_throttled;
  seen("quota_throttled_share", throttled ? Reading<double>{throttled->value() / 100} : std::nullopt);
  Reading<Bytes> of_run;
  Reading<Bytes> of_others;
  const auto add = [](Reading<Bytes>& sum, const Reading<Bytes>& part) {
    if (part) sum = sum.value_or(Bytes{}) + *part;
  };
  for (const auto& gpu : facts.gpus) {
    add(of_run, gpu.run_memory);
    add(of_others, gpu.neighbour_memory);
  }
  seen("gpu_memory_of_run", of_run);
  seen("gpu_memory_of_others", of_others);
}

}  // namespace gputop

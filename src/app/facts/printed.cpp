// What the run prints about itself.
#include <algorithm>

#include "app/facts/parts.hpp"
#include "gputop/app/run_now.hpp"

namespace gputop::facts {

void add_printed(Gathering& gathering, const RunProgress& progress) {
  constexpr auto kPrinted = FactSource::kPrinted;
  auto& [model, facts, take, from] = gathering;
  const Instant at = progress.at;
  auto& step = facts.step;
  // The lens counts batches since the start, a progress bar perhaps those of its epoch: two different counts, not a
  // disagreement.
  if (!step.step && progress.step) take("step", step.step, *progress.step, kPrinted, at);
  take("total_steps", step.total_steps, progress.total, kPrinted, at);
  take("epoch", step.epoch, progress.epoch, kPrinted, at);
  take("epochs", step.epochs, progress.epochs, kPrinted, at);
  take("loss", step.loss, progress.loss, kPrinted, at);
  take("data_time", step.data_time, progress.data_time, kPrinted, at);
  take("printed_memory", step.printed_memory, progress.memory, kPrinted, at);
  if (!model.run->end) take("eta", step.eta, progress.eta, kPrinted, at);
  take("samples_per_second", step.samples_per_second, progress.samples_per_second, kPrinted, at);
  take("tokens_per_second", step.tokens_per_second, progress.tokens_per_second, kPrinted, at);
  take("input_wait_share", step.input_wait_share, progress.input_wait_share, kPrinted, at);
  // With gradient accumulation, the lens's step is one batch and the printed one several: used only without a lens.
  if (!step.steps_per_second && progress.steps_per_second && *progress.steps_per_second > 0) {
    take("steps_per_second", step.steps_per_second, *progress.steps_per_second, kPrinted, at);
    take("step_time", step.step_time, from_seconds(1 / *progress.steps_per_second), kPrinted, at);
  }
  const Instant end = model.run->end ? model.run->ended : model.now;
  const Duration paused = progress.validation_time + progress.checkpoint_time;
  if (!step.pause_share && paused.count() > 0 && end > progress.first_at) {
    const double time = to_seconds(end - progress.first_at);
    take("pause_share", step.pause_share, std::min(1.0, to_seconds(paused) / time), kPrinted, at);
    take("checkpoint_share", step.checkpoint_share, std::min(1.0, to_seconds(progress.checkpoint_time) / time),
         kPrinted, at);
  }
  if (step.samples_per_second && step.samples_per_second->source == kPrinted) {
    take("early_samples_per_second", step.early_samples_per_second, progress.early_samples_per_second, kPrinted, at);
  }
  if (step.steps_per_second && step.steps_per_second->source == kPrinted) {
    take("early_steps_per_second", step.early_steps_per_second, progress.early_steps_per_second, kPrinted, at);
  }
  // How long the whole run takes: by its ETA while it runs, by the clock once it finished.
  if (!model.run->end && progress.eta) {
    take("run_time", step.run_time, progress.at - model.run->since + *progress.eta, kPrinted, at);
  } else if (model.run->log.end().kind == EndKind::kFinished) {
    take("run_time", step.run_time, end - model.run->since, FactSource::kObserved, end);
  }
  auto& settings = facts.settings;
  take("batch_size", settings.batch_size, progress.batch_size, kPrinted, at);
  take("accumulation", settings.accumulation, progress.accumulation, kPrinted, at);
  take("learning_rate", settings.learning_rate, progress.learning_rate, kPrinted, at);
  take("parameters", settings.parameters, progress.model_parameters, kPrinted, at);
  take("trainable_parameters", settings.trainable_parameters, progress.parameters, kPrinted, at);
  facts.in_validation = is_validating(model);
}

}  // namespace gputop::facts

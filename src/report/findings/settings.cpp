#include "gputop/advisor/value_words.hpp"
#include "report/findings/parts.hpp"

namespace gputop::report {

std::vector<ReportedSetting> found_settings(const SettingFacts& settings) {
  std::vector<ReportedSetting> found;
  const auto add = [&](const char* name, const auto& known) {
    if (known) found.push_back({name, value_words(known->value), std::string{to_string(known->source)}});
  };
  add("model", settings.model_class);
  add("parameters", settings.parameters);
  add("trainable parameters", settings.trainable_parameters);
  add("batch_size", settings.batch_size);
  add("accumulation", settings.accumulation);
  add("learning_rate", settings.learning_rate);
  if (settings.optimizer && settings.optimizer->value == OptimizerKind::kOther && settings.optimizer_name) {
    add("optimizer", settings.optimizer_name);
  } else {
    add("optimizer", settings.optimizer);
  }
  add("precision", settings.precision);
  add("tf32", settings.tf32);
  add("workers", settings.workers);
  add("prefetch", settings.prefetch);
  add("pin_memory", settings.pin_memory);
  add("persistent_workers", settings.persistent_workers);
  add("cudnn_benchmark", settings.cudnn_benchmark);
  add("checkpointing", settings.checkpointing);
  add("compiled", settings.compiled);
  add("channels_last", settings.channels_last);
  add("threads", settings.threads);
  add("world_size", settings.world_size);
  add("eval_batch_size", settings.eval_batch_size);
  add("dataset_size", settings.dataset_size);
  return found;
}

}  // namespace gputop::report

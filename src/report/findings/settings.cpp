#include "gputop/core/format.hpp"
#include "report/findings/parts.hpp"

namespace gputop::report {
namespace {

std::string in_words(bool value) {
  return value ? "on" : "off";
}
std::string in_words(std::uint64_t value) {
  return std::to_string(value);
}
std::string in_words(unsigned value) {
  return std::to_string(value);
}
std::string in_words(Precision value) {
  return std::string{to_string(value)};
}
std::string in_words(OptimizerKind value) {
  return std::string{to_string(value)};
}
std::string in_words(const std::string& value) {
  return printable(value);
}
// Learning rates are small: as many digits as say something.
std::string in_words(double value) {
  int decimals = 2;
  for (double left = value; left > 0 && left < 1 && decimals < 12; left *= 10) ++decimals;
  auto text = format_number(value, decimals);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    const bool point = text.back() == '.';
    text.pop_back();
    if (point) break;
  }
  return text;
}

}  // namespace

std::vector<ReportedSetting> found_settings(const SettingFacts& settings) {
  std::vector<ReportedSetting> found;
  const auto add = [&](const char* name, const auto& known) {
    if (known) found.push_back({name, in_words(known->value), std::string{to_string(known->source)}});
  };
  add("model", settings.model_class);
  add("parameters", settings.parameters);
  add("trainable parameters", settings.trainable_parameters);
  add("batch_size", settings.batch_size);
  add("accumulation", settings.accumulation);
  add("learning_rate", settings.learning_rate);
  add("optimizer", settings.optimizer);
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
  return found;
}

}  // namespace gputop::report

#include "gputop/app/knob_evidence.hpp"

#include <string>
#include <type_traits>

namespace gputop {
namespace {

template <class T>
knobs::Value value_of(const T& fact) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> || std::is_same_v<T, std::string>) {
    return fact;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(fact);
  } else {
    return std::string{to_string(fact)};
  }
}

template <class T>
void add(knobs::Evidence& evidence, const char* knob, const Known<T>& fact) {
  if (!fact || fact->source <= FactSource::kWritten) return;
  evidence.seen.push_back({knob, value_of(fact->value), std::string{to_string(fact->source)}});
}

}  // namespace

knobs::Evidence knob_evidence(const SettingFacts& settings) {
  knobs::Evidence evidence;
  add(evidence, "batch_size", settings.batch_size);
  add(evidence, "accumulation", settings.accumulation);
  add(evidence, "learning_rate", settings.learning_rate);
  add(evidence, "workers", settings.workers);
  add(evidence, "prefetch", settings.prefetch);
  add(evidence, "pin_memory", settings.pin_memory);
  add(evidence, "persistent_workers", settings.persistent_workers);
  add(evidence, "precision", settings.precision);
  add(evidence, "tf32", settings.tf32);
  add(evidence, "cudnn_benchmark", settings.cudnn_benchmark);
  add(evidence, "checkpointing", settings.checkpointing);
  add(evidence, "compile", settings.compiled);
  add(evidence, "channels_last", settings.channels_last);
  add(evidence, "threads", settings.threads);
  add(evidence, "optimizer", settings.optimizer);
  if (settings.world_size && settings.world_size->value > 0) evidence.ranks = settings.world_size->value;
  return evidence;
}

}  // namespace gputop

// What the run's command line and files say about its settings.
#include <charconv>

#include "app/facts/parts.hpp"

namespace gputop::facts {
namespace {

template <class T>
Reading<T> number_in(const std::string& text) {
  T value{};
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc{} && parsed.ptr == end ? Reading<T>{value} : std::nullopt;
}

Reading<bool> truth_in(const std::string& text) {
  if (text == "true" || text == "True" || text == "1") return true;
  if (text == "false" || text == "False" || text == "0") return false;
  return std::nullopt;
}

// The value "true" of a switch named amp or fp16.
Reading<Precision> precision_in(const std::string& text) {
  const auto known = parse_precision(text);
  return known ? Reading<Precision>{*known} : std::nullopt;
}

Reading<OptimizerKind> optimizer_in(const std::string& text) {
  const auto known = parse_optimizer(text);
  return known ? Reading<OptimizerKind>{*known} : std::nullopt;
}

}  // namespace

void add_written(Gathering& gathering, const WrittenSettings& written) {
  auto& settings = gathering.facts.settings;
  for (const auto& [knob, value, place] : written.settings) {
    const auto said = [&, &knob = knob](const char* name, auto& fact, const auto& read) {
      if (knob == name) gathering.take(name, fact, read, FactSource::kWritten, written.at);
    };
    said("batch_size", settings.batch_size, number_in<std::uint64_t>(value));
    said("accumulation", settings.accumulation, number_in<std::uint64_t>(value));
    said("eval_batch_size", settings.eval_batch_size, number_in<std::uint64_t>(value));
    said("learning_rate", settings.learning_rate, number_in<double>(value));
    said("workers", settings.workers, number_in<unsigned>(value));
    said("prefetch", settings.prefetch, number_in<unsigned>(value));
    said("pin_memory", settings.pin_memory, truth_in(value));
    said("persistent_workers", settings.persistent_workers, truth_in(value));
    said("precision", settings.precision, precision_in(value));
    said("tf32", settings.tf32, truth_in(value));
    said("checkpointing", settings.checkpointing, truth_in(value));
    said("compile", settings.compiled, truth_in(value));
    said("channels_last", settings.channels_last, truth_in(value));
    said("optimizer", settings.optimizer, optimizer_in(value));
  }
}

}  // namespace gputop::facts

#include "gputop/advisor/memory_parts.hpp"

#include <algorithm>

#include "advisor/batch_memory.hpp"
#include "advisor/phrase.hpp"
#include "gputop/core/format.hpp"

namespace gputop {

std::string memory_parts(const Facts& facts) {
  const auto& memory = facts.memory;
  std::string text;
  Bytes counted;
  const auto add = [&](const char* name, Bytes bytes) {
    if (bytes.value() == 0) return;
    text += (text.empty() ? "" : ", ") + std::string{name} + " " + format_bytes(bytes);
    counted = counted + bytes;
  };
  if (memory.parameters) add("parameters", memory.parameters->value);
  if (memory.gradients) add("gradients", memory.gradients->value);
  if (memory.optimizer) add("optimizer", memory.optimizer->value);
  if (memory.activations_per_sample && facts.settings.batch_size) {
    add("activations", memory.activations_per_sample->value * facts.settings.batch_size->value);
  }
  if (text.empty()) return text;
  const auto used = BatchMemory::of(facts, Thresholds{});
  if (!used) return text;
  if (counted < used->used()) add("the rest", used->used() - counted);
  return text + "; " + format_bytes(used->used()) + " of " + format_bytes(used->total()) + " (" +
         percent_words(used->used() / used->total()) + ")";
}

}  // namespace gputop

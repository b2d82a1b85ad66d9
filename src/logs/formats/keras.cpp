// Keras 2 — "1875/1875 [=====] - 4s 2ms/step - loss: 0.45", Keras 3 — "1875/1875 ━━━━ 4s 2ms/step - accuracy: 0.88 -
// loss: 0.45".
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> keras(std::string_view line) {
  auto text = trimmed(line);
  const auto step = leading_number(text);
  if (!step || !step->whole || !slice(text, step->length).starts_with('/')) return std::nullopt;
  skip_front(text, step->length + 1);
  Progress progress;
  if (text.starts_with("Unknown")) {
    skip_front(text, 7);
  } else if (const auto total = leading_number(text); total && total->whole) {
    progress.total = to_count(total->value);
    skip_front(text, total->length);
  } else {
    return std::nullopt;
  }
  text = trimmed(text);
  const bool second = text.starts_with("[=") || text.starts_with("[>") || text.starts_with("[.");
  const bool third = text.starts_with("\xE2\x94\x81") || text.starts_with("\xE2\x94\x80");
  if (second) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    skip_front(text, end + 1);
  } else if (third) {
    while (text.starts_with("\xE2\x94")) skip_front(text, 3);
  } else if (progress.total) {
    return std::nullopt;
  }
  progress.step = to_count(step->value);
  progress.bar = true;
  progress.step_in_epoch = true;
  text = trimmed(text);
  // Keras 3 shows what is left in place of what it took, while it runs.
  if (third && progress.total && *progress.step < *progress.total) {
    FieldReader reader{text};
    const auto left = reader.next();
    if (left && left->key.empty() && left->unit == "s") progress.eta = from_seconds(left->value);
    if (left && left->unit == kClock) progress.eta = from_seconds(left->value);
  }
  Progress said = progress;
  said.step.reset();
  apply_all(text, said);
  said.step = progress.step;
  said.total = progress.total;
  said.counts_samples = contains(text, "/sample");
  return said;
}

}  // namespace gputop::logs::formats

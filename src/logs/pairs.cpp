// Lines of "key: value" pairs: see read_pairs in format.hpp.
#include "logs/field.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"

namespace gputop::logs::formats {

Progress read_pairs(std::string_view line, bool step_time) {
  Progress progress;
  Reading<double> part;
  int parts = 0;
  FieldReader reader{line};
  while (const auto field = reader.next()) {
    auto understood = understand(*field);
    if (understood.meaning == Meaning::kPartLoss && parts++ == 0) part = understood.value;
    if (step_time && understood.meaning == Meaning::kPlainTime) understood.meaning = Meaning::kStepTime;
    // "853.33/s" has no thing before the slash: it counts samples.
    if (field->unit == "/s" && understood.meaning == Meaning::kNone)
      understood = {.meaning = Meaning::kSampleRate, .value = field->value};
    apply(understood, *field, progress);
  }
  if (parts > 1) part.reset();  // which of them speaks for all?
  progress.loss_is_part = !progress.loss && part;
  if (!progress.loss) progress.loss = part;
  return progress;
}

}  // namespace gputop::logs::formats

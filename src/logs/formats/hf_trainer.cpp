// HF Trainer — "{'loss': 0.41, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.32}" (values quoted since 4.5x),
// the header "  Instantaneous batch size per device = 8", and at the end train_samples_per_second. Its steps come from
// a tqdm bar.
#include <algorithm>
#include <array>
#include <utility>

#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {
namespace {

constexpr std::array<std::string_view, 8> kHeader{"Num Epochs = ",
                                                  "Instantaneous batch size per device = ",
                                                  "Total train batch size (w. parallel, distributed & accumulation) = ",
                                                  "Gradient Accumulation steps = ",
                                                  "Total optimization steps = ",
                                                  "Number of trainable parameters = ",
                                                  "train_samples_per_second ",
                                                  "train_steps_per_second "};

std::optional<Progress> header(std::string_view text) {
  Progress progress;
  if (text.starts_with("***** Running")) {
    const bool training = contains_word(text, "training");
    if (!training && !contains_word(text, "evaluation") && !contains_word(text, "prediction")) return std::nullopt;
    progress.phase = training ? Phase::kTraining : Phase::kValidation;
    return progress;
  }
  const auto known = std::find_if(kHeader.begin(), kHeader.end(), [&](auto start) { return text.starts_with(start); });
  const auto equals = text.find("= ");
  if (known == kHeader.end() || equals == std::string_view::npos) return std::nullopt;
  const auto number = leading_number(trimmed(slice(text, equals + 2)));
  if (!number || !(number->value >= 0)) return std::nullopt;
  const auto count = saturate<std::uint64_t>(number->value);
  switch (known - kHeader.begin()) {
    case 0: progress.epochs = number->value; break;
    case 1: progress.batch_size = count; break;
    case 2: progress.total_batch_size = count; break;
    case 3: progress.accumulation = count; break;
    case 4: progress.total = count; break;
    case 5: progress.parameters = count; break;
    case 6: progress.samples_per_second = number->value; break;
    default: progress.steps_per_second = number->value;
  }
  progress.whole_run = progress.samples_per_second || progress.steps_per_second;
  return progress;
}

}  // namespace

std::optional<Progress> hf_trainer(std::string_view line) {
  const auto text = trimmed(line);
  if (!text.starts_with('{')) return header(text);
  if (!contains(text, ".")) return std::nullopt;  // counts of words: {'loss': 114, 'epoch': 74, …}
  const bool summary = contains(text, "'train_runtime'") || contains(text, "\"train_runtime\"");
  const bool held_out =
      contains(text, "'eval_") || contains(text, "'predict_") || contains(text, "'test_") || contains(text, "\"eval_");
  const bool evaluation = held_out && (contains(text, "_loss") || contains(text, "_runtime") || contains(text, "epoch"));
  if (!summary && !evaluation && !(contains(text, "'epoch':") && contains(text, "loss"))) return std::nullopt;
  auto progress = read_pairs(text, false);
  // The bar has the steps, unless the line says "5/1234".
  if (!progress.total) progress.step.reset();
  if (!progress.step) progress.total.reset();
  // LLaMA-Factory's "throughput" is one of tokens.
  if (contains(text, "'throughput'") && !progress.tokens_per_second)
    std::swap(progress.tokens_per_second, progress.samples_per_second);
  if (evaluation) {
    Progress validation;
    validation.phase = Phase::kValidation;
    validation.epoch = progress.epoch;
    return validation;
  }
  progress.phase = Phase::kTraining;
  progress.whole_run = summary;
  return progress;
}

}  // namespace gputop::logs::formats

#include "logs/label.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

// Words; with a star, beginnings of words.
constexpr std::array<std::string_view, 54> kOther{
    "download*",  "upload*",   "map",      "filter",    "tokeniz*",   "tokenis*",    "loading",    "load",
    "extract*",   "resolving", "fetch*",   "caching",   "scanning",   "preproc*",    "processing", "convert*",
    "saving",     "writing",   "reading",  "grouping",  "packing",    "shuffling",   "indexing",   "building",
    "compiling",  "quantiz*",  "creating", "computing", "collecting", "calculating", "generating", "casting",
    "flattening", "shards",    "truncat*", "applying",  "adding",     "dataset",     "datasets",   "captur*",
    "sampling",   "sampler",   "denois*",  "decoding",  "encoding",   "rendering",   "evolving",   "plotting",
    "prompt",     "prompts",   "weights",  "requests",  "unpacking",  "copying"};
// A file that is fetched or unpacked.
constexpr std::array<std::string_view, 11> kFiles{".json", ".safetensors", ".parquet", ".zip", ".bin",  ".gz",
                                                  ".tar",  ".txt",         ".md",      ".pt",  ".model"};
constexpr std::array<std::string_view, 10> kValidation{"val",     "valid*", "eval*",    "test*",   "dev",
                                                       "sanity*", "infer*", "predict*", "heldout", "scoring"};
constexpr std::array<std::string_view, 10> kTraining{"train*", "epoch*", "ep",     "fit",      "fitting",
                                                     "step*",  "iter*",  "batch*", "finetun*", "pretrain*"};

template <std::size_t N>
bool any_of(const Words& words, const std::array<std::string_view, N>& patterns) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto fits = [word = words[i]](std::string_view pattern) {
      return last_char(pattern) == '*' ? word.starts_with(slice(pattern, 0, pattern.size() - 1)) : word == pattern;
    };
    if (std::any_of(patterns.begin(), patterns.end(), fits)) return true;
  }
  return false;
}

}  // namespace

Phase phase_of(std::string_view label) {
  if (label.empty()) return Phase::kUnknown;
  const Words words{label};
  const bool file = std::any_of(kFiles.begin(), kFiles.end(), [&](auto suffix) { return label.ends_with(suffix); });
  if (file || any_of(words, kOther)) return Phase::kOther;
  if (any_of(words, kValidation)) return Phase::kValidation;
  if (any_of(words, kTraining)) return Phase::kTraining;
  return Phase::kUnknown;
}

void read_label(std::string_view label, Progress& progress) {
  const Words words{label};
  const bool epochs = words.has_any("epoch", "epochs");
  FieldReader reader{label};
  while (const auto field = reader.next()) {
    auto understood = understand(*field);
    // "1/3 * Epoch (train)"
    const bool alone = label.starts_with('[') && field->begin == 1 && label.find(']') + 2 >= label.size();  // "[2/10]:"
    if (understood.meaning == Meaning::kFraction && (epochs || alone)) understood.meaning = Meaning::kEpoch;
    if (understood.meaning == Meaning::kEpoch || understood.meaning == Meaning::kLoss ||
        understood.meaning == Meaning::kMemory || understood.meaning == Meaning::kLearningRate) {
      apply(understood, *field, progress);
    }
  }
  progress.counts_epochs = !progress.epoch && epochs;
}

}  // namespace gputop::logs

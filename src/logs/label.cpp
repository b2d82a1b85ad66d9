#include "logs/label.hpp"

#include <algorithm>
#include <array>

#include "logs/meaning.hpp"
#include "logs/text.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

// Words; with a star, beginnings of words.
constexpr std::array<std::string_view, 38> kOther{
    "download*", "upload*",   "map",        "filter",    "tokeniz*",   "tokenis*",    "loading",     "load",
    "extract*",  "resolving", "fetch*",     "caching",   "scanning",   "preproc*",    "processing",  "convert*",
    "saving",    "writing",   "reading",    "grouping",  "packing",    "shuffling",   "indexing",    "building",
    "compiling", "quantiz*",  "creating",   "computing", "collecting", "calculating", "safetensors", "parquet",
    "zip",       "json",      "generating", "casting",   "flattening", "shards"};
constexpr std::array<std::string_view, 10> kValidation{"val",     "valid*", "eval*",    "test*",   "dev",
                                                       "sanity*", "infer*", "predict*", "heldout", "scoring"};
constexpr std::array<std::string_view, 10> kTraining{"train*", "epoch*", "ep",     "fit",      "fitting",
                                                     "step*",  "iter*",  "batch*", "finetun*", "pretrain*"};

template <std::size_t N>
bool any_of(const Words& words, const std::array<std::string_view, N>& patterns) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto fits = [word = words[i]](std::string_view pattern) {
      return pattern.back() == '*' ? word.starts_with(pattern.substr(0, pattern.size() - 1)) : word == pattern;
    };
    if (std::any_of(patterns.begin(), patterns.end(), fits)) return true;
  }
  return false;
}

}  // namespace

Phase phase_of(std::string_view label) {
  if (label.empty()) return Phase::kUnknown;
  const Words words{label};
  if (any_of(words, kOther)) return Phase::kOther;
  if (any_of(words, kValidation)) return Phase::kValidation;
  if (any_of(words, kTraining)) return Phase::kTraining;
  return Phase::kUnknown;
}

void read_label(std::string_view label, Progress& progress) {
  FieldReader reader{label};
  while (const auto field = reader.next()) {
    const auto understood = understand(*field);
    if (understood.meaning == Meaning::kEpoch || understood.meaning == Meaning::kLoss ||
        understood.meaning == Meaning::kMemory || understood.meaning == Meaning::kLearningRate) {
      apply(understood, *field, progress);
    }
  }
  const Words words{label};
  progress.counts_epochs = !progress.epoch && words.has_any("epoch", "epochs");
}

}  // namespace gputop::logs

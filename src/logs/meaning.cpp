#include "logs/meaning.hpp"

#include <cmath>

#include "logs/text.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

template <class... Word>
bool is_any(std::string_view word, Word... words) {
  return ((word == words) || ...);
}

bool is_step_word(std::string_view word) {
  return is_any(word, "it", "its", "iter", "iters", "iteration", "iterations", "step", "steps", "batch", "batches",
                "ba", "update", "updates", "minibatch", "up");
}
bool is_sample_word(std::string_view word) {
  return is_any(word, "sample", "samples", "ex", "example", "examples", "img", "imgs", "image", "images", "im", "seq",
                "seqs", "sequence", "sequences", "sent", "sents", "sentence", "sentences", "frame", "frames", "record",
                "records", "clip", "clips", "graph", "graphs", "row", "rows", "pair", "pairs", "video", "videos", "utt",
                "utts", "smp", "instances", "docs", "items", "timesteps", "env");
}
bool is_token_word(std::string_view word) {
  return is_any(word, "tok", "toks", "token", "tokens", "word", "words", "t");
}
bool is_second(std::string_view word) {
  return is_any(word, "s", "sec", "secs", "second", "seconds");
}
bool is_held_out(const Words& words) {
  return words.has_any("val", "valid", "validation", "eval", "test", "dev", "evaluation");
}

// Seconds in one of this unit of time.
Reading<double> time_unit(std::string_view word) {
  if (is_second(word)) return 1;
  if (is_any(word, "ms", "msec", "millisecond", "milliseconds")) return 1e-3;
  if (is_any(word, "us", "usec", "\xC2\xB5s", "\xCE\xBCs", "microseconds")) return 1e-6;
  if (is_any(word, "ns")) return 1e-9;
  if (is_any(word, "min", "mins", "minutes")) return 60;
  if (is_any(word, "h", "hours", "hrs")) return 3600;
  if (is_any(word, "day", "days")) return 86400;
  return std::nullopt;
}

Meaning rate_meaning(std::string_view word) {
  if (is_step_word(word)) return Meaning::kStepRate;
  if (is_sample_word(word)) return Meaning::kSampleRate;
  if (is_token_word(word)) return Meaning::kTokenRate;
  return Meaning::kOtherRate;
}

// "kit" of "1.05kit/s".
double take_prefix(std::string_view& word) {
  if (word.size() < 2 || rate_meaning(word) != Meaning::kOtherRate) return 1;
  const auto scale = multiplier(word[0]);
  if (!scale || rate_meaning(word.substr(1)) == Meaning::kOtherRate) return 1;
  word.remove_prefix(1);
  return *scale;
}

// Keys that name a rate: "samples_per_second", "tokens/sec", "it/s", "tps", "fps".
Meaning rate_key(const Words& words) {
  const auto last = words.back();
  if (words.has_any("flops", "tflops", "tflop", "mfu", "hfu", "gflops", "bytes", "gb", "mb")) return Meaning::kNone;
  if (is_any(last, "tps", "wps", "tgs") || words.are("tps", "gpu")) return Meaning::kTokenRate;
  if (is_any(last, "fps", "sps", "ips")) return Meaning::kSampleRate;
  if (last == "ups") return Meaning::kStepRate;
  // "tokens per second", "img s", with "(per device)" or "avg" behind or before.
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!is_second(words[i])) continue;
    std::size_t thing = i - 1;
    if (words[thing] == "per" && thing > 0) --thing;
    const auto meaning = rate_meaning(words[thing]);
    if (meaning != Meaning::kOtherRate) return meaning;
    if (words[thing] == "global") return Meaning::kNone;
  }
  return Meaning::kNone;
}

// Keys that name the time of one step: "step time", "ms/step", "elapsed time per iteration", "batch_cost", "dt".
bool is_step_time(const Words& words) {
  if (words.are("dt") || words.end_with("step", "avg")) return true;
  const auto per_step = [&](std::size_t i) { return is_step_word(words[i]); };
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool timed = words.has_any("time", "elapsed", "sec", "seconds", "ms", "cost", "latency", "duration");
    if (((words[i] == "per" && timed) || time_unit(words[i]).has_value()) && per_step(i + 1)) return true;
    if (per_step(i) && is_any(words[i + 1], "time", "cost", "duration", "latency", "ms", "dt")) return true;
    if (words[i] == "time" && per_step(i + 1)) return true;
  }
  return false;
}

bool is_data_time(const Words& words) {
  if (words.are("data") || words.are("dataload") || words.are("loader")) return true;
  if (words.has_any("data", "dataload", "dataloader", "dataloading", "load", "fetch", "loading", "reader")) {
    return words.has_any("time", "cost", "wait", "ms", "s", "sec");
  }
  return false;
}

Understood time_by_key(Meaning meaning, const Field& field, const Words& words) {
  double scale = 1;
  if (const auto unit = time_unit(field.unit)) {
    scale = *unit;
  } else if (!field.unit.empty() && field.unit != kClock) {
    return {};
  } else {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "ms" || words[i] == "msec") scale = 1e-3;
      if (words[i] == "us") scale = 1e-6;
    }
  }
  return {.meaning = meaning, .value = field.value * scale, .coarse = field.digits == 1};
}

Understood memory_by_key(const Field& field) {
  if (const auto unit = byte_unit(field.unit)) return {.meaning = Meaning::kMemory, .value = field.value * *unit};
  // Loggers that print no unit print MiB (detectron2, mmengine, torchvision).
  if (field.unit.empty() && field.value >= 16) return {.meaning = Meaning::kMemory, .value = field.value * 1024 * 1024};
  return {};
}

double count_of(const Field& field) {
  if (field.unit.size() == 1) return field.value * multiplier(field.unit[0]).value_or(1);
  return field.value;
}

Meaning batch_key(const Words& words) {
  if (words.has_any("accumulation", "accum") && words.has_any("steps", "step", "gradient", "grad"))
    return Meaning::kAccumulation;
  if (words.are("bsz") || words.are("bs")) return Meaning::kBatchSize;
  if (!words.has("batch") || !words.has_any("size", "sizes")) return Meaning::kNone;
  if (is_held_out(words) || words.has("dimensions")) return Meaning::kNone;
  if (words.has_any("global", "total", "effective", "overall")) return Meaning::kTotalBatchSize;
  return words.has("micro") || words.end_with("size") || words.has_any("device", "gpu", "train") ? Meaning::kBatchSize
                                                                                                 : Meaning::kNone;
}

Meaning loss_key(const Words& words) {
  if (!words.has_any("loss", "cost", "xent", "nll", "xentropy") && words.back() != "crossentropyloss")
    return Meaning::kNone;
  if (words.has_any("scale", "scaling", "scaler", "weight", "time", "fn", "function", "best", "patience", "mask"))
    return Meaning::kNone;
  if (is_held_out(words)) return Meaning::kHeldOutLoss;
  // "loss_rpn_cls", "box_loss": a part of what "loss" or "total_loss" says.
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_any(words[i], "loss", "cost", "xent", "nll", "xentropy", "crossentropyloss", "total", "tot", "train",
                "training", "avg", "average", "mean", "running", "lm", "ema", "batch", "step", "epoch", "final",
                "global", "current", "value", "smoothed", "overall", "cross", "entropy", "mlm")) {
      return Meaning::kPartLoss;
    }
  }
  return Meaning::kLoss;
}

Meaning step_key(const Words& words, const Field& field) {
  if (words.has_any("micro", "warmup", "save", "log", "logging", "eval", "size", "skipped", "max", "nan", "every",
                    "interval", "consumed", "lr", "decay", "seconds", "per", "rate", "inner")) {
    if (words.has("max") && words.has_any("steps", "iters", "iterations") && !field.of) return Meaning::kTotalSteps;
    return Meaning::kNone;
  }
  if (words.has("total") || words.has("num")) {
    if (words.has_any("steps", "iterations", "iters") && field.whole) return Meaning::kTotalSteps;
    if (words.has_any("updates", "timesteps") && field.whole) return Meaning::kStep;
    return Meaning::kNone;
  }
  if (words.are("steps") && !field.of) return Meaning::kTotalSteps;
  if (words.size() == 2 && is_any(words[1], "train", "training") && is_step_word(words[0]))
    return Meaning::kStep;  // "Iter(train)"
  return is_step_word(words.back()) || words.back() == "batchidx" || words.back() == "timesteps" ? Meaning::kStep
                                                                                                 : Meaning::kNone;
}

Understood by_key(const Field& field) {
  const Words words{field.key};
  if (words.empty()) return {};
  const auto last = words.back();
  const auto count = [&](Meaning meaning) { return Understood{.meaning = meaning, .value = count_of(field)}; };
  if (is_any(last, "eta") || words.end_with("time", "left") || last == "remaining" ||
      words.end_with("remaining", "time")) {
    return time_by_key(Meaning::kEta, field, words);
  }
  if (const auto meaning = rate_key(words); meaning != Meaning::kNone)
    return {.meaning = meaning, .value = count_of(field), .coarse = field.digits == 1};
  if (is_any(last, "throughput", "speed") && field.unit.empty() && !words.has_any("download", "disk", "network"))
    return count(Meaning::kSampleRate);
  if (is_data_time(words)) return time_by_key(Meaning::kDataTime, field, words);
  if (is_step_time(words)) return time_by_key(Meaning::kStepTime, field, words);
  if (words.end_with("time") && words.size() <= 2 &&
      !words.has_any("total", "elapsed", "wall", "train", "epoch", "training", "load", "start", "eval", "val")) {
    return time_by_key(Meaning::kPlainTime, field, words);
  }
  if (const auto meaning = batch_key(words); meaning != Meaning::kNone) return field.of ? Understood{} : count(meaning);
  if (const auto meaning = loss_key(words); meaning != Meaning::kNone)
    return {.meaning = meaning, .value = field.value};
  if (is_any(last, "lr") || words.end_with("learning", "rate") || words.has("lr"))
    return {.meaning = Meaning::kLearningRate, .value = field.value};
  if (words.has_any("mem", "memory", "vram", "memallocated", "maxmemallocated") &&
      !words.has_any("host", "cpu", "ram", "free", "total", "limit", "fraction")) {
    return memory_by_key(field);
  }
  if (words.has_any("params", "parameters") && words.has("trainable") && !words.has("non"))
    return count(Meaning::kParameters);
  if (is_any(last, "epoch", "ep") || (words[0] == "epoch" && words.size() <= 2)) {
    return words.has_any("per", "best", "last", "val", "start", "max", "save", "warmup")
               ? Understood{}
               : Understood{.meaning = Meaning::kEpoch, .value = field.value};
  }
  if (last == "epochs")
    return words.has_any("warmup", "per", "patience", "decay", "no", "save", "every")
               ? Understood{}
               : count(field.of ? Meaning::kEpoch : Meaning::kEpochs);
  if (field.whole || field.of) {
    if (const auto meaning = step_key(words, field); meaning != Meaning::kNone) return count(meaning);
  }
  return {};
}

}  // namespace

Understood rate_of(double value, int digits, std::string_view unit) {
  const bool coarse = digits <= 1;
  if (unit.empty() || !(value >= 0)) return {};
  // "it/s", "samples per second"
  auto slash = unit.find('/');
  std::string_view top = unit.substr(0, slash);
  std::string_view bottom = slash == std::string_view::npos ? std::string_view{} : unit.substr(slash + 1);
  if (slash == std::string_view::npos) {
    if (const auto per = unit.find(" per "); per != std::string_view::npos) {
      top = unit.substr(0, per);
      bottom = unit.substr(per + 5);
    } else if (is_any(unit, "fps", "ips")) {
      return {.meaning = Meaning::kSampleRate, .value = value, .coarse = coarse};
    } else if (is_any(unit, "tps", "wps")) {
      return {.meaning = Meaning::kTokenRate, .value = value, .coarse = coarse};
    } else {
      return {};
    }
  }
  if (const auto more = bottom.find('/'); more != std::string_view::npos)
    bottom = bottom.substr(0, more);  // "tokens/s/gpu"
  const Words top_words{top};
  const Words bottom_words{bottom};
  const auto thing = top_words.back();
  if (is_second(bottom_words[0])) {
    if (thing.empty())
      return {.meaning = Meaning::kFraction, .value = value, .coarse = coarse};  // "853.33/s": of what, the line knows
    std::string_view raw =
        top.substr(top.find_last_of(" _") == std::string_view::npos ? 0 : top.find_last_of(" _") + 1);
    const double scale = take_prefix(raw);
    const Words scaled{raw};
    return {.meaning = rate_meaning(scaled.back()), .value = value * scale, .coarse = coarse};
  }
  if (const auto seconds = time_unit(thing); seconds && !bottom_words.empty()) {
    if (!(value > 0)) return {};
    const auto what = rate_meaning(bottom_words.back());
    if (what == Meaning::kStepRate) return {.meaning = Meaning::kStepTime, .value = value * *seconds, .coarse = coarse};
    if (what == Meaning::kSampleRate || what == Meaning::kTokenRate)
      return {.meaning = what, .value = 1 / (value * *seconds), .coarse = coarse};
    return {.meaning = Meaning::kOtherRate};
  }
  return {};
}

Understood understand(const Field& field) {
  if (auto rate = rate_of(field.value, field.digits, field.unit);
      rate.meaning != Meaning::kNone && rate.meaning != Meaning::kFraction)
    return rate;
  if (auto known = by_key(field); known.meaning != Meaning::kNone) return known;
  if (field.of && field.whole && field.unit != "%" && *field.of >= field.value && *field.of > 0) {
    const Words unit{field.unit};
    const Words key{field.key};
    const bool phase =
        key.size() == 1 && is_any(key[0], "train", "training", "test", "val", "valid", "validation", "eval");
    if (key.empty() || phase || is_step_word(unit.back())) return {.meaning = Meaning::kFraction, .value = field.value};
  }
  return {};
}

}  // namespace gputop::logs

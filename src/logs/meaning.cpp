#include "logs/meaning.hpp"

#include <cmath>

#include "gputop/core/scan.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

// Keys that name a rate: "samples_per_second", "tokens/sec", "it/s", "tps", "fps".
Meaning rate_key(const Words& words) {
  const auto last = words.back();
  if (words.has_any("flops", "tflops", "tflop", "mfu", "hfu", "gflops", "bytes", "gb", "mb")) return Meaning::kNone;
  if (is_any(last, "tps", "wps", "tgs") || words.are("tps", "gpu")) return Meaning::kTokenRate;
  if (is_any(last, "fps", "sps", "ips") || (words[0] == "fps" && words.size() > 1)) return Meaning::kSampleRate;
  if (last == "ups") return Meaning::kStepRate;
  // "elapsed time per iteration (s)" is none.
  const bool timed = words.has_any("time", "elapsed", "latency", "duration", "timing");
  // "tokens per second", "img s", with "(per device)" or "avg" behind or before.
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!is_second(words[i]) || (timed && words[i - 1] != "per")) continue;
    std::size_t thing = i - 1;
    while (thing > 0 && is_device_word(words[thing])) --thing;
    const auto meaning = rate_meaning(words[thing]);
    if (meaning != Meaning::kOtherRate) return meaning;
    if (words[thing] == "global") return Meaning::kNone;
  }
  return Meaning::kNone;
}

// Keys that name the time of one step: "step time", "ms/step", "elapsed time per iteration", "batch_cost", "dt".
bool is_step_time(const Words& words) {
  if (words.are("dt") || words.are("s", "b") || words.are("batch", "t") || words.are("time", "diff") || words.are("time", "data") ||
      words.end_with("step", "avg"))
    return true;
  // A part of a step.
  if (words.has_any("optim", "optimizer", "forward", "backward", "fwd", "bwd", "inner", "comm")) return false;
  const auto per_step = [&](std::size_t i) { return is_step_word(words[i]); };
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool timed = words.has_any("time", "elapsed", "sec", "seconds", "ms", "cost", "latency", "duration");
    // "ms/step"; "timing_s/update_actor" is of a part.
    const bool ends = i + 2 == words.size() || is_any(words[i + 2], "avg", "average", "mean", "ms", "s", "sec", "seconds");
    if (((words[i] == "per" && timed) || (time_unit(words[i]).has_value() && ends)) && per_step(i + 1)) return true;
    if (per_step(i) && is_any(words[i + 1], "time", "timing", "cost", "duration", "latency", "ms", "dt")) return true;
    if (words[i] == "time" && per_step(i + 1)) return true;
  }
  return false;
}

bool is_data_time(const Words& words) {
  if (words.are("time", "data")) return false;  // "time (data): 0.512 (0.010)"
  if (words.are("data") || words.are("dataload") || words.are("data", "load") || words.are("load", "data") || words.are("loader") || words.are("reader") ||
      words.are("data", "t"))
    return true;
  if (words.has_any("data", "dataload", "dataloader", "dataloading", "load", "loader", "fetch", "loading", "reader")) {
    return words.has_any("time", "cost", "wait", "ms", "s", "sec", "dt");
  }
  return false;
}

Understood time_by_key(Meaning meaning, const Field& field, const Words& words) {
  double scale = 1;
  if (const auto unit = time_unit(field.unit)) {
    scale = *unit;
  } else if (field.unit.size() > 1 ||
             (field.unit.size() == 1 && field.unit != kClock && !multiplier(char_at(field.unit, 0)))) {
    return {};
  } else {
    if (!field.unit.empty()) scale = multiplier(char_at(field.unit, 0)).value_or(1);  // "time_per_iteration_ms: 11.5K"
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "ms" || words[i] == "msec") scale *= 1e-3;
      if (words[i] == "us") scale *= 1e-6;
    }
  }
  return {.meaning = meaning, .value = field.value * scale, .coarse = field.digits == 1};
}

// "sec/kimg": the time of one sample or token, or of a thousand.
Understood inverse_rate(const Field& field, const Words& words) {
  if (!field.unit.empty() || !(field.value > 0)) return {};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto seconds = time_unit(words[i]);
    auto thing = words[i + 1];
    const double scale = take_prefix(thing);
    const auto meaning = rate_meaning(thing);
    if (seconds && (meaning == Meaning::kSampleRate || meaning == Meaning::kTokenRate))
      return {.meaning = meaning, .value = scale / (field.value * *seconds), .coarse = field.digits == 1};
  }
  return {};
}

Understood memory_by_key(const Field& field, const Words& words) {
  // "memory(GiB)", "max_memory_allocated_gb"
  for (std::size_t i = 0; i < words.size() && field.unit.empty(); ++i) {
    if (const auto unit = byte_word(words[i])) return {.meaning = Meaning::kMemory, .value = field.value * *unit};
  }
  if (const auto unit = byte_unit(field.unit)) return {.meaning = Meaning::kMemory, .value = field.value * *unit};
  // Loggers that print no unit print whole MiB (detectron2, mmengine, torchvision); "18.1" may be MiB or GiB.
  if (field.unit.empty() && field.value >= (field.whole ? 16 : 1024))
    return {.meaning = Meaning::kMemory, .value = field.value * 1024 * 1024};
  return {};
}

double count_of(const Field& field) {
  if (field.unit.size() == 1) return field.value * multiplier(char_at(field.unit, 0)).value_or(1);
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

Meaning loss_key(const Words& words, Role role) {
  // A loss by its class: "PPYoloELoss/loss", "DEKRLoss/total", "BCELoss".
  const auto is_class = [](std::string_view word) {
    return word.size() > 4 && word.ends_with("loss") && !word.starts_with("val") && !word.starts_with("test") &&
           !word.starts_with("eval") && !word.starts_with("dev");
  };
  bool named = false;
  for (std::size_t i = 0; i < words.size(); ++i) named = named || is_class(words[i]);
  if (words.are("ce")) return Meaning::kPartLoss;
  if (!words.has_any("loss", "cost", "xent", "nll", "xentropy") && !named) return Meaning::kNone;
  if (words.has_any("scale", "scaling", "scaler", "weight", "time", "fn", "function", "best", "patience") ||
      words.back() == "mask")
    return Meaning::kNone;
  if (is_held_out(words) || (role == Role::kHeldOut && !is_of_training(words))) return Meaning::kHeldOutLoss;
  // What is only to keep the rest in check says nothing, either.
  if (words.size() > 1 && words.has_any("kl", "aux", "auxiliary", "balance", "balancing", "commit", "commitment", "penalty"))
    return Meaning::kNone;
  // Reinforcement learning minimises several things at once; none of them says how far it is.
  const bool entropy = words.has("entropy") && !words.has_any("cross", "xent");
  const bool of_value = words.has("value") && !words.end_with("loss", "value");
  if (entropy || of_value || words.has_any("surrogate", "policy", "vf", "pg")) return Meaning::kNone;
  // "loss_rpn_cls", "box_loss": a part of what "loss" or "total_loss" says.
  const bool of_class = words.size() > 1 && is_class(words[words.size() - 2]) && is_any(words.back(), "loss", "total");
  if (of_class) return Meaning::kLoss;
  if (words.size() == 1 && named) return Meaning::kPartLoss;  // of several heads, where "loss" is their sum
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "value" && i > 0 && words[i - 1] == "loss") continue;  // "loss value"; a value's loss is a part
    if (!is_any(words[i], "loss", "cost", "xent", "nll", "xentropy", "crossentropyloss", "total", "tot", "train",
                "training", "avg", "average", "mean", "running", "lm", "ema", "batch", "step", "epoch", "final",
                "global", "current", "avr", "moving", "reduced", "smooth", "smoothed", "overall", "cross", "entropy",
                "mlm", "main")) {
      return Meaning::kPartLoss;
    }
  }
  return Meaning::kLoss;
}

// Whether nothing but these words stands in it.
template <class... Known>
bool only(const Words& words, Known... known) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_any(words[i], known...) && !is_step_word(words[i]) && !is_of_training(Words{words[i]})) return false;
  }
  return true;
}

// "Total optimization steps", "num_train_steps", "max_iters" say how many there will be; "num_steps_sampled" how many
// there were.
bool names_total(const Words& words) {
  return only(words, "total", "num", "number", "n", "of", "max", "maximum", "optimization", "optimizer", "optim",
              "global", "gradient", "run", "target", "planned");
}

Meaning step_key(const Words& words, const Field& field) {
  if (field.of && words.end_with("step", "max", "steps")) return Meaning::kStep;  // "global_step/max_steps"
  if (const auto before = words[words.size() - 2];
      words.size() > 1 && (is_sample_word(before) || is_token_word(before)))
    return Meaning::kNone;  // "words/batch"
  if (words.has_any("micro", "warmup", "save", "log", "logging", "eval", "size", "skipped", "max", "nan", "every",
                    "interval", "consumed", "lr", "decay", "seconds", "per", "rate", "inner", "this", "episode")) {
    if (words.has("max") && words.has_any("steps", "iters", "iterations") && !field.of && names_total(words))
      return Meaning::kTotalSteps;
    return Meaning::kNone;
  }
  if (words.has("total") || words.has("num")) {
    if (words.has_any("steps", "iterations", "iters") && field.whole && names_total(words)) return Meaning::kTotalSteps;
    if (words.has_any("updates", "timesteps") && field.whole) return Meaning::kStep;
    return Meaning::kNone;
  }
  if (words.are("steps") && !field.of) return Meaning::kTotalSteps;
  if (words.size() == 2 && is_any(words[1], "train", "training") && is_step_word(words[0]))
    return Meaning::kStep;  // "Iter(train)"
  if (words.back() == "minibatch" && !field.of && !field.in_list) return Meaning::kNone;  // how large it is
  return is_step_word(words.back()) || words.back() == "batchidx" || words.back() == "timesteps" ? Meaning::kStep
                                                                                                 : Meaning::kNone;
}

// "loss at step", "accuracy after epoch": what the number behind it counts is when.
bool names_moment(const Words& words) {
  return words.size() > 2 && (is_step_word(words.back()) || words.back() == "epoch") &&
         is_any(words[words.size() - 2], "at", "after", "in", "on", "for", "until");
}

// "eta", "time left", "estimated remain time", "remaining".
bool names_eta(const Words& words, const Field& field) {
  if (words.has("eta") || is_any(words.back(), "remaining", "remain") || words.end_with("time", "to", "finish")) return true;
  if (words.back() == "required") return time_unit(field.unit).has_value();
  return is_any(words.back(), "time", "left") && words.has_any("left", "remaining", "remain") && words.has("time");
}

Understood by_key(const Field& field) {
  const Words words{field.key};
  if (words.empty()) return {};
  const auto last = words.back();
  const auto count = [&](Meaning meaning) { return Understood{.meaning = meaning, .value = count_of(field)}; };
  if (names_eta(words, field)) return time_by_key(Meaning::kEta, field, words);
  if (field.key.ends_with("_s") && words.size() > 1 && is_step_word(words[words.size() - 2]))  // "update_s: 0.31"
    return time_by_key(Meaning::kStepTime, field, words);
  if (const auto meaning = rate_key(words); meaning != Meaning::kNone)
    return {.meaning = meaning, .value = count_of(field), .coarse = field.digits == 1};
  if (is_any(last, "throughput", "speed") && field.unit.empty() && !words.has_any("download", "disk", "network"))
    return count(Meaning::kSampleRate);
  if (words.are("rate") && field.unit.empty() && field.value >= 1)
    return count(Meaning::kSampleRate);  // else a learning rate
  if (const auto inverse = inverse_rate(field, words); inverse.meaning != Meaning::kNone) return inverse;
  if (is_data_time(words)) return time_by_key(Meaning::kDataTime, field, words);
  const bool batch_time = words.are("batch") && !field.whole && !field.of && field.digits > 1;  // "Batch 0.818 (3.887)"
  if (is_step_time(words) || batch_time) return time_by_key(Meaning::kStepTime, field, words);
  if (words.are("elapse")) return time_by_key(Meaning::kPlainTime, field, words);
  if (words.end_with("time") && words.size() <= 2 &&
      !words.has_any("total", "elapsed", "wall", "train", "epoch", "training", "load", "start", "eval", "val")) {
    return time_by_key(Meaning::kPlainTime, field, words);
  }
  if (const auto meaning = batch_key(words); meaning != Meaning::kNone) return field.of ? Understood{} : count(meaning);
  // "Average loss at step 500000: 3.08"
  if (names_moment(words) && field.whole && !field.of)
    return count(words.back() == "epoch" ? Meaning::kEpoch : Meaning::kStep);
  const bool moment = is_any(last, "after", "at") && field.whole;  // "loss after 1200 iterations: 0.31"
  if (const auto meaning = moment ? Meaning::kNone : loss_key(words, field.role); meaning != Meaning::kNone)
    return field.in_list || time_unit(field.unit) ? Understood{} : Understood{.meaning = meaning, .value = field.value};
  if (words.has("warmup") && words[0] != "lr" && words.has("lr")) return {};  // "warmup_bias_lr=0.1": a setting, not what is in force
  const bool numbered = last.size() > 2 && last.starts_with("lr") && is_digit(char_at(last, 2));  // "optim0_lr0"
  if (numbered || words.end_with("learning", "rate") || words.has("lr") || words.are("l", "r"))
    return {.meaning = Meaning::kLearningRate, .value = field.value};
  if (words.has_any("mem", "memory", "vram", "memallocated", "maxmemallocated") &&
      !words.has_any("host", "cpu", "ram", "free", "total", "limit", "fraction")) {
    return memory_by_key(field, words);
  }
  if (words.are("gpu") && byte_unit(field.unit)) return memory_by_key(field, words);  // "GPU 403.4 MB"
  if (is_any(last, "epoch", "ep", "epch") || (words[0] == "epoch" && words.size() <= 2)) {
    return words.has_any("time", "duration", "took", "cost", "per", "best", "last", "val", "max", "save", "warmup") ||
                   contains(field.key, "start_")
               ? Understood{}
               : Understood{.meaning = Meaning::kEpoch, .value = field.value};
  }
  // "max: 15 epochs", "training for 15 epochs"
  const bool planned = last == "max" || last == "maximum" || words.end_with("train", "for") || words.end_with("training", "for");
  if (planned && field.whole && !field.of && field.unit == "epochs") return count(Meaning::kEpochs);
  if (planned && field.whole && !field.of && is_any(field.unit, "steps", "iterations")) return count(Meaning::kTotalSteps);
  if (last == "epochs" && !field.whole && !field.of && words.size() == 1)  // "epochs:0.31": so many are over
    return {.meaning = Meaning::kEpoch, .value = field.value};
  if (last == "epochs")
    return words.has_any("warmup", "per", "patience", "decay", "no", "bad", "save", "every", "since", "without", "best",
                         "early", "stop") ||
                   !(field.of.value_or(field.value) >= 1)
               ? Understood{}
               : count(field.of ? Meaning::kEpoch : Meaning::kEpochs);
  // "step: 1.30e+03", "global_step:1200.0"
  const bool integral = field.unit.empty() && field.value >= 100 && std::floor(field.value) == field.value;
  if (field.whole || field.of || integral) {
    if (const auto meaning = step_key(words, field); meaning != Meaning::kNone) return count(meaning);
  }
  return {};
}

}  // namespace

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
    if (unit.are("epoch") || unit.are("epochs")) return {.meaning = Meaning::kEpoch, .value = field.value};
    // "train progress 450/501"
    if (key.back() == "progress" && !key.empty() && (key.size() == 1 || is_of_training(key)))
      return {.meaning = Meaning::kStep, .value = field.value};
    if (key.empty() || phase || is_step_word(unit.back())) return {.meaning = Meaning::kFraction, .value = field.value};
  }
  return {};
}

}  // namespace gputop::logs

#include "logs/vocabulary.hpp"

#include "gputop/core/scan.hpp"
#include "logs/text.hpp"

namespace gputop::logs {

bool is_step_word(std::string_view word) {
  return is_any(word, "it", "its", "itr", "iter", "iters", "iteration", "iterations", "step", "steps", "batch", "batches",
                "ba", "update", "updates", "updt", "minibatch", "up", "bch", "nupdates", "niter", "niters", "nsteps",
                "nbatches");
}
bool is_sample_word(std::string_view word) {
  return is_any(word, "sample", "samples", "ex", "example", "examples", "img", "imgs", "image", "images", "im", "seq",
                "seqs", "sequence", "sequences", "sent", "sents", "sentence", "sentences", "frame", "frames", "record",
                "records", "clip", "clips", "graph", "graphs", "row", "rows", "pair", "pairs", "video", "videos", "utt",
                "utts", "smp", "instances", "docs", "items", "timesteps", "env", "ray", "rays");
}
bool is_token_word(std::string_view word) {
  return is_any(word, "tok", "toks", "token", "tokens", "word", "words", "t");
}
bool is_second(std::string_view word) {
  return is_any(word, "s", "sec", "secs", "second", "seconds");
}
bool is_device_word(std::string_view word) {
  return is_any(word, "per", "gpu", "device", "chip", "node", "core", "rank", "worker", "replica");
}

bool is_held_out(const Words& words) {
  return words.has_any("val", "valid", "validation", "eval", "test", "dev", "evaluation", "evaluating", "validating",
                       "testing");
}

bool is_of_training(const Words& words) {
  return words.has_any("train", "training", "tr");
}

bool names_epoch_and_step(std::string_view key) {
  const Words words{key};
  return words.size() == 2 && words[0] == "epoch" && is_step_word(words.back());
}

Reading<double> byte_word(std::string_view word) {
  if (is_any(word, "gb", "gib", "gi")) return 1024.0 * 1024 * 1024;
  if (is_any(word, "mb", "mib", "mi")) return 1024.0 * 1024;
  return std::nullopt;
}

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

double take_prefix(std::string_view& word) {
  if (word.size() < 2 || rate_meaning(word) != Meaning::kOtherRate) return 1;
  const auto scale = multiplier(char_at(word, 0));
  if (!scale || rate_meaning(slice(word, 1)) == Meaning::kOtherRate) return 1;
  skip_front(word, 1);
  return *scale;
}

}  // namespace gputop::logs

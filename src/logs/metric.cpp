#include "gputop/logs/metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gputop/core/scan.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/metric_field.hpp"
#include "logs/prefix.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLongestMetricLine = 4096;
constexpr std::size_t kLongestMetric = 40;
constexpr std::size_t kMostInLine = 16;

enum class Range : std::uint8_t { kShare, kAny };

struct MetricWord {
  std::string_view word;  // with a star: digits may follow
  Better better;
  Range range;  // kShare: 0…1, or 0…100
};
constexpr auto kUp = Better::kHigher;
constexpr auto kDown = Better::kLower;
constexpr std::array kMetrics{
    MetricWord{"accuracy", kUp, Range::kShare},
    MetricWord{"acc*", kUp, Range::kShare},
    MetricWord{"accu", kUp, Range::kShare},
    MetricWord{"top*", kUp, Range::kShare},
    MetricWord{"prec*", kUp, Range::kShare},
    MetricWord{"precision", kUp, Range::kShare},
    MetricWord{"recall*", kUp, Range::kShare},
    MetricWord{"f*", kUp, Range::kShare},
    MetricWord{"fscore", kUp, Range::kShare},
    MetricWord{"auc", kUp, Range::kShare},
    MetricWord{"auroc", kUp, Range::kShare},
    MetricWord{"auprc", kUp, Range::kShare},
    MetricWord{"rocauc", kUp, Range::kShare},
    MetricWord{"ap*", kUp, Range::kShare},
    MetricWord{"map*", kUp, Range::kShare},
    MetricWord{"ar", kUp, Range::kShare},
    MetricWord{"iou", kUp, Range::kShare},
    MetricWord{"miou", kUp, Range::kShare},
    MetricWord{"dice", kUp, Range::kShare},
    MetricWord{"dsc", kUp, Range::kShare},
    MetricWord{"bleu*", kUp, Range::kShare},
    MetricWord{"sacrebleu", kUp, Range::kShare},
    MetricWord{"rouge*", kUp, Range::kShare},
    MetricWord{"rougel", kUp, Range::kShare},
    MetricWord{"rougelsum", kUp, Range::kShare},
    MetricWord{"meteor", kUp, Range::kShare},
    MetricWord{"chrf*", kUp, Range::kShare},
    MetricWord{"wer", kDown, Range::kAny},
    MetricWord{"cer", kDown, Range::kAny},
    MetricWord{"ppl", kDown, Range::kAny},
    MetricWord{"perplexity", kDown, Range::kAny},
    MetricWord{"mae", kDown, Range::kAny},
    MetricWord{"mse", kDown, Range::kAny},
    MetricWord{"rmse", kDown, Range::kAny},
    MetricWord{"mape", kDown, Range::kAny},
    MetricWord{"psnr", kUp, Range::kAny},
    MetricWord{"ssim", kUp, Range::kAny},
    MetricWord{"lpips", kDown, Range::kAny},
    MetricWord{"fid*", kDown, Range::kAny},
    MetricWord{"mrr*", kUp, Range::kShare},
    MetricWord{"ndcg*", kUp, Range::kShare},
    MetricWord{"hits*", kUp, Range::kShare},
    MetricWord{"hit*", kUp, Range::kShare},
    MetricWord{"hr*", kUp, Range::kShare},
    MetricWord{"em", kUp, Range::kShare},
    MetricWord{"mcc", kUp, Range::kAny},
    MetricWord{"kappa", kUp, Range::kAny},
    MetricWord{"spearman", kUp, Range::kAny},
    MetricWord{"spearmanr", kUp, Range::kAny},
    MetricWord{"pearson", kUp, Range::kAny},
    MetricWord{"pearsonr", kUp, Range::kAny},
    MetricWord{"reward", kUp, Range::kAny},
    MetricWord{"rewards", kUp, Range::kAny},
    MetricWord{"bpb", kDown, Range::kAny},
    MetricWord{"bpc", kDown, Range::kAny},
    MetricWord{"eer", kDown, Range::kAny},
    MetricWord{"r2", kUp, Range::kAny},
    MetricWord{"match", kUp, Range::kShare},
    MetricWord{"specificity", kUp, Range::kShare},
    MetricWord{"sensitivity", kUp, Range::kShare},
    MetricWord{"loss", kDown, Range::kAny},  // of held-out data only
};
// May stand beside a metric's word within its name.
constexpr std::array<std::string_view, 36> kQualifiers{
    "macro", "micro", "weighted", "mean",   "avg",   "average", "balanced", "top",  "box",   "bbox", "mask", "segm",
    "seg",   "score", "exact",    "strict", "per",   "class",   "roc",      "pr",   "token", "word", "char", "node",
    "graph", "link",  "ep",       "rew",    "total", "ce",      "nll",      "pose", "m",     "b",    "p",    "mlm"};
// Not a figure of merit, though one's word stands in the key.
constexpr std::array<std::string_view, 16> kNever{"best", "threshold", "target", "time",    "patience", "scale",
                                                  "iter", "weight",    "lr",     "max",     "min",      "std",
                                                  "gain", "step",      "params", "baseline"};
constexpr std::array<std::string_view, 15> kData{"val",     "valid",  "validation", "eval",     "evaluation",
                                                 "test",    "dev",    "train",      "training", "tr",
                                                 "metrics", "metric", "epoch",      "set",      "testing"};

template <std::size_t N>
bool is_in(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const MetricWord* metric_word(std::string_view word) {
  if (const auto at = word.find('@'); at != std::string_view::npos) word = slice(word, 0, at);  // "f1@0.50"
  for (const auto& each : kMetrics) {
    if (!each.word.ends_with('*')) {
      if (word == each.word) return &each;
      continue;
    }
    const auto stem = slice(each.word, 0, each.word.size() - 1);
    if (!word.starts_with(stem)) continue;
    auto rest = slice(word, stem.size());
    if (rest.empty() ? stem.size() > 1 : true) {
      if (!rest.empty() && (first_char(rest) == '@' || first_char(rest) == '-')) skip_front(rest, 1);
      const bool digits =
          std::all_of(rest.begin(), rest.end(), [](char c) { return logs::is_digit(c) || c == '.' || c == '-'; });
      if (digits && (stem.size() > 1 || rest.size() == 1)) return &each;
    }
  }
  return nullptr;
}

bool is_name_char(char c) {
  return logs::is_alnum(c) || c == '@';
}

// The words of a key, lower case; "mAP50-95" and "Acc@1" are one.
std::vector<std::string> words_of(std::string_view key) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= key.size(); ++i) {
    const char c = i < key.size() ? char_at(key, i) : ' ';
    const bool between_digits = (c == '-' || c == '.') && i > 0 && logs::is_digit(char_at(key, i - 1)) &&
                                i + 1 < key.size() && logs::is_digit(char_at(key, i + 1));
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && is_in(word, kData)) words.push_back(std::exchange(word, {}));  // "ValLoss"
    if (is_name_char(c) || between_digits) {
      word += logs::to_lower(c);
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

struct Name {
  std::string text;
  const MetricWord* what = nullptr;
};

// The metric at the end of the key, with what qualifies it; nothing when the key is about something else.
std::optional<Name> name_of(std::string_view key) {
  const auto words = words_of(key);
  if (words.empty() || std::any_of(words.begin(), words.end(), [](const auto& word) { return is_in(word, kNever); }))
    return std::nullopt;
  auto last = words.size();
  const MetricWord* what = nullptr;
  std::size_t at = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    what = metric_word(words[i]);
    at = i;
    if (what) break;
    const bool number = std::all_of(words[i].begin(), words[i].end(), logs::is_digit);
    if (!number && !is_in(words[i], kQualifiers) && !is_in(words[i], kData)) return std::nullopt;
  }
  if (!what) return std::nullopt;
  while (last > at + 1 && (is_in(words[last - 1], kData) || words[last - 1] == "b")) --last;  // "mAP50(B)", "acc_epoch"
  auto first = at;
  while (first > 0 && (is_in(words[first - 1], kQualifiers) || metric_word(words[first - 1]))) --first;
  Name name{.text = {}, .what = what};
  for (auto i = first; i < last; ++i) {
    if (words[i] == "score" && i != at) continue;  // "F1 score"
    const bool mean = words[i] == "average" || words[i] == "avg" || words[i] == "mean" || words[i] == "total";
    if (mean && words[at] == "loss") continue;  // every loss is a mean
    name.text += (name.text.empty() ? "" : "_") + words[i];
  }
  if (name.text.size() > kLongestMetric) return std::nullopt;
  return name;
}

bool fits(const logs::Field& field, const MetricWord& what) {
  if (std::isnan(field.value)) return false;
  if (what.range == Range::kAny) return true;
  if (field.of) return *field.of > 0 && field.value >= 0 && field.value <= *field.of;
  if (what.word.starts_with("prec") && field.whole && field.value > 1) return false;  // "precision: 16"
  return field.value >= 0 && field.value <= 100;
}

}  // namespace

std::optional<Metric> logs::metric_of(const Field& field, bool validating) {
  if (field.key.empty() || !(field.unit.empty() || field.unit == "%")) return std::nullopt;
  const auto name = name_of(field.key);
  if (!name || !fits(field, *name->what)) return std::nullopt;
  Metric metric{.name = name->text, .held_out = false, .value = field.value, .percent = field.unit == "%"};
  metric.held_out = field.role == Role::kNone ? validating : field.role == Role::kHeldOut;
  if (name->what->word == "loss" && (!metric.held_out || understand(field).meaning != Meaning::kHeldOutLoss))
    return std::nullopt;
  if (field.of) metric.value = field.value / *field.of;
  return metric;
}

std::vector<Metric> read_metrics(std::string_view line, bool validating) {
  std::vector<Metric> found;
  const auto text = logs::without_prefix(slice(line, 0, kLongestMetricLine)).text;
  logs::FieldReader reader{text};
  bool looked = false;
  logs::Field before;
  while (auto field = reader.next()) {
    // "Mean test loss of 8 batches: 0.5756"
    const bool counted = field->key.empty() ? logs::is_step_word(before.unit) : logs::is_step_word(field->key);
    if (counted && before.whole && before.key.ends_with(" of")) {
      field->key = before.key;
      skip_back(field->key, 3);
      field->role = before.role;
    }
    before = *field;
    if (!looked) {
      looked = true;
      const auto phase = logs::phase_of(slice(text, 0, field->begin));
      validating = validating || phase == Phase::kValidation;
    }
    auto metric = logs::metric_of(*field, validating);
    if (!metric) continue;
    const auto again = std::find_if(found.begin(), found.end(), [&](const Metric& each) {
      return each.name == metric->name && each.held_out == metric->held_out;
    });
    if (again != found.end()) {
      if (logs::same_word(logs::trimmed(field->key), metric->name)) *again = *std::move(metric);  // "reward", not "rewards/format_reward"
    } else if (found.size() < kMostInLine) {
      found.push_back(*std::move(metric));
    }
  }
  return found;
}

Better better_of(std::string_view metric) {
  const auto name = name_of(metric);
  return name ? name->what->better : Better::kUnknown;
}

void MetricLog::add(Instant at,
                    const Metric& metric,
                    const Reading<double>& epoch,
                    const Reading<std::uint64_t>& step) {
  auto track = std::find_if(tracks_.begin(), tracks_.end(), [&](const MetricTrack& each) {
    return each.name == metric.name && each.held_out == metric.held_out;
  });
  if (track == tracks_.end()) {
    if (tracks_.size() == kMost) return;
    track = tracks_.insert(tracks_.end(), MetricTrack{.name = metric.name,
                                                      .held_out = metric.held_out,
                                                      .percent = metric.percent,
                                                      .better = better_of(metric.name),
                                                      .first = metric.value,
                                                      .last = metric.value,
                                                      .best = metric.value,
                                                      .count = 0,
                                                      .at = at,
                                                      .epoch = epoch,
                                                      .step = step});
  }
  track->last = metric.value;
  track->at = at;
  ++track->count;
  const bool improved = track->better == Better::kUnknown ||
                        (track->better == Better::kHigher ? metric.value > track->best : metric.value < track->best);
  if (!improved) return;
  track->best = metric.value;
  track->epoch = epoch;
  track->step = step;
}

}  // namespace gputop

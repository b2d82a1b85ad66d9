#include "knobs/current_values.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

using Path = std::vector<std::string>;

Path section_of(const Candidate& candidate) {
  Path path = split(candidate.place.key, '.');
  path.pop_back();
  return path;
}

std::size_t common(const Path& a, const Path& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// One file with several of its kind, CONFIG_DEBUG and CONFIG_PHASE1: what is in the one says nothing of the other.
bool has_several(const Found& found, const Candidate& at) {
  std::set<Path> sections;
  for (const auto* other : candidates_of(found, at.knob)) {
    if (other->place.kind == Place::Kind::kFile && other->place.file == at.place.file) {
      sections.insert(section_of(*other));
    }
  }
  return sections.size() > 1;
}

std::optional<Value> value_beside(const Found& found,
                                  const Evidence& evidence,
                                  std::string_view knob,
                                  const Candidate& at,
                                  bool chosen) {
  const auto places = places_beside(found, knob, at, chosen);
  if (!places.empty() && !std::holds_alternative<std::monostate>(places.front()->value)) return places.front()->value;
  const auto* seen = evidence.find(knob);
  return seen == nullptr || chosen ? std::nullopt : std::optional{seen->value};
}

std::optional<std::int64_t> whole(const std::optional<Value>& value) {
  constexpr double kLargest = 9e15;
  const auto number = value ? as_number(*value) : std::nullopt;
  if (!number || *number != std::floor(*number) || std::abs(*number) > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

bool can_change(const std::vector<const Candidate*>& places) {
  return std::any_of(places.begin(), places.end(), [](const Candidate* place) { return place->fixed.empty(); });
}

}  // namespace

std::vector<const Candidate*> places_beside(const Found& found, std::string_view knob, const Candidate& at, bool chosen) {
  const Candidate* top = in_force(found, knob);
  if (top == nullptr) return {};
  const bool elsewhere = at.place.kind != Place::Kind::kFile || top->place.kind != Place::Kind::kFile ||
                         (top->place.file != at.place.file && !chosen);
  const auto all = candidates_of(found, knob);
  std::vector<const Candidate*> nearest;
  const Path section = section_of(at);
  const bool strict = has_several(found, at);
  std::size_t most = 0;
  for (const auto* candidate : all) {
    if (!is_there(*candidate) || candidate->defers) continue;
    if (elsewhere) {
      if (candidate->score == top->score) nearest.push_back(candidate);
      continue;
    }
    if (candidate->place.file != at.place.file || candidate->place.kind != Place::Kind::kFile) continue;
    const Path own = section_of(*candidate);
    const std::size_t shared = common(section, own);
    if (strict && shared == 0 && !own.empty()) continue;
    if (!nearest.empty() && shared < most) continue;
    if (shared > most) nearest.clear();
    most = shared;
    nearest.push_back(candidate);
  }
  if (nearest.empty() && !elsewhere && !strict) return {top};
  if (nearest.empty()) return {};
  const int best = nearest.front()->score;
  std::erase_if(nearest, [&](const Candidate* candidate) { return candidate->score != best; });
  const bool agree = std::all_of(nearest.begin(), nearest.end(), [&](const Candidate* candidate) {
    return same_value(candidate->value, nearest.front()->value);
  });
  const bool own_names = std::all_of(nearest.begin(), nearest.end(), [](const Candidate* candidate) {
    return candidate->match.alias != nullptr && candidate->match.alias->among_words;  // lr_head, lr_body
  });
  if (!agree && own_names) nearest.resize(1);
  return agree || own_names ? nearest : std::vector<const Candidate*>{};
}

std::optional<OptimizerKind> optimizer_named(std::string_view name) {
  if (const auto known = parse_optimizer(name)) return known;
  const std::string text = simplified(name);
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  if (has("adafactor")) return OptimizerKind::kAdafactor;
  if (has("adam") && has("8bit")) return OptimizerKind::kAdam8bit;
  if (has("adamw")) return OptimizerKind::kAdamW;
  if (has("adam")) return OptimizerKind::kAdam;
  if (has("sgd")) return OptimizerKind::kSgd;
  return std::nullopt;
}

std::optional<BatchSettings> batch_settings(const Found& found, const Evidence& evidence, const Candidate& at, bool chosen) {
  constexpr std::int64_t kLargestBatch = 1LL << 24;  // products of these fit
  const auto value = [&](std::string_view knob) { return value_beside(found, evidence, knob, at, chosen); };
  auto batch = at.knob == "batch_size" ? whole(at.value) : whole(value("batch_size"));
  if (!batch && at.knob == "batch_size") batch = whole(value("batch_size"));  // seen, where its place does not say it
  if (!batch || *batch < 1 || *batch > kLargestBatch) return std::nullopt;
  BatchSettings settings{.batch = *batch};
  const auto accumulators = places_beside(found, "accumulation", at, chosen);
  const auto accumulation = whole(value("accumulation"));
  settings.accumulation = std::clamp<std::int64_t>(accumulation.value_or(1), 1, kLargestBatch);
  settings.can_accumulate = can_change(accumulators);
  settings.unknown_accumulation = !accumulation && !accumulators.empty() && !settings.can_accumulate;
  settings.ranks = found.reading.ranks;
  settings.global_batch = whole(value("global_batch_size"));
  if (settings.global_batch && *settings.global_batch < 1) settings.global_batch.reset();
  // A product of three that are all stated, or a count that the framework works out itself beside a 1 that stays 1.
  const bool product = settings.ranks && settings.global_batch ==
                                             settings.batch * settings.accumulation *
                                                 static_cast<std::int64_t>(*settings.ranks);
  settings.says_accumulation =
      accumulation && !accumulators.empty() && (product || found.reading.frameworks.contains("deepspeed"));
  if (const auto rate = value("learning_rate")) settings.learning_rate = as_number(*rate);
  const auto rates = places_beside(found, "learning_rate", at, chosen);
  if (!rates.empty()) settings.rate_scaled_by = rates.front()->scaled_by;
  if (const auto& nominal = evidence.batch_code.nominal; nominal && !settings.can_accumulate) {
    settings.nominal = nominal->samples;
    settings.nominal_by = nominal->file + " (line " + std::to_string(nominal->line) + ")";
  } else if (found.reading.frameworks.contains("ultralytics")) {
    settings.nominal = whole(value("nominal_batch")).value_or(64);  // its own default
    settings.nominal_by = "Ultralytics";
  }
  if (const auto name = value("optimizer")) settings.optimizer = optimizer_named(to_text(*name));
  settings.warmup_steps = whole(value("warmup_steps"));
  settings.max_steps = whole(value("max_steps"));
  settings.keeps_steps = !candidates_of(found, "rate_steps").empty();
  return settings;
}

}  // namespace gputop::knobs

#include "estimator/parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "estimator/request_values.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {
namespace {

// Keys that a part may set itself; batch, GPU, optimizer and world belong to the whole run.
constexpr std::array<std::string_view, 17> kOwn{"model", "params",     "trainable", "layers",  "hidden", "heads",     "kv-heads",   "vocab", "seq",
                                                "classes", "resolution", "checkpointing", "attention", "logits", "base-bits", "per-sample", "components"};

Error invalid(std::string message) {
  return {Error::Kind::kInvalid, std::move(message)};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> pieces;
  while (true) {
    const auto end = text.find(at);
    if (const auto piece = trimmed(slice(text, 0, end)); !piece.empty()) pieces.push_back(piece);
    if (end == std::string_view::npos) return pieces;
    text = slice(text, end + 1);
  }
}

Status read_word(std::string_view word, TrainedPart& part, EstimateRequest& scratch) {
  const auto equals = word.find('=');
  const auto name = equals == std::string_view::npos ? std::string_view{"model"} : slice(word, 0, equals);
  const auto value = equals == std::string_view::npos ? word : slice(word, equals + 1);
  const auto readable = [](unsigned char c) { return std::isalnum(c) != 0; };
  if (std::none_of(value.begin(), value.end(), readable)) return invalid(quoted_value(word) + " says nothing");
  if (name == "times" || name == "passes") {
    const auto count = parse_count(value);
    if (!count || !(*count > 0)) return invalid(std::string{name} + ": " + quoted_value(value) + " is not a number above 0");
    (name == "times" ? part.times : part.passes) = *count;
    return success();
  }
  const auto* key = find_request_key(name);
  if (key == nullptr) return invalid(quoted_value(name) + " is not a setting of a part" + did_you_mean(name, kOwn));
  if (std::find(kOwn.begin(), kOwn.end(), key->name) == kOwn.end())
    return invalid(std::string{key->name} + " is the whole run's: give it beside --parts");
  if (const auto wrong = key->read(value, scratch)) return invalid(std::string{key->name} + ": " + *wrong);
  part.words.emplace_back(key->name, value);
  return success();
}

// The run's settings, and only the part's own description of the model.
EstimateRequest request_of(const TrainedPart& part, const EstimateRequest& whole) {
  EstimateRequest own;
  own.batch = whole.batch;
  own.world = whole.world;
  own.sharding = whole.sharding;
  own.precision = whole.precision;
  own.optimizer = whole.optimizer;
  own.checkpointing = whole.checkpointing;
  own.attention = whole.attention;
  for (const auto& [name, value] : part.words)
    static_cast<void>(find_request_key(name)->read(value, own));  // was already validated
  return own;
}

void add(MemoryModel& sum, const MemoryModel& part, double times, double passes) {
  sum.fixed.parameters += times * part.fixed.parameters;
  sum.fixed.gradients += times * part.fixed.gradients;
  sum.fixed.optimizer += times * part.fixed.optimizer;
  sum.fixed.backward += times * part.fixed.backward;
  sum.fixed.step_scratch += times * part.fixed.step_scratch;
  sum.fixed.overhead = std::max(sum.fixed.overhead, part.fixed.overhead);  // one process has one context
  sum.sample.activations += times * passes * part.sample.activations;
  sum.sample.batch += times * passes * part.sample.batch;
  sum.sample.validation += times * passes * part.sample.validation;
  sum.slack = std::max(sum.slack, part.slack);
  sum.error = std::max(sum.error, part.error);
  sum.slope_error = std::max(sum.slope_error, part.slope_error);
}

}  // namespace

Result<std::vector<TrainedPart>> parts_of(std::string_view text) {
  std::vector<TrainedPart> parts;
  for (const auto piece : split(text, ';')) {
    TrainedPart part{.text = std::string{piece}};
    EstimateRequest scratch;
    for (const auto word : split(piece, ' ')) {
      if (const auto read = read_word(word, part, scratch); !read) return read.error();
    }
    if (!describes_model(scratch)) return invalid(quoted_value(piece) + " describes no model: a name, or layers= hidden= seq=");
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return invalid("is empty");
  return parts;
}

Result<MemoryModel> with_parts(const MemoryModel* rest, const EstimateRequest& request, const ModelTable& table) {
  MemoryModel sum = rest != nullptr ? *rest : MemoryModel{};
  sum.why = "the sum of " + std::to_string(request.parts.size() + (rest != nullptr ? 1 : 0)) + " parts, not measured on this machine";
  for (const auto& part : request.parts) {
    const auto setup = training_setup(request_of(part, request), table);
    if (!setup) return invalid("part " + quoted_value(part.text) + ": " + setup.error().message);
    add(sum, analytic_model(*setup), part.times, part.passes);
  }
  return sum;
}

}  // namespace gputop

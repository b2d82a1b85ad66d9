// A language model that is not in the table, by the size in its name: see model_table.hpp.
#include <algorithm>
#include <cmath>
#include <optional>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"
#include "gputop/estimator/model_table.hpp"

namespace gputop {
namespace {

constexpr double kSizedError = 0.5;    // the shape is another model's
constexpr double kLeast = 50e6;        // parameters: smaller "sizes" are batch or image sizes
constexpr double kMost = 2e12;
constexpr double kFarthest = 1.6;      // ratio to the model whose shape is borrowed
constexpr double kOfExperts = 0.83;    // of 8 × 7B, since experts share everything but their feed-forward layers
constexpr double kExpertsUsed = 2;

struct Size {
  double all = 0;     // parameters
  double active = 0;  // the part that a token passes through
};

// "7b", "1.5B", "135M"
std::optional<double> size_of(std::string_view word) {
  if (word.size() < 2 || !is_digit(word.front())) return std::nullopt;
  const char unit = word.back();
  const double times = unit == 'b' || unit == 'B' ? 1e9 : unit == 'm' || unit == 'M' ? 1e6 : 0;
  const auto number = parse_count(word.substr(0, word.size() - 1));
  if (times == 0 || !number || !is_digit(word[word.size() - 2])) return std::nullopt;
  return *number * times;
}

// Also "8x7b", and "a3b" after it for the active part.
std::optional<Size> size_in(std::string_view name) {
  std::optional<Size> found;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of("-_/ :"), name.size());
    const auto word = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    if (const auto plain = size_of(word)) {
      if (!found) found = Size{*plain, *plain};
      continue;
    }
    if (const auto cross = word.find('x'); cross != std::string_view::npos && cross > 0) {
      const auto count = parse_count(word.substr(0, cross));
      const auto each = size_of(word.substr(cross + 1));
      if (count && each && !found) found = Size{*count * *each * kOfExperts, kExpertsUsed * *each * kOfExperts};
    }
    if (word.size() > 2 && (word.front() == 'a' || word.front() == 'A') && found) {
      if (const auto active = size_of(word.substr(1)); active && *active < found->all) found->active = *active;
    }
  }
  const bool likely = found && found->all >= kLeast && found->all <= kMost;
  return likely ? found : std::nullopt;
}

// Of the gated language models, the one nearest in size.
const NamedModel* nearest(const ModelTable& table, double params) {
  const NamedModel* best = nullptr;
  const auto distance = [&](const NamedModel& model) { return std::abs(std::log(model.params / params)); };
  for (const auto& model : table.models) {
    const bool language = model.family == ModelFamily::kTransformer && model.gated && model.vocab > 0 && model.params > 0;
    if (language && (best == nullptr || distance(model) < distance(*best))) best = &model;
  }
  return best != nullptr && distance(*best) <= std::log(kFarthest) ? best : nullptr;
}

}  // namespace

std::optional<NamedModel> model_of_size(const ModelTable& table, std::string_view name) {
  const auto size = size_in(name);
  if (!size) return std::nullopt;
  const auto* like = nearest(table, size->active);
  if (like == nullptr) return std::nullopt;
  NamedModel model = *like;
  model.name = std::string{name};
  model.aliases.clear();
  model.params = size->all;
  model.error = kSizedError;
  model.like = like->name;
  return model;
}

}  // namespace gputop

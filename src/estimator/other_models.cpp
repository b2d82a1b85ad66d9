#include "estimator/other_models.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "estimator/parts.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostRelatives = 3;  // larger ones
constexpr double kScaledError = 0.3;       // of a model known only by its relative size

struct Other {
  std::string name;
  std::string note;
  double params = 0;
  MemoryModel model;
};

std::string in_small_letters(std::string_view name) {
  std::string text;
  for (const char c : name)
    text += c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The common part of relatives: "segformer-b" of segformer-b0, "convnext-" of convnext-t, "resnet" of resnet50.
std::string family_name(std::string_view name) {
  auto end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
  if (end == name.size()) end = name.rfind('-') == std::string_view::npos ? 0 : name.rfind('-') + 1;
  return std::string{name.substr(0, end)};
}

std::string millions(double params) {
  return format_number(params / 1e6, params < 10e6 ? 1 : 0) + "M parameters";
}

EstimateRequest renamed(EstimateRequest request, const std::string& name) {
  request.model = name;
  request.params.reset();
  request.layers.reset();
  request.hidden.reset();
  request.heads.reset();
  request.kv_heads.reset();
  request.trainable.reset();
  return request;
}

std::vector<Other> relatives(const EstimateRequest& request, const ModelTable& table) {
  std::vector<Other> all;
  const auto own = find_model(table, *request.model);
  if (!own || own->params <= 0) return all;
  const auto family = family_name(in_small_letters(own->name));
  constexpr std::size_t kShortest = 3;  // letters that are significant
  if (family.size() < kShortest) return all;
  for (const auto& entry : table.models) {
    const auto name = in_small_letters(entry.name);
    if (entry.name == own->name || entry.family != own->family || family_name(name) != family) continue;
    const auto setup = training_setup(renamed(request, entry.name), table);
    if (!setup) continue;
    all.push_back({entry.name, millions(entry.params) + ", ×" + format_number(entry.params / own->params, 1),
                   entry.params, analytic_model(*setup)});
  }
  // The next smaller one, and the next larger ones.
  std::sort(all.begin(), all.end(), [](const Other& a, const Other& b) { return a.params < b.params; });
  const auto larger =
      std::find_if(all.begin(), all.end(), [&](const Other& other) { return other.params > own->params; });
  const auto first = larger == all.begin() ? larger : larger - 1;
  const auto last = all.end() - larger > static_cast<std::ptrdiff_t>(kMostRelatives)
                        ? larger + static_cast<std::ptrdiff_t>(kMostRelatives)
                        : all.end();
  return {first, last};
}

// Another width and depth for a transformer described by them.
std::vector<Other> reshaped(const EstimateRequest& request, const ModelTable& table) {
  struct Size {
    double width;
    double depth;
  };
  std::vector<Other> all;
  for (const auto& [width, depth] : {Size{0.75, 2.0 / 3}, Size{2, 1}, Size{2, 2}}) {
    auto other = request;
    const auto scaled = [](unsigned value, double factor) {
      return std::max(1U, static_cast<unsigned>(std::lround(value * factor)));
    };
    other.hidden = scaled(*request.hidden, width);
    other.layers = scaled(*request.layers, depth);
    if (request.params) other.params = *request.params * width * width * depth;
    other.trainable.reset();
    const auto setup = training_setup(other, table);
    if (!setup) continue;
    const auto* shape = std::get_if<TransformerShape>(&setup->shape);
    if (shape == nullptr) continue;
    std::string name = "width " + std::to_string(*request.hidden) + " → " + std::to_string(*other.hidden);
    if (*other.layers != *request.layers)
      name += ", layers " + std::to_string(*request.layers) + " → " + std::to_string(*other.layers);
    all.push_back({std::move(name), millions(shape->params), shape->params, analytic_model(*setup)});
  }
  return all;
}

// By relative size: per-parameter memory grows proportionally, activations with the square root (wider) up to
// proportionally (deeper).
std::vector<Other> in_proportion(const MemoryModel& model) {
  struct Size {
    double times;
    const char* name;
  };
  std::vector<Other> all;
  if (model.fixed.states() <= 0) return all;
  for (const auto& [times, name] : {Size{0.5625, "three quarters of the width"}, Size{2, "twice the parameters"},
                                    Size{4, "four times the parameters"}}) {
    auto other = model;
    other.fixed.parameters *= times;
    other.fixed.gradients *= times;
    other.fixed.optimizer *= times;
    other.fixed.backward *= times;
    other.fixed.step_scratch *= times;
    scale_samples(other, std::pow(times, 0.75));
    other.points.clear();
    other.error = std::max(model.error, kScaledError);
    all.push_back({name, "if it all grows alike", times, std::move(other)});
  }
  return all;
}

}  // namespace

std::vector<BatchChoice> other_models(const EstimateRequest& request,
                                      const ModelTable& table,
                                      const MemoryModel& model,
                                      const SearchLimits& limits,
                                      std::uint64_t batch) {
  const bool described = model.level != EstimateLevel::kMeasured && !request.components;
  std::vector<Other> others;
  if (described && request.model) others = relatives(request, table);
  if (described && others.empty() && request.layers && request.hidden) others = reshaped(request, table);
  for (auto& other : others) {
    if (request.parts.empty()) continue;
    if (auto sum = with_parts(&other.model, request, table)) other.model = *std::move(sum);
  }
  if (others.empty()) others = in_proportion(model);
  std::vector<BatchChoice> choices;
  for (const auto& other : others) {
    auto choice = choice_at(other.model, limits, batch, other.name);
    choice.note = other.note;
    if (choice.memory.total > budget(limits)) choice.note += ", does not fit at this batch";
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace gputop

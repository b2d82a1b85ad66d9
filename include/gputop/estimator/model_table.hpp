// The models gputop knows by name (configs/models.yaml), and how names in the wild are matched to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/estimator/counted_step.hpp"

namespace gputop {

enum class ModelFamily : std::uint8_t { kTransformer, kCnn };

// An entry of the table. Missing values are 0 (or the default of the resulting shape).
struct NamedModel {
  std::string name;
  std::vector<std::string> aliases;
  ModelFamily family = ModelFamily::kCnn;
  double params = 0;
  // Transformers.
  unsigned layers = 0;
  unsigned hidden = 0;
  unsigned heads = 0;
  unsigned kv_heads = 0;
  double feed_forward = 0;
  double experts = 1;        // feed-forward layers of a block
  double active_experts = 1;  // of them, for a token
  double vocab = 0;
  double sequence = 0;  // the usual one
  unsigned patch = 0;   // of a vision transformer, in pixels
  bool gated = false;
  bool tied = false;
  // Images.
  double bytes_per_pixel = 0;
  double class_bytes_per_pixel = 0;
  double half_ratio = 0;
  double width = 0;  // the usual resolution
  double height = 0;
  double classes = 0;
  double error = 0;  // as a share; 0: the level's own
  std::optional<CountedStep> counted = {};
  std::string like = {};  // the model whose shape it borrows; "" if it has its own
};

// A backbone or a head; a detector or segmenter has one of each.
struct ModelPart {
  std::string name;
  std::vector<std::string> aliases;
  double params = 0;
  double bytes_per_pixel = 0;
  double class_bytes_per_pixel = 0;
  double half_ratio = 0;
  double width = 0;
  double height = 0;
  bool whole = false;  // a head with its own backbone
};

struct ModelTable {
  std::vector<NamedModel> models;
  std::vector<ModelPart> backbones;
  std::vector<ModelPart> heads;
};

// By name or alias, ignoring case and separators, with an owner in front ("meta-llama/Llama-2-7b-hf") and words after
// it; otherwise as a head and a backbone ("deeplabv3plus_r101-d8"). The error names similar models.
Result<NamedModel> find_model(const ModelTable& table, std::string_view name);

// Words of a name that neither belong to the matched model nor are known to be irrelevant ("pretrained", a dataset's
// name); excludes numbers, the owner in front and short words.
std::vector<std::string> unknown_words(std::string_view name, const NamedModel& found);

// A language model that is not in the table but has its size in its name ("gpt-oss-20b", "Mixtral-8x22B",
// "Qwen3-30B-A3B"): that many parameters, in the shape of the nearest model. nullopt: no size, or no model is near.
std::optional<NamedModel> model_of_size(const ModelTable& table, std::string_view name);

}  // namespace gputop

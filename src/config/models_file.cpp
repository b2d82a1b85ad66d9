// models.yaml: see estimator_tables.hpp.
#include <array>

#include "config/entry_fields.hpp"
#include "gputop/config/estimator_tables.hpp"

namespace gputop {
namespace {

template <class Entry>
FieldComplaint read_size(const YamlTree& value, Entry& entry) {
  const auto [left, right] = [&] {
    const auto at = value.scalar.find('x');
    return at == std::string::npos ? std::pair{value.scalar, value.scalar}
                                   : std::pair{value.scalar.substr(0, at), value.scalar.substr(at + 1)};
  }();
  const auto height = parse_count(left);
  const auto width = parse_count(right);
  if (!height || !width) return shown_value(value) + " is not a resolution (try 512x1024 or 224)";
  entry.height = *height;
  entry.width = *width;
  return std::nullopt;
}

FieldComplaint read_family(const YamlTree& value, NamedModel& model) {
  if (value.scalar != "cnn" && value.scalar != "transformer")
    return shown_value(value) + " is neither cnn nor transformer";
  model.family = value.scalar == "cnn" ? ModelFamily::kCnn : ModelFamily::kTransformer;
  return std::nullopt;
}

using M = NamedModel;
constexpr std::array kModelFields{
    EntryField<M>{"family", read_family},
    EntryField<M>{"params", read_amount<&M::params, M>},
    EntryField<M>{"layers", read_amount<&M::layers, M>},
    EntryField<M>{"hidden", read_amount<&M::hidden, M>},
    EntryField<M>{"heads", read_amount<&M::heads, M>},
    EntryField<M>{"kv-heads", read_amount<&M::kv_heads, M>},
    EntryField<M>{"feed-forward", read_amount<&M::feed_forward, M>},
    EntryField<M>{"experts", read_amount<&M::experts, M>},
    EntryField<M>{"active-experts", read_amount<&M::active_experts, M>},
    EntryField<M>{"vocab", read_amount<&M::vocab, M>},
    EntryField<M>{"seq", read_amount<&M::sequence, M>},
    EntryField<M>{"patch", read_amount<&M::patch, M>},
    EntryField<M>{"gated", read_flag<&M::gated, M>},
    EntryField<M>{"tied", read_flag<&M::tied, M>},
    EntryField<M>{"pixel", read_amount<&M::bytes_per_pixel, M>},
    EntryField<M>{"class", read_amount<&M::class_bytes_per_pixel, M>},
    EntryField<M>{"half", read_amount<&M::half_ratio, M>},
    EntryField<M>{"resolution", read_size<M>},
    EntryField<M>{"classes", read_amount<&M::classes, M>},
    EntryField<M>{"error", read_amount<&M::error, M>},
    EntryField<M>{"aliases", read_aliases<M>},
};

using P = ModelPart;
constexpr std::array kPartFields{
    EntryField<P>{"params", read_amount<&P::params, P>},
    EntryField<P>{"pixel", read_amount<&P::bytes_per_pixel, P>},
    EntryField<P>{"class", read_amount<&P::class_bytes_per_pixel, P>},
    EntryField<P>{"half", read_amount<&P::half_ratio, P>},
    EntryField<P>{"resolution", read_size<P>},
    EntryField<P>{"whole", read_flag<&P::whole, P>},
    EntryField<P>{"aliases", read_aliases<P>},
};

template <class Entry, std::size_t N>
void read_section(const YamlTree& section,
                  const std::array<EntryField<Entry>, N>& fields,
                  std::string_view file,
                  std::vector<Entry>& entries,
                  std::vector<Problem>& problems) {
  for (const auto& [name, tree] : section.pairs) {
    replace_entry(entries, read_entry<Entry>(name, tree, fields, file, problems));
  }
}

}  // namespace

std::vector<Problem> read_models(std::string_view text, std::string_view file, ModelTable& table) {
  const auto [tree, problem] = read_yaml_tree(text, file);
  if (problem) return {*problem};
  std::vector<Problem> problems;
  for (const auto& [name, section] : tree.pairs) {
    if (name == "models") {
      read_section(section, kModelFields, file, table.models, problems);
    } else if (name == "backbones") {
      read_section(section, kPartFields, file, table.backbones, problems);
    } else if (name == "heads") {
      read_section(section, kPartFields, file, table.heads, problems);
    } else {
      constexpr std::array<std::string_view, 3> kSections{"models", "backbones", "heads"};
      problems.push_back({std::string{file}, section.line,
                          "unknown section \"" + printable(name) + '"' + did_you_mean(name, kSections) +
                              "; there are models, backbones, heads"});
    }
  }
  return problems;
}

}  // namespace gputop

#include "knobs/bases.hpp"

#include <set>

#include "gputop/core/scan.hpp"
#include "gputop/knobs/finder.hpp"
#include "knobs/paths.hpp"
#include "knobs/python_mentions.hpp"

namespace gputop::knobs {
namespace {

// from ..common.data.coco import dataloader
void add_import(std::string_view file, const PythonMentions::Import& import, std::vector<std::string>& bases) {
  std::string_view module = import.module;
  if (!module.starts_with('.')) return;
  skip_front(module, 1);
  std::string path;
  for (; module.starts_with('.'); skip_front(module, 1)) path += "../";
  for (const char c : module) path += c == '.' ? '/' : c;
  if (!module.empty()) bases.push_back(beside(file, path + ".py"));
  for (const auto& name : import.names) bases.push_back(beside(file, path + (module.empty() ? "" : "/") + name + ".py"));
}

}  // namespace

bool names_base(const std::vector<std::string>& path) {
  static const std::set<std::string, std::less<>> kNames{"base",    "baseconfig", "basecfg", "include",    "includes",
                                                         "extends", "inherit",    "parent",  "inheritfrom"};
  return !path.empty() && kNames.contains(simplified(path.front()));
}

std::vector<std::string> bases_of(std::string_view file, std::string_view text, const Document& document) {
  std::vector<std::string> bases;
  for (const auto& entry : document.entries) {
    const auto* word = std::get_if<std::string>(&entry.value);
    if (word != nullptr && names_base(entry.path)) bases.push_back(beside(file, *word));
  }
  if (document.format != Format::kPython) return bases;
  for (const auto& import : python_mentions(text).imports) add_import(file, import, bases);
  return bases;
}

std::vector<std::string> bases_of(const std::string& path, std::string_view text) {
  const auto format = format_of(path);
  const auto document = format ? read_document(*format, text) : Result<Document>{Error{Error::Kind::kInvalid, ""}};
  return document ? bases_of(path, text, *document) : std::vector<std::string>{};
}

}  // namespace gputop::knobs

// Finding and loading themes: see themes.hpp.
#include "gputop/config/themes.hpp"

#include <algorithm>
#include <iterator>

#include "config/yaml_document.hpp"
#include "gputop/config/assets.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kDefault = "default";
constexpr int kMostAncestors = 8;

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".yaml") || name.ends_with(".yml");
}

}  // namespace

std::vector<std::string> Themes::names() const {
  std::vector<std::string> names;
  for (const auto path : assets_under("themes/")) names.push_back(fs::path{path}.stem().string());
  std::error_code error;
  if (!user_directory_.empty()) {
    for (fs::directory_iterator file{user_directory_, error}, end; !error && file != end; file.increment(error)) {
      if (file->path().extension() == ".yaml") names.push_back(file->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair{a != kDefault, a} < std::pair{b != kDefault, b};
  });
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<Themes::Source> Themes::find(std::string_view name) const {
  if (is_path(name)) {
    auto text = read_text_file(fs::path{name}, kLargestYaml);
    if (!text) return Error{text.error().kind, text.error().message};
    return Source{*std::move(text), std::string{name}};
  }
  if (!user_directory_.empty()) {
    const fs::path path = user_directory_ / (std::string{name} + ".yaml");
    auto text = read_text_file(path, kLargestYaml);
    if (text) return Source{*std::move(text), path.filename().string()};
    if (text.error().kind != Error::Kind::kNotFound) return text.error();
  }
  const std::string file = std::string{name} + ".yaml";
  if (const auto text = asset("themes/" + file)) return Source{std::string{*text}, file};

  std::string message = "no theme is called \"" + printable(name) + '"';
  const auto known = names();
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string hint = did_you_mean(name, words);
  message += hint.empty() ? " (there are:" : hint;
  if (hint.empty()) {
    for (const auto word : words) message += ' ' + std::string{word};
    message += ')';
  }
  return Error{Error::Kind::kNotFound, message};
}

LoadedTheme Themes::load(std::string_view name_or_path) const {
  return load(name_or_path, 0);
}

LoadedTheme Themes::load(std::string_view name, int depth) const {
  const auto source = find(name);
  if (!source) {
    // The built-in default always exists; a user's broken default.yaml leaves the terminal's own colors.
    LoadedTheme fallback = name == kDefault ? LoadedTheme{} : load(kDefault, depth);
    fallback.problems.insert(fallback.problems.begin(), Problem{"theme", 0, source.error().message});
    fallback.found = false;
    return fallback;
  }
  const auto& [text, file] = *source;
  const auto inherited = theme_base(text);
  LoadedTheme base;
  if (depth >= kMostAncestors) {
    base.problems.push_back({file, 0, "inherits from itself, or from too many others"});
  } else if (inherited || name != kDefault) {
    base = load(inherited.value_or(std::string{kDefault}), depth + 1);
  }
  LoadedTheme loaded = parse_theme(text, file, base.theme);
  loaded.problems.insert(loaded.problems.begin(), std::make_move_iterator(base.problems.begin()),
                         std::make_move_iterator(base.problems.end()));
  return loaded;
}

}  // namespace gputop

// Loading and editing config.yaml: see settings_file.hpp.
#include "gputop/config/settings_file.hpp"

#include <algorithm>

#include "config/setting_keys.hpp"
#include "config/yaml_document.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

const SettingKey* find_key(std::string_view name) {
  const auto keys = setting_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const SettingKey& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

// A file given by --config may also hold settings for others: the advisor, the estimator.
bool is_for_others(std::string_view name) {
  return name == "advisor" || name == "thresholds" || name == "off" || name == "rules" || name == "estimate";
}

std::string unknown_key(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& key : setting_keys()) names.push_back(key.name);
  return "unknown key \"" + printable(name) + '"' + did_you_mean(name, names);
}

LoadedSettings interpret(YamlDocument document, std::string_view file) {
  LoadedSettings loaded;
  loaded.problems = std::move(document.problems);
  std::vector<std::string_view> seen;
  for (const auto& entry : document.entries) {
    const auto complain = [&](std::string text) {
      loaded.problems.push_back({std::string{file}, entry.line, std::move(text)});
    };
    const SettingKey* key = find_key(entry.key);
    if (key == nullptr && is_for_others(entry.key)) continue;
    if (key == nullptr) {
      complain(unknown_key(entry.key));
      continue;
    }
    if (std::find(seen.begin(), seen.end(), key->name) != seen.end()) {
      complain(entry.key + ": appears twice; this one counts");
    }
    seen.push_back(key->name);
    if (key->name == "theme") loaded.theme_line = entry.line;
    if (const auto wrong = key->read(entry.value, loaded.settings)) complain(entry.key + ": " + *wrong);
  }
  return loaded;
}

std::string fresh_file(const Settings& settings) {
  std::string text =
      "# Settings of gputop. A key that is left out has its default. F2 on the screen edits the same values.\n";
  for (const auto& key : setting_keys()) {
    text += "\n# " + std::string{key.help} + "\n" + std::string{key.name} + ": " + key.write(settings) + "\n";
  }
  return text;
}

struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string value;
};

}  // namespace

std::filesystem::path settings_path(const Environment& environment) {
  const auto directory = config_directory(environment);
  return directory.empty() ? directory : directory / "config.yaml";
}

LoadedSettings parse_settings(std::string_view text, std::string_view file) {
  return interpret(read_yaml(text, file), file);
}

LoadedSettings load_settings(const std::filesystem::path& path) {
  if (path.empty()) return {};
  const auto text = read_text_file(path, kLargestYaml);
  if (text) return parse_settings(*text, path.filename().string());
  if (text.error().kind == Error::Kind::kNotFound) return {};
  LoadedSettings defaults;
  defaults.problems.push_back({path.filename().string(), 0, text.error().message + "; the defaults are used"});
  return defaults;
}

Result<std::string> edit_settings(std::string_view text, const Settings& settings) {
  if (text.empty()) return fresh_file(settings);
  const YamlDocument document = read_yaml(text, "config.yaml");
  if (document.entries.empty() && !document.problems.empty()) {
    return Error{Error::Kind::kInvalid, to_string(document.problems.front()) + "; correct it before saving"};
  }
  const Settings now = interpret(document, "config.yaml").settings;

  std::vector<Edit> edits;
  std::string appended;
  for (const auto& key : setting_keys()) {
    const std::string value = key.write(settings);
    if (value == key.write(now)) continue;
    const auto entry = std::find_if(document.entries.rbegin(), document.entries.rend(),
                                    [&](const YamlEntry& candidate) { return candidate.key == key.name; });
    if (entry == document.entries.rend()) {
      appended += std::string{key.name} + ": " + value + "\n";
    } else {
      const bool nothing_there = entry->value.kind == YamlValue::Kind::kNothing;
      edits.push_back({entry->begin, entry->end, (nothing_there ? " " : "") + value});
    }
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  std::string edited{text};
  for (const auto& [begin, end, value] : edits) edited.replace(begin, end - begin, value);
  if (!appended.empty() && edited.back() != '\n') edited += '\n';
  edited += appended;

  // YAML has more forms than a byte range can express: the new text must read back as the intended value.
  if (parse_settings(edited, "config.yaml").settings == settings) return edited;
  return Error{Error::Kind::kNotSupported,
               "config.yaml is written in a form that cannot be edited in place; change the values by hand"};
}

Status save_settings(const std::filesystem::path& path, const Settings& settings) {
  if (path.empty())
    return Error{Error::Kind::kNotFound, "no HOME and no XDG_CONFIG_HOME: nowhere to save the settings"};
  const auto text = read_text_file(path, kLargestYaml);
  if (!text && text.error().kind != Error::Kind::kNotFound) return text.error();
  const auto edited = edit_settings(text ? *text : "", settings);
  if (!edited) return edited.error();
  if (text && *edited == *text) return success();
  return replace_text_file(path, *edited);
}

}  // namespace gputop

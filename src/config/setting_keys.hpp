// The keys of config.yaml: one table drives reading, writing, the template and the suggestions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "config/yaml_document.hpp"
#include "gputop/config/settings.hpp"

namespace gputop {

struct SettingKey {
  std::string_view name;
  std::string_view help;
  // Takes the value over, or says what is wrong with it (and leaves the settings as they are).
  std::optional<std::string> (*read)(const YamlValue& value, Settings& settings);
  std::string (*write)(const Settings& settings);  // as YAML
};

std::span<const SettingKey> setting_keys();

}  // namespace gputop

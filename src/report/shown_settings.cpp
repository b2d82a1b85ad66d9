#include "gputop/report/shown_settings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/report/estimate.hpp"

namespace gputop {

std::string settings_text(const std::vector<ShownSetting>& settings, const Estimate* estimate, const std::string& why) {
  std::string text;
  if (settings.empty()) {
    text = "no settings found\n";
  } else {
    // Each file once, above its settings.
    std::vector<std::string> files;
    for (const auto& setting : settings) {
      if (std::find(files.begin(), files.end(), setting.file) == files.end()) files.push_back(setting.file);
    }
    for (const auto& file : files) {
      std::vector<std::vector<std::string>> rows{{"setting", "value", "line and key"}};
      for (const auto& setting : settings) {
        if (setting.file != file) continue;
        rows.push_back({setting.name, printable(setting.value).substr(0, 60), printable(setting.place)});
      }
      text += (text.empty() ? "" : "\n") + printable(file) + "\n" + aligned(rows);
    }
  }
  text += "\n";
  return text + (estimate != nullptr ? estimate_text(*estimate) : "no estimate: " + why + "\n");
}

std::string settings_json(const std::vector<ShownSetting>& settings, const Estimate* estimate, const std::string& why) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const auto& setting : settings) {
    list.push_back({{"name", setting.name},
                    {"value", printable(setting.value)},
                    {"file", printable(setting.file)},
                    {"where", printable(setting.place)},
                    {"used", setting.used}});
  }
  const Json json = {{"schema", "gputop.show/1"},
                     {"settings", list},
                     {"estimate", estimate != nullptr ? Json::parse(estimate_json(*estimate)) : Json(nullptr)},
                     {"error", why.empty() ? Json(nullptr) : Json(printable(why))}};
  return harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace gputop

#include "gputop/lens/command.hpp"

#include <nlohmann/json.hpp>

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;

Json to_json_value(const LensCommand::Value& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

Json settings(const LensCommand& command) {
  auto object = Json::object();
  for (const auto& [name, value] : command.set) object[name] = to_json_value(value);
  return object;
}

std::string text(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const LensCommand& command, std::uint64_t id) {
  Json json{{"id", id}, {"op", command.op}};
  if (command.op == "loader") {
    json["site"] = command.site;
    json["set"] = settings(command);
  } else {
    json["value"] = to_json_value(command.value);
  }
  if (command.at_step) json["at_step"] = *command.at_step;
  return text(json);
}

std::string launch_overrides(const std::vector<LensCommand>& commands) {
  if (commands.empty()) return {};
  auto json = Json::object();
  for (const auto& command : commands) {
    if (command.op == "loader") {
      json["loader"][command.site].update(settings(command), true);
    } else if (command.op == "hf") {
      json["hf"].update(settings(command));
    } else {
      json[command.op] = to_json_value(command.value);
    }
  }
  return text(json);
}

}  // namespace gputop

#include "cli/describe.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace gputop::cli {
namespace {

using Json = nlohmann::ordered_json;

Json option_of(const CLI::Option& option) {
  Json names = Json::array();
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  const bool takes_value = !option.get_type_name().empty();  // a flag has none
  return {{"names", names},
          {"value", takes_value ? Json(option.get_type_name()) : Json{}},
          {"about", option.get_description()}};
}

Json argument_of(const CLI::Option& option) {
  return {{"name", option.get_name(true)},
          {"required", option.get_required()},
          {"many", option.get_items_expected_max() > 1},
          {"about", option.get_description()}};
}

Json command_of(const CLI::App& app) {
  Json options = Json::array();
  Json arguments = Json::array();
  for (const auto* option : app.get_options()) {
    (option->get_positional() ? arguments : options)
        .push_back(option->get_positional() ? argument_of(*option) : option_of(*option));
  }
  Json commands = Json::array();
  for (const auto* command : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    commands.push_back(command_of(*command));
  }
  return {{"name", app.get_name()},   {"about", app.get_description()}, {"options", options},
          {"arguments", arguments}, {"commands", commands},           {"footer", app.get_footer()}};
}

}  // namespace

std::string describe(const CLI::App& app) {
  const Json whole{{"schema", "gputop.cli/1"}, {"version", GPUTOP_VERSION}, {"cli", command_of(app)}};
  return whole.dump(2) + "\n";
}

}  // namespace gputop::cli

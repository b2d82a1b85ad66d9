#include "cli/desk_memory.hpp"

#include <nlohmann/json.hpp>

#include "gputop/config/text_file.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop::cli {
namespace {

using Json = nlohmann::json;

// FNV-1a: tells a file that was changed from one that was not.
std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return sum;
}

// What the file says, if it is what it was.
std::optional<std::string> read_again(const std::filesystem::path& path, std::uint64_t sum) {
  auto text = read_text_file(path, knobs::kLargestDocument);
  return text && sum_of(*text) == sum ? std::optional{*std::move(text)} : std::nullopt;
}

// No file that is read here says this: one that cannot be taken back is not found to be as it was left.
const std::string kNothing(1, '\0');

Json to_json(const knobs::Value& value) {
  return std::visit(
      [](const auto& known) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>) {
          return nullptr;
        } else {
          return known;
        }
      },
      value);
}

knobs::Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? knobs::Value{json.get<std::string>()} : knobs::Value{};
}

Json to_json(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json(nullptr);
}
std::optional<std::string> text_of(const Json& json) {
  return json.is_string() ? std::optional{json.get<std::string>()} : std::nullopt;
}

Json to_json(const LensKnobs& knobs) {
  Json json = Json::object();
  for (const auto& [knob, value] : knobs) json[knob] = to_json(value);
  return json;
}
LensKnobs lens_of(const Json& json) {
  LensKnobs knobs;
  for (const auto& [knob, value] : json.items()) knobs[knob] = value_of(value);
  return knobs;
}

Json to_json(const std::vector<Change>& changes) {
  Json json = Json::array();
  for (const auto& change : changes) json.push_back({change.knob, change.from, change.to});
  return json;
}
std::vector<Change> changes_of(const Json& json) {
  std::vector<Change> changes;
  for (const auto& each : json) changes.push_back({each.at(0), each.at(1), each.at(2)});
  return changes;
}

Json to_json(const NextSettings::Made& made) {
  const auto& change = made.applied.change;
  Json json{{"before", change.argv_before}, {"after", change.argv_after}, {"lens_before", to_json(made.lens_before)}};
  for (const auto& each : change.changes) {
    json["changes"].push_back({each.knob, to_json(each.from), to_json(each.to), static_cast<int>(each.place.kind),
                               each.place.file, each.place.key, each.place.line});
  }
  for (const auto& each : change.environment) {
    json["environment"].push_back({each.name, to_json(each.before), to_json(each.after)});
  }
  for (const auto& each : change.lens) json["lens"].push_back({each.knob, to_json(each.value)});
  for (std::size_t i = 0; i < made.applied.files.size(); ++i) {
    const auto& file = made.applied.files[i];
    json["files"].push_back({i < change.files.size() ? change.files[i].path : file.path.string(), file.path.string(),
                             file.backup.string(), sum_of(file.before), sum_of(file.after)});
  }
  return json;
}

NextSettings::Made made_of(const Json& json) {
  NextSettings::Made made;
  auto& change = made.applied.change;
  change.argv_before = json.at("before");
  change.argv_after = json.at("after");
  made.lens_before = lens_of(json.at("lens_before"));
  for (const auto& each : json.value("changes", Json::array())) {
    knobs::Place place{.file = each.at(4), .key = each.at(5), .line = each.at(6)};
    place.kind = static_cast<knobs::Place::Kind>(each.at(3).get<int>());
    change.changes.push_back({each.at(0), place, value_of(each.at(1)), value_of(each.at(2))});
  }
  for (const auto& each : json.value("environment", Json::array())) {
    change.environment.push_back({each.at(0), text_of(each.at(1)), text_of(each.at(2))});
  }
  for (const auto& each : json.value("lens", Json::array())) change.lens.push_back({each.at(0), value_of(each.at(1))});
  for (const auto& each : json.value("files", Json::array())) {
    const std::filesystem::path path = each.at(1).get<std::string>();
    const std::filesystem::path backup = each.at(2).get<std::string>();
    const auto before = read_again(backup, each.at(3));
    const auto after = read_again(path, each.at(4));
    const bool whole = before && after;
    change.files.push_back({each.at(0), whole ? *before : kNothing, whole ? *after : kNothing});
    made.applied.files.push_back({path, change.files.back().before, change.files.back().after, backup});
  }
  return made;
}

DeskMemory memory_of(const Json& json) {
  DeskMemory memory;
  memory.settings.argv = json.at("argv").get<std::vector<std::string>>();
  for (const auto& [name, value] : json.at("variables").items()) memory.settings.variables[name] = text_of(value);
  memory.settings.lens = lens_of(json.at("lens"));
  for (const auto& made : json.at("made")) memory.settings.made.push_back(made_of(made));
  memory.changes = changes_of(json.at("changes"));
  memory.awaits_epoch = json.at("awaits_epoch");
  if (json.contains("instead")) memory.offer = {changes_of(json["instead"]), json.at("held")};
  if (json.contains("tried")) {
    memory.pilot = {json.at("auto_made"), json["tried"].get<std::set<std::string>>()};
  }
  return memory;
}

}  // namespace

std::string to_text(const DeskMemory& memory) {
  Json json{{"argv", memory.settings.argv},          {"variables", Json::object()},
            {"lens", to_json(memory.settings.lens)}, {"made", Json::array()},
            {"changes", to_json(memory.changes)},    {"awaits_epoch", memory.awaits_epoch}};
  for (const auto& [name, value] : memory.settings.variables) json["variables"][name] = to_json(value);
  for (const auto& made : memory.settings.made) json["made"].push_back(to_json(made));
  if (memory.offer) {
    json["instead"] = to_json(memory.offer->instead);
    json["held"] = memory.offer->held;
  }
  if (memory.pilot) {
    json["auto_made"] = memory.pilot->made;
    json["tried"] = memory.pilot->tried;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<DeskMemory> read_desk_memory(const std::string& text) {
  try {
    return memory_of(Json::parse(text));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace gputop::cli

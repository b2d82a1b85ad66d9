// The state as JSON. Command lines and paths need not be UTF-8: each byte is stored as a code point, so everything is
// restored exactly.
#include <nlohmann/json.hpp>

#include "gputop/tuning/state.hpp"

namespace gputop::tuning {
namespace {

using Json = nlohmann::ordered_json;

std::string as_text(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xc0U | (byte >> 6U));
    text += byte >= 0x80 ? static_cast<char>(0x80U | (byte & 0x3fU)) : c;
  }
  return text;
}

std::string as_bytes(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const bool two = lead >= 0x80 && i + 1 < text.size();
    bytes += two ? static_cast<char>(((lead & 3U) << 6U) | (static_cast<unsigned char>(text[i + 1]) & 0x3fU)) : text[i];
    if (two) ++i;
  }
  return bytes;
}

// FNV-1a: detects whether a file was changed.
std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return sum;
}

// No file read here has this sum, so a file that cannot be taken back never counts as unchanged.
const std::string kNothing(1, '\0');

// Declared before the templates that use them.
Json json_of(const knobs::ValueChange& change);
Json json_of(const knobs::VariableChange& change);
Json json_of(const knobs::Setting& setting);
Json json_of(const NextLaunch::Made& made);

Json json_of(const std::string& bytes) {
  return as_text(bytes);
}
Json json_of(const std::optional<std::string>& bytes) {
  return bytes ? json_of(*bytes) : Json{};
}
Json json_of(const knobs::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json_of(*text);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return {};
}
Json json_of(const Change& change) {
  return {json_of(change.knob), json_of(change.from), json_of(change.to)};
}
template <class T>
Json json_of(const std::vector<T>& items) {
  auto list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item));
  return list;
}
template <class T>
Json json_of(const std::map<std::string, T>& items) {
  auto list = Json::array();
  for (const auto& [name, value] : items) list.push_back({json_of(name), json_of(value)});
  return list;
}
Json json_of(const knobs::ValueChange& change) {
  return {json_of(change.knob),       json_of(change.from),       json_of(change.to),
          static_cast<int>(change.place.kind), json_of(change.place.file), json_of(change.place.key)};
}
Json json_of(const knobs::VariableChange& change) {
  return {json_of(change.name), json_of(change.before), json_of(change.after)};
}
Json json_of(const knobs::Setting& setting) {
  return {json_of(setting.knob), json_of(setting.value)};
}
Json json_of(const NextLaunch::Made& made) {
  const auto& change = made.applied.change;
  auto files = Json::array();
  for (std::size_t i = 0; i < made.applied.files.size(); ++i) {
    const auto& file = made.applied.files[i];
    files.push_back({json_of(i < change.files.size() ? change.files[i].path : file.path.string()),
                     json_of(file.path.string()), json_of(file.backup.string()), sum_of(file.before),
                     sum_of(file.after)});
  }
  return {{"before", json_of(change.argv_before)},   {"after", json_of(change.argv_after)},
          {"values", json_of(change.changes)},       {"environment", json_of(change.environment)},
          {"overrides", json_of(change.lens)},       {"lens_before", json_of(made.lens_before)},
          {"files", std::move(files)}};
}
Json json_of(const Offer& offer) {
  return {{"instead", json_of(offer.instead)}, {"held", offer.held}, {"takes_back", offer.takes_back}};
}

// `phase` is a Phase or a Background: what is behind a WaitingForBaseline or an Asking is stored next to it.
Json phase_json(const auto& phase);
struct PhaseWriter {
  Json& json;
  void operator()(const Idle&) const {}
  void operator()(const Relaunching&) const {}
  void operator()(const Measuring& measuring) const { json["awaits_epoch"] = measuring.awaits_epoch; }
  void operator()(const Offering& offering) const { json["offer"] = json_of(offering.offer); }
  void operator()(const Asking& asking) const { json["behind"] = phase_json(asking.behind); }
  void operator()(const WaitingForBaseline& waiting) const {
    json["values"] = json_of(waiting.plan.change.changes);
    json["behind"] = phase_json(waiting.behind);
  }
};
Json phase_json(const auto& phase) {
  Json json{{"is", std::visit([](const auto& each) { return name_of(Phase{each}); }, phase)}};
  std::visit(PhaseWriter{json}, phase);
  return json;
}

// ---- Reading back. Anything malformed throws, and read_state() returns nothing. ----

void read(const Json& json, std::string& bytes) {
  bytes = as_bytes(json.get<std::string>());
}
void read(const Json& json, std::optional<std::string>& bytes) {
  if (!json.is_null()) read(json, bytes.emplace());
}
void read(const Json& json, knobs::Value& value) {
  if (json.is_string()) {
    value = as_bytes(json.get<std::string>());
  } else if (json.is_boolean()) {
    value = json.get<bool>();
  } else if (json.is_number_integer()) {
    value = json.get<std::int64_t>();
  } else if (json.is_number()) {
    value = json.get<double>();
  }
}
void read(const Json& json, Change& change) {
  read(json.at(0), change.knob);
  read(json.at(1), change.from);
  read(json.at(2), change.to);
}
void read(const Json& json, knobs::ValueChange& change) {
  read(json.at(0), change.knob);
  read(json.at(1), change.from);
  read(json.at(2), change.to);
  change.place.kind = static_cast<knobs::Place::Kind>(json.at(3).get<int>());
  read(json.at(4), change.place.file);
  read(json.at(5), change.place.key);
}
void read(const Json& json, knobs::VariableChange& change) {
  read(json.at(0), change.name);
  read(json.at(1), change.before);
  read(json.at(2), change.after);
}
void read(const Json& json, knobs::Setting& setting) {
  read(json.at(0), setting.knob);
  read(json.at(1), setting.value);
}
template <class T>
void read(const Json& json, std::vector<T>& items) {
  for (const auto& item : json) read(item, items.emplace_back());
}
template <class T>
void read(const Json& json, std::map<std::string, T>& items) {
  for (const auto& item : json) read(item.at(1), items[as_bytes(item.at(0).get<std::string>())]);
}
void read(const Json& json, Offer& offer) {
  read(json.at("instead"), offer.instead);
  offer.held = json.at("held").get<bool>();
  offer.takes_back = json.at("takes_back").get<bool>();
}

void read(const Json& json, NextLaunch::Made& made, const FileReader& file_text) {
  auto& change = made.applied.change;
  read(json.at("before"), change.argv_before);
  read(json.at("after"), change.argv_after);
  read(json.at("values"), change.changes);
  read(json.at("environment"), change.environment);
  read(json.at("overrides"), change.lens);
  read(json.at("lens_before"), made.lens_before);
  for (const auto& file : json.at("files")) {
    const auto named = as_bytes(file.at(0).get<std::string>());
    const auto path = as_bytes(file.at(1).get<std::string>());
    const auto backup = as_bytes(file.at(2).get<std::string>());
    auto before = file_text(backup);
    auto after = file_text(path);
    const bool whole = before && after && sum_of(*before) == file.at(3).get<std::uint64_t>() &&
                       sum_of(*after) == file.at(4).get<std::uint64_t>();
    if (!whole) before = after = kNothing;
    change.files.push_back({named, *before, *after});
    made.applied.files.push_back({path, *before, *after, backup});
  }
}

Background background_of(const Json& json) {
  const auto is = json.at("is").get<std::string>();
  if (is == name_of(Measuring{})) return Measuring{json.at("awaits_epoch").get<bool>()};
  if (is != name_of(Offering{})) return Idle{};
  Offering offering;
  read(json.at("offer"), offering.offer);
  return offering;
}

Phase phase_of(const Json& json) {
  const auto is = json.at("is").get<std::string>();
  if (is == name_of(Relaunching{})) return Relaunching{};
  if (is == name_of(Asking{})) return Asking{.behind = background_of(json.at("behind"))};
  if (is == name_of(WaitingForBaseline{})) {
    WaitingForBaseline waiting{.behind = background_of(json.at("behind"))};
    read(json.at("values"), waiting.plan.change.changes);
    return waiting;
  }
  return std::visit([](auto phase) { return Phase{std::move(phase)}; }, background_of(json));
}

}  // namespace

std::string_view name_of(const Phase& phase) {
  constexpr std::array<std::string_view, std::variant_size_v<Phase>> kNames{
      "idle", "waiting for baseline", "asking", "relaunching", "measuring", "offering"};
  return kNames[phase.index()];
}

std::string to_text(const State& state) {
  Json json{{"argv", json_of(state.launch.argv)},
            {"variables", json_of(state.launch.variables)},
            {"lens", json_of(state.launch.lens)},
            {"made", json_of(state.launch.made)},
            {"changes", json_of(state.changes)},
            {"phase", phase_json(state.phase)}};
  if (state.pilot) {
    const auto& memory = state.pilot->memory();
    json["auto"] = {{"made", memory.made},
                    {"tried", json_of(std::vector<std::string>{memory.tried.begin(), memory.tried.end()})}};
  }
  return json.dump(-1, ' ', true);
}

std::optional<State> read_state(std::string_view text, const FileReader& file_text) {
  try {
    const auto json = Json::parse(text);
    State state;
    read(json.at("argv"), state.launch.argv);
    read(json.at("variables"), state.launch.variables);
    read(json.at("lens"), state.launch.lens);
    for (const auto& made : json.at("made")) read(made, state.launch.made.emplace_back(), file_text);
    read(json.at("changes"), state.changes);
    state.phase = phase_of(json.at("phase"));
    if (const auto pilot = json.find("auto"); pilot != json.end()) {
      std::vector<std::string> tried;
      read(pilot->at("tried"), tried);
      state.pilot.emplace(AutoLimits{}).restore({pilot->at("made").get<unsigned>(), {tried.begin(), tried.end()}});
    }
    return state;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace gputop::tuning

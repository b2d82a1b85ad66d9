// Calibrations on disk, one JSON file per card and driver, and as text for people.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>

#include "gputop/calibrate/calibrate.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/json_limits.hpp"

namespace gputop::calibrate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 64 * 1024;

Json to_json(const Calibration& calibration) {
  Json json{{"uuid", calibration.uuid},       {"name", calibration.name},
            {"driver", calibration.driver},   {"runtime", calibration.runtime},
            {"library", calibration.library}, {"measured_at", format_wall(calibration.measured_at)},
            {"measured_ms", calibration.measured_at.time_since_epoch().count()}};
  each_measure(calibration, [&](const char* key, const char*, const char*, const Reading<double>& value) {
    json[key] = value ? Json(*value) : Json(nullptr);
  });
  json["notes"] = calibration.notes;
  return json;
}

std::optional<Calibration> from_json(const std::string& text) {
  if (json_asks_too_much(text)) return std::nullopt;
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Calibration calibration;
  const auto take = [&](const char* key, std::string& into) {
    const auto found = json.find(key);
    if (found != json.end() && found->is_string()) into = printable(found->get<std::string>());
  };
  take("uuid", calibration.uuid);
  take("name", calibration.name);
  take("driver", calibration.driver);
  take("runtime", calibration.runtime);
  take("library", calibration.library);
  const auto number = [&](const char* key) -> Reading<double> {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number()) return std::nullopt;
    const auto value = found->get<double>();
    return value > 0 && value < 1e30 ? Reading<double>{value} : std::nullopt;
  };
  const double when = number("measured_ms").value_or(0);
  calibration.measured_at = WallTime{std::chrono::milliseconds{static_cast<std::int64_t>(std::min(when, 4e12))}};
  each_measure(calibration, [&](const char* key, const char*, const char*, Reading<double>& value) { value = number(key); });
  if (const auto notes = json.find("notes"); notes != json.end() && notes->is_array()) {
    for (const auto& note : *notes) {
      if (note.is_string()) calibration.notes.push_back(printable(note.get<std::string>()));
    }
  }
  if (calibration.uuid.empty()) return std::nullopt;
  return calibration;
}

// Keeps only characters of a UUID or a version, because it becomes a file name.
std::string file_name(const std::string& uuid, const std::string& driver) {
  std::string name = uuid + "_" + driver;
  for (auto& c : name) {
    const bool plain = is_alnum(c) || c == '-' || c == '_';
    if (!plain) c = c == '.' ? '-' : '_';
  }
  return name + ".json";
}

}  // namespace

fs::path store_folder(const Environment& environment) {
  if (const fs::path state = environment("XDG_STATE_HOME").value_or(""); state.is_absolute())
    return state / "gputop" / "calibration";
  if (const fs::path home = environment("HOME").value_or(""); home.is_absolute())
    return home / ".local" / "state" / "gputop" / "calibration";
  return {};
}

Status store(const fs::path& folder, const Calibration& calibration) {
  if (folder.empty())
    return Error{Error::Kind::kNotFound, "no folder for calibrations: neither XDG_STATE_HOME nor HOME is set"};
  return replace_text_file(folder / file_name(calibration.uuid, calibration.driver), to_json(calibration).dump(2) + "\n");
}

std::optional<Calibration> stored(const fs::path& folder, const std::string& uuid, const std::string& driver) {
  if (folder.empty() || uuid.empty()) return std::nullopt;
  const auto text = read_text_file(folder / file_name(uuid, driver), kMostBytes);
  auto calibration = text ? from_json(*text) : std::nullopt;
  if (calibration && (calibration->uuid != uuid || calibration->driver != driver)) return std::nullopt;
  return calibration;
}

std::vector<Calibration> all_stored(const fs::path& folder) {
  std::vector<Calibration> all;
  std::error_code error;
  for (fs::directory_iterator at{folder, error}, end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".json") continue;
    const auto text = read_text_file(at->path(), kMostBytes);
    if (auto calibration = text ? from_json(*text) : std::nullopt) all.push_back(*std::move(calibration));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.name, a.uuid, a.measured_at) < std::tie(b.name, b.uuid, b.measured_at);
  });
  return all;
}

std::string in_words(double value, std::string_view unit) {
  const auto figures = [](double number) { return format_number(number, number < 10 ? 2 : number < 100 ? 1 : 0); };
  if (unit == "B") return format_bytes(Bytes{static_cast<std::uint64_t>(value)});
  if (unit == "B/s") return figures(value / 1e9) + " GB/s";
  if (unit == "FLOP/s") return figures(value / 1e12) + " TFLOP/s";
  return figures(value * 1e6) + " µs";
}

std::string as_text(const Calibration& calibration) {
  std::string text = printable(calibration.name) + "  " + printable(calibration.uuid) + "\n";
  text += "  driver " + printable(calibration.driver) + ", CUDA " + printable(calibration.runtime) + ", " +
          format_wall(calibration.measured_at).substr(0, 16) + "Z\n";
  each_measure(calibration, [&](const char*, const char* unit, const char* title, const Reading<double>& value) {
    std::string label = title;
    label.resize(32, ' ');
    text += "  " + label + (value ? in_words(*value, unit) : "–") + "\n";
  });
  for (const auto& note : calibration.notes) text += "  note: " + printable(note) + "\n";
  return text;
}

std::string as_json(const std::vector<Calibration>& calibrations) {
  Json document{{"schema", "gputop.calibration/1"}};
  auto& all = document["calibrations"] = Json::array();
  for (const auto& calibration : calibrations) all.push_back(to_json(calibration));
  return harmless_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace gputop::calibrate

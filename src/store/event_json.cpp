#include "store/event_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "gputop/core/json_limits.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/core/secrets.hpp"
#include "gputop/core/utf8.hpp"
#include "gputop/lens/message.hpp"
#include "store/cards_line.hpp"
#include "store/line_time.hpp"
#include "store/output_text.hpp"

namespace gputop::store {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A field of the expected type, or the default if it is missing: fields may come and go between versions.
template <class T>
T field(const Json& object, const char* name, T otherwise = {}) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->template get<T>() : otherwise;
  } else if constexpr (std::is_same_v<T, bool>) {
    return found->is_boolean() ? found->template get<T>() : otherwise;
  } else {
    return found->is_number_integer() ? found->template get<T>() : otherwise;
  }
}

std::vector<std::string> texts(const Json& object, const char* name) {
  std::vector<std::string> list;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) return list;
  for (const auto& item : *found) list.push_back(item.is_string() ? item.get<std::string>() : std::string{});
  return list;
}

template <class T = int>
Reading<T> number_if_said(const Json& object, const char* name) {
  return object.contains(name) ? Reading<T>{field<T>(object, name)} : std::nullopt;
}

// Bytes that are not text are stored as text: byte n as the character U+00nn.
std::string bytes_of_utf8(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const auto [code, length] = decode_utf8(text);
    if (length == 0) break;
    bytes += static_cast<char>(code);
    skip_front(text, length);
  }
  return bytes;
}

template <class Enum>
Enum named(const std::string& name, Enum last, Enum otherwise) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (to_string(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return otherwise;
}

Instant time_field(const Json& object, const char* name) {
  return from_milliseconds(field<std::int64_t>(object, name));
}
WallTime wall_field(const Json& object) {
  return WallTime{std::chrono::milliseconds{to_milliseconds(time_field(object, "wall"))}};
}

Json to_json(const StreamStarted& event) {
  return {{"wall", event.wall.time_since_epoch().count()},
          {"gputop_version", event.gputop_version},
          {"hostname", event.hostname},
          {"interval_ms", std::chrono::floor<std::chrono::milliseconds>(event.interval).count()}};
}
Json to_json(const ClockAdjusted& event) {
  return {{"wall", event.wall.time_since_epoch().count()}};
}
Json to_json(const SourceStatus& event) {
  return {{"source", event.source},       {"state", event.state == SourceStatus::State::kOk ? "ok" : "unavailable"},
          {"message", event.message},     {"driver_version", event.driver_version},
          {"simulated", event.simulated}, {"waited_for", event.waited_for}};
}
Json to_json(const GpuHappened& event) {
  return {{"gpu", event.index}, {"kind", to_string(event.kind)}, {"code", event.code}, {"text", event.text}};
}
Json to_json(const Noted& event) {
  return {{"severity", to_string(event.severity)}, {"text", event.text}};
}
Json to_json(const RecordingGap& event) {
  return {{"from", to_milliseconds(event.from)}, {"to", to_milliseconds(event.to)}, {"reason", event.reason}};
}
Json to_json(const RunStarted& event) {
  return {{"id", event.id},
          {"name", event.name},
          {"argv", mask_arguments(event.argv)},
          {"directory", event.directory},
          {"pid", event.pid},
          {"terminal", event.terminal}};
}
Json to_json(const RunEnded& event) {
  Json json{{"text", event.text}};
  if (event.exit_code) json["exit_code"] = *event.exit_code;
  if (event.signal) json["signal"] = *event.signal;
  if (!event.by.empty()) json["by"] = event.by;
  return json;
}
Json to_json(const StreamEnded& event) {
  return {{"reason", event.reason}};
}

Json to_json(const std::vector<Advised::Change>& changes) {
  Json json = Json::array();
  for (const auto& change : changes) json.push_back({{"knob", change.knob}, {"from", change.from}, {"to", change.to}});
  return json;
}

Json to_json(const Advised& event) {
  Json json{{"kind", to_string(event.kind)}, {"id", event.id},   {"severity", event.severity},
            {"title", event.title},          {"why", event.why}, {"changes", to_json(event.changes)},
            {"confidence", event.confidence}};
  if (event.speedup_low && event.speedup_high) json["speedup"] = {*event.speedup_low, *event.speedup_high};
  return json;
}

Json to_json(const QuestionAsked& event) {
  return {{"title", event.title}, {"changes", to_json(event.changes)}};
}

Json to_json(const QuestionAnswered& event) {
  return {{"answer", event.answer}};
}

Json to_json(const JobJoined& event) {
  Json json{{"id", event.id}, {"launcher", event.launcher}, {"node", event.node}};
  for (const auto& [name, text] : {std::pair{"step", &event.step}, {"run_id", &event.run_id}, {"master", &event.master}}) {
    if (!text->empty()) json[name] = *text;
  }
  for (const auto& [name, number] : {std::pair{"node_index", event.node_index},
                                     {"nodes", event.nodes},
                                     {"rank", event.rank},
                                     {"local_rank", event.local_rank},
                                     {"world", event.world}}) {
    if (number) json[name] = *number;
  }
  return json;
}

Json to_json(const ChangeReported& event) {
  Json json{{"stage", to_string(event.stage)}, {"text", event.text}, {"changes", to_json(event.changes)}};
  if (event.gain) json["gain"] = *event.gain;
  if (event.uncertainty) json["uncertainty"] = *event.uncertainty;
  if (event.countdown) json["countdown"] = to_seconds(*event.countdown);
  if (!event.memory.empty()) json["memory"] = event.memory;
  return json;
}

Json to_json(const EarlierRuns& event) {
  Json points = Json::array();
  for (const auto& point : event.points) {
    Json json{{"batch", point.batch}};
    if (point.workers) json["workers"] = *point.workers;
    if (point.precision) json["precision"] = to_string(*point.precision);
    if (point.samples_per_second) json["samples_per_second"] = *point.samples_per_second;
    if (point.peak_memory) json["peak_memory"] = point.peak_memory->value();
    points.push_back(std::move(json));
  }
  return {{"points", points}};
}

Json to_json(const SettingsRead& event) {
  Json settings = Json::array();
  for (const auto& setting : event.settings)
    settings.push_back({{"knob", setting.knob}, {"value", setting.value}, {"place", setting.place}});
  return {{"settings", settings}};
}

double number(const Json& json) {
  return json.is_number() ? json.get<double>() : 0;
}

std::vector<Advised::Change> changes_from(const Json& in) {
  std::vector<Advised::Change> changes;
  const auto list = in.find("changes");
  if (list == in.end() || !list->is_array()) return changes;
  for (const auto& item : *list) {
    if (!item.is_object()) continue;
    changes.push_back(
        {field<std::string>(item, "knob"), field<std::string>(item, "from"), field<std::string>(item, "to")});
  }
  return changes;
}

ChangeReported change_from(const Json& in) {
  using Stage = ChangeReported::Stage;
  ChangeReported event;
  event.stage = named(field<std::string>(in, "stage"), Stage::kUndone, Stage::kWritten);
  event.text = field<std::string>(in, "text");
  event.changes = changes_from(in);
  if (const auto found = in.find("gain"); found != in.end() && found->is_number()) event.gain = number(*found);
  if (const auto found = in.find("uncertainty"); found != in.end() && found->is_number())
    event.uncertainty = number(*found);
  if (const auto found = in.find("countdown"); found != in.end() && found->is_number())
    event.countdown = from_seconds(number(*found));
  event.memory = field<std::string>(in, "memory");
  return event;
}

SettingsRead settings_from(const Json& in) {
  SettingsRead event;
  const auto list = in.find("settings");
  if (list == in.end() || !list->is_array()) return event;
  for (const auto& item : *list) {
    if (!item.is_object()) continue;
    event.settings.push_back(
        {field<std::string>(item, "knob"), field<std::string>(item, "value"), field<std::string>(item, "place")});
  }
  return event;
}

EarlierRuns earlier_from(const Json& in) {
  EarlierRuns event;
  const auto list = in.find("points");
  if (list == in.end() || !list->is_array()) return event;
  for (const auto& item : *list) {
    if (!item.is_object()) continue;
    RunPoint point{.batch = field<std::uint64_t>(item, "batch")};
    if (item.contains("workers")) point.workers = field<unsigned>(item, "workers");
    point.precision = parse_precision(field<std::string>(item, "precision"));
    if (item.contains("samples_per_second")) point.samples_per_second = number(item["samples_per_second"]);
    if (item.contains("peak_memory")) point.peak_memory = Bytes{field<std::uint64_t>(item, "peak_memory")};
    event.points.push_back(point);
  }
  return event;
}

Advised advised_from(const Json& in) {
  Advised event;
  event.kind = named(field<std::string>(in, "kind"), Advised::Kind::kWithdrawn, Advised::Kind::kAppeared);
  event.id = field<std::string>(in, "id");
  event.severity = field<std::string>(in, "severity");
  event.title = field<std::string>(in, "title");
  event.why = field<std::string>(in, "why");
  if (const auto found = in.find("confidence"); found != in.end()) event.confidence = number(*found);
  if (const auto range = in.find("speedup"); range != in.end() && range->is_array() && range->size() == 2) {
    event.speedup_low = number((*range)[0]);
    event.speedup_high = number((*range)[1]);
  }
  event.changes = changes_from(in);
  return event;
}

Json to_json(const LensReported& event) {
  Json json{{"of", event.pid}};
  json.update(Json::parse(fields_of(event.message)));
  return json;
}

std::optional<Payload> to_payload(const std::string& kind, const Json& in) {
  if (!in.is_object()) return std::nullopt;
  if (kind == "stream") {
    return StreamStarted{wall_field(in), field<std::string>(in, "gputop_version"), field<std::string>(in, "hostname"),
                         time_field(in, "interval_ms").time_since_epoch()};
  }
  if (kind == "clock") return ClockAdjusted{wall_field(in)};
  if (kind == "source") {
    return SourceStatus{
        field<std::string>(in, "source"),
        field<std::string>(in, "state") == "ok" ? SourceStatus::State::kOk : SourceStatus::State::kUnavailable,
        field<std::string>(in, "message"),
        field<std::string>(in, "driver_version"),
        field<bool>(in, "simulated"),
        field<bool>(in, "waited_for")};
  }
  if (kind == "happened") {
    // An event kind unknown to this version still becomes a log line; its text names the kind.
    const auto name = field<std::string>(in, "kind");
    using Kind = GpuHappened::Kind;
    return GpuHappened{field<unsigned>(in, "gpu"), named(name, Kind::kSensorError, Kind::kAnswering),
                       field<std::uint64_t>(in, "code"), field<std::string>(in, "text")};
  }
  if (kind == "noted") {
    using Severity = Noted::Severity;
    return Noted{named(field<std::string>(in, "severity"), Severity::kError, Severity::kInfo),
                 field<std::string>(in, "text")};
  }
  if (kind == "gap")
    return RecordingGap{time_field(in, "from"), time_field(in, "to"), field<std::string>(in, "reason")};
  if (kind == "run") {
    return RunStarted{
        field<std::string>(in, "id"),        field<std::string>(in, "name"), texts(in, "argv"),
        field<std::string>(in, "directory"), field<std::int64_t>(in, "pid"), field<bool>(in, "terminal", true)};
  }
  if (kind == "output") {
    const auto raw = in.find("bytes");
    return OutputWritten{
        field<unsigned>(in, "stream"), field<std::uint64_t>(in, "offset"),
        raw == in.end() ? field<std::string>(in, "text") : bytes_of_utf8(field<std::string>(in, "bytes")),
        field<bool>(in, "unread", false)};
  }
  if (kind == "run_ended") {
    return RunEnded{number_if_said(in, "exit_code"), number_if_said(in, "signal"), field<std::string>(in, "text"),
                    field<std::string>(in, "by")};
  }
  if (kind.starts_with(kLensPrefix)) {
    auto message = read_lens_message(slice(std::string_view{kind}, kLensPrefix.size()), text_of(in));
    if (!message) return std::nullopt;
    return LensReported{field<std::int64_t>(in, "of"), std::move(*message)};
  }
  if (kind == "ended") return StreamEnded{field<std::string>(in, "reason")};
  if (kind == "advised") return advised_from(in);
  if (kind == "change") return change_from(in);
  if (kind == "earlier_runs") return earlier_from(in);
  if (kind == "settings") return settings_from(in);
  if (kind == "cards") return cards_from(in);
  if (kind == "question") return QuestionAsked{field<std::string>(in, "title"), changes_from(in)};
  if (kind == "answer") return QuestionAnswered{field<std::string>(in, "answer")};
  if (kind == "job") {
    return JobJoined{field<std::string>(in, "id"),           field<std::string>(in, "launcher"),
                     field<std::string>(in, "step"),         field<std::string>(in, "node"),
                     field<std::string>(in, "run_id"),       field<std::string>(in, "master"),
                     number_if_said<unsigned>(in, "node_index"), number_if_said<unsigned>(in, "nodes"),
                     number_if_said<unsigned>(in, "rank"),   number_if_said<unsigned>(in, "local_rank"),
                     number_if_said<unsigned>(in, "world")};
  }
  return std::nullopt;
}

}  // namespace

std::string kind_of(const Payload& payload) {
  static constexpr std::string_view kNames[] = {"stream",   "clock", "source",  "gpus",   "host",         "processes",
                                                "happened", "noted", "gap",     "run",    "output",       "run_ended",
                                                "ended",    "lens_", "advised", "change", "earlier_runs", "settings",
                                                "question", "answer", "job", "cards"};
  static_assert(std::size(kNames) == std::variant_size_v<Payload>);
  std::string name{kNames[payload.index()]};
  if (const auto* lens = std::get_if<LensReported>(&payload)) name += kind_of(lens->message);
  return name;
}

std::string rare_payload(const Payload& payload) {
  return std::visit(
      [](const auto& event) -> std::string {
        using T = std::decay_t<decltype(event)>;
        if constexpr (std::is_same_v<T, GpusSampled> || std::is_same_v<T, HostSampled> ||
                      std::is_same_v<T, ProcessesSampled>) {
          return "{}";
        } else if constexpr (std::is_same_v<T, OutputWritten>) {
          std::string text;
          write_output(text, event);
          return text;
        } else {
          return text_of(to_json(event));
        }
      },
      payload);
}

bool is_rare_kind(std::string_view kind) {
  return to_payload(std::string{kind}, Json::object()).has_value();
}

std::optional<Event> read_rare_line(std::string_view line, Instant before) {
  const auto json = json_asks_too_much(line) ? Json{} : Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const Instant at = json.contains("t") ? time_field(json, "t") : before;
  for (const auto& [kind, value] : json.items()) {
    if (kind == "t") continue;
    auto payload = to_payload(kind, value);
    if (!payload) return std::nullopt;
    return Event{at, std::move(*payload)};
  }
  return std::nullopt;
}

std::optional<FrameHeader> read_header(std::string_view line) {
  const auto json = json_asks_too_much(line) ? Json{} : Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("schema")) return std::nullopt;
  FrameHeader header{
      field<std::string>(json, "schema"), field<std::uint64_t>(json, "frame"), time_field(json, "t"), {}, {}};
  if (const auto context = json.find("context"); context != json.end() && context->is_array()) {
    for (const auto& event : *context) header.context.push_back(text_of(event));
  }
  if (const auto ends = json.find("output"); ends != json.end() && ends->is_array()) {
    for (std::size_t i = 0; i < std::min(ends->size(), header.output.size()); ++i) {
      if ((*ends)[i].is_number_unsigned()) header.output[i] = (*ends)[i].get<std::uint64_t>();
    }
  }
  return header;
}

}  // namespace gputop::store

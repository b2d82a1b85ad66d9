#include "gputop/lens/message.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "gputop/core/json_limits.hpp"
#include "gputop/core/scan.hpp"
#include "lens/message_fields.hpp"
#include "lens/ordered_reader.hpp"

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostItems = 4096;  // per list: the job is not trusted
constexpr std::size_t kLongestText = 4096;

// In the order of LensMessage.
constexpr std::array<std::string_view, std::variant_size_v<LensMessage>> kKinds = {
    "hello",     "loader",  "optimizer", "model", "env",   "mem_probe", "tick",
    "framework", "applied", "ack",       "oom",   "fault", "bye",       "flops",
    "phase"};

class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {}

  template <class T>
  void operator()(const char* name, T& value) {
    const auto found = object_.find(name);
    if (found != object_.end()) read(*found, value);
  }

 private:
  static void read(const Json& json, bool& value) {
    if (json.is_boolean()) value = json.get<bool>();
  }
  static void read(const Json& json, std::string& value) {
    if (json.is_string()) value = slice(json.get<std::string>(), 0, kLongestText);
  }
  static void read(const Json& json, double& value) {
    if (json.is_number() && std::isfinite(json.get<double>())) value = json.get<double>();
  }
  static void read(const Json& json, Bytes& value) {
    std::uint64_t bytes = value.value();
    read(json, bytes);
    value = Bytes{bytes};
  }
  template <class T>
  requires std::is_integral_v<T>
  static void read(const Json& json, T& value) {
    if (!json.is_number_integer()) return;
    if (json.is_number_unsigned()) {
      const auto number = json.get<std::uint64_t>();
      if (number <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())) value = static_cast<T>(number);
    } else if constexpr (std::is_signed_v<T>) {
      const auto number = json.get<std::int64_t>();
      if (number >= std::numeric_limits<T>::min()) value = static_cast<T>(number);
    }
  }
  template <class T>
  static void read(const Json& json, Reading<T>& value) {
    if (json.is_null()) return;
    // A value of the wrong type stays unknown, as if it were missing.
    if constexpr (std::is_same_v<T, bool>) {
      if (!json.is_boolean()) return;
    } else {
      if (!json.is_number() || (json.is_number_integer() && !json.is_number_unsigned() && !std::is_floating_point_v<T>))
        return;
    }
    T read_value{};
    read(json, read_value);
    value = read_value;
  }
  template <class T>
  static void read(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) return;
    for (const auto& item : json) {
      if (values.size() == kMostItems) return;
      read(item, values.emplace_back());
    }
  }
  template <class T>
  requires std::is_class_v<T> && requires(Reader& io, T& v) { fields(io, v); }
  static void read(const Json& json, T& value) {
    if (!json.is_object()) return;
    Reader reader{json};
    fields(reader, value);
  }

  const Json& object_;
};

class Writer {
 public:
  template <class T>
  void operator()(const char* name, T& value) {
    object_[name] = written(value);
  }
  Json take() { return std::move(object_); }

 private:
  static Json written(bool value) { return value; }
  static Json written(const std::string& value) { return value; }
  static Json written(const Bytes& value) { return value.value(); }
  template <class T>
  requires std::is_arithmetic_v<T>
  static Json written(T value) { return value; }
  template <class T>
  static Json written(const Reading<T>& value) {
    return value ? written(*value) : Json(nullptr);
  }
  template <class T>
  static Json written(std::vector<T>& values) {
    auto list = Json::array();
    for (auto& value : values) list.push_back(written(value));
    return list;
  }
  template <class T>
  requires std::is_class_v<T> && requires(Writer& io, T& v) { fields(io, v); }
  static Json written(T& value) {
    Writer writer;
    fields(writer, value);
    return writer.take();
  }

  Json object_ = Json::object();
};

// Not an object if it is no JSON, or exceeds the limits.
Json parsed(std::string_view text) {
  return json_asks_too_much(text) ? Json{} : Json::parse(text, nullptr, false);
}

template <std::size_t kIndex = 0>
std::optional<LensMessage> read_kind(std::string_view kind, const Json& json) {
  if constexpr (kIndex == std::variant_size_v<LensMessage>) {
    return std::nullopt;
  } else {
    if (kind != kKinds[kIndex]) return read_kind<kIndex + 1>(kind, json);
    std::variant_alternative_t<kIndex, LensMessage> message;
    Reader reader{json};
    fields(reader, message);
    return message;
  }
}

}  // namespace

std::optional<LensMessage> parse_lens_message(std::string_view text) {
  const auto json = parsed(text);
  if (!json.is_object()) return std::nullopt;
  const auto kind = json.find("kind");
  if (kind == json.end() || !kind->is_string()) return std::nullopt;
  return read_kind(kind->get<std::string>(), json);
}

std::optional<LensMessage> read_lens_message(std::string_view kind, std::string_view text) {
  if (LensTick tick; kind == "tick" && OrderedReader{text}.read_message(tick)) return tick;
  const auto json = parsed(text);
  return json.is_object() ? read_kind(kind, json) : std::nullopt;
}

std::string_view kind_of(const LensMessage& message) {
  return kKinds[message.index()];
}

std::string fields_of(const LensMessage& message) {
  auto copy = message;  // fields() is one function for reading and writing
  const auto json = std::visit(
      [](auto& value) {
        Writer writer;
        fields(writer, value);
        return writer.take();
      },
      copy);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gputop

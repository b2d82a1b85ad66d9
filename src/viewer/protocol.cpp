#include "gputop/viewer/protocol.hpp"

namespace gputop {
namespace {

// type (1 byte), length of the rest (4 bytes, little endian), the rest.
constexpr std::size_t kHeaderBytes = 5;

enum class Type : std::uint8_t {
  kHello = 1,
  kKeysTyped = 2,
  kResized = 3,
  kSuspended = 4,
  kEndRequested = 5,
  kMetricsWanted = 6,
  kWelcome = 16,
  kMouseWanted = 17,
  kFarewell = 18,
  kDone = 19,
  kMetrics = 20,
};

class Writer {
 public:
  template <class Number>
  Writer& number(Number value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  Writer& text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  [[nodiscard]] std::string framed(Type type) const {
    return Writer{}.number(static_cast<std::uint8_t>(type)).text(bytes_).bytes_;
  }

 private:
  std::string bytes_;
};

// Reads past the end give zeros and leave ok() false: checked once, at the end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class Number>
  Number number() {
    std::uint64_t value = 0;
    const auto part = take(sizeof(Number));
    for (std::size_t i = 0; i < part.size(); ++i)
      value |= std::uint64_t{static_cast<unsigned char>(part[i])} << (8 * i);
    return static_cast<Number>(value);
  }
  std::string text() { return std::string{take(number<std::uint32_t>())}; }
  // Bytes left over are a newer version's additions.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const auto part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  std::string_view bytes_;
  bool ok_ = true;
};

struct Encoder {
  static Writer asked(Writer writer, const Asked& m) { return writer.number(m.questions).number(m.patience_ms); }
  std::string operator()(const Hello& m) const {
    return Writer{}
        .number(m.version)
        .number(m.columns)
        .number(m.rows)
        .number(m.color_depth)
        .number(static_cast<std::uint8_t>(m.utf8))
        .number(static_cast<std::uint8_t>(m.linux_console))
        .number(static_cast<std::uint8_t>(m.readonly))
        .text(m.gputop_version)
        .framed(Type::kHello);
  }
  std::string operator()(const KeysTyped& m) const { return Writer{}.text(m.bytes).framed(Type::kKeysTyped); }
  std::string operator()(const Resized& m) const {
    return Writer{}.number(m.columns).number(m.rows).framed(Type::kResized);
  }
  std::string operator()(const Suspended& m) const {
    return Writer{}.number(static_cast<std::uint8_t>(m.now)).framed(Type::kSuspended);
  }
  std::string operator()(const EndRequested& m) const { return Writer{}.number(m.signal).framed(Type::kEndRequested); }
  std::string operator()(const MetricsWanted&) const { return Writer{}.framed(Type::kMetricsWanted); }
  std::string operator()(const Metrics& m) const { return Writer{}.text(m.lines).framed(Type::kMetrics); }
  std::string operator()(const Done& m) const { return asked(Writer{}, m.asked).framed(Type::kDone); }
  std::string operator()(const Welcome& m) const {
    return Writer{}.number(m.version).text(m.gputop_version).text(m.run_name).framed(Type::kWelcome);
  }
  std::string operator()(const MouseWanted& m) const {
    return Writer{}.number(static_cast<std::uint8_t>(m.on)).framed(Type::kMouseWanted);
  }
  std::string operator()(const Farewell& m) const {
    return asked(Writer{}.number(static_cast<std::uint8_t>(m.kind)).number(m.exit_code).text(m.text), m.asked)
        .framed(Type::kFarewell);
  }
};

Asked asked(Reader& in) {
  if (in.at_end()) return {};  // an older engine
  return Asked{in.number<std::uint32_t>(), in.number<std::uint16_t>()};
}

// Braced initialisation evaluates left to right, so the fields below are read in the order they were written in.
std::optional<Message> decode(Type type, Reader& in) {
  switch (type) {
    case Type::kHello:
      return Hello{in.number<std::uint16_t>(),     in.number<std::uint16_t>(),
                   in.number<std::uint16_t>(),     in.number<std::uint8_t>(),
                   in.number<std::uint8_t>() != 0, in.number<std::uint8_t>() != 0,
                   in.number<std::uint8_t>() != 0, in.text()};
    case Type::kKeysTyped: return KeysTyped{in.text()};
    case Type::kResized: return Resized{in.number<std::uint16_t>(), in.number<std::uint16_t>()};
    case Type::kSuspended: return Suspended{in.number<std::uint8_t>() != 0};
    case Type::kEndRequested: return EndRequested{in.number<std::uint8_t>()};
    case Type::kMetricsWanted: return MetricsWanted{};
    case Type::kMetrics: return Metrics{in.text()};
    case Type::kDone: return Done{asked(in)};
    case Type::kWelcome: return Welcome{in.number<std::uint16_t>(), in.text(), in.text()};
    case Type::kMouseWanted: return MouseWanted{in.number<std::uint8_t>() != 0};
    case Type::kFarewell:
      return Farewell{static_cast<Farewell::Kind>(in.number<std::uint8_t>()), in.number<std::uint8_t>(), in.text(),
                      asked(in)};
  }
  return std::nullopt;
}

}  // namespace

std::string encode(const Message& message) {
  return std::visit(Encoder{}, message);
}

Result<std::optional<Message>> MessageDecoder::next() {
  for (;;) {
    const std::string_view rest = std::string_view{buffer_}.substr(begin_);
    if (rest.size() < kHeaderBytes) break;
    Reader header{rest};
    const auto type = header.number<std::uint8_t>();
    const auto length = header.number<std::uint32_t>();
    if (length > kMostBytes) {
      return Error{Error::Kind::kCorrupt, "the peer announced a message of " + std::to_string(length) + " bytes"};
    }
    if (rest.size() < kHeaderBytes + length) break;
    Reader body{rest.substr(kHeaderBytes, length)};
    begin_ += kHeaderBytes + length;
    auto message = decode(static_cast<Type>(type), body);
    if (!message) continue;
    if (!body.ok()) {
      return Error{Error::Kind::kCorrupt,
                   "the peer sent a message of type " + std::to_string(type) + " that is too short"};
    }
    return message;
  }
  buffer_.erase(0, begin_);
  begin_ = 0;
  return std::optional<Message>{};
}

}  // namespace gputop

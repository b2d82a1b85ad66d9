// What an engine and a viewer send each other over the run's socket: framed messages, deliberately few.
//
// The engine draws (it has the Model). The viewer owns one terminal: it sets it up, hands the engine a descriptor of it
// with its first message, and from then on sends keys and sizes. So a viewer of one version can show an engine of
// another, as long as this protocol stays the same (kProtocolVersion).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gputop/core/result.hpp"

namespace gputop {

inline constexpr std::uint16_t kProtocolVersion = 1;

// --- viewer → engine ---
struct Hello {
  std::uint16_t version = kProtocolVersion;
  std::uint16_t columns = 80;
  std::uint16_t rows = 24;
  std::uint8_t color_depth = 0;  // term::ColorDepth
  bool utf8 = true;
  bool linux_console = false;
  bool readonly = false;
  std::string gputop_version;
  bool operator==(const Hello&) const = default;
};
struct KeysTyped {
  std::string bytes;
  bool operator==(const KeysTyped&) const = default;
};
struct Resized {
  std::uint16_t columns = 0;
  std::uint16_t rows = 0;
  bool operator==(const Resized&) const = default;
};
// Whether the terminal is ours: nothing may be drawn while the viewer is stopped; afterwards everything is redrawn.
struct Suspended {
  bool now = false;
  bool operator==(const Suspended&) const = default;
};

// Ends the run with this signal: sent by `gputop stop`, which has no terminal and sends no Hello.
struct EndRequested {
  std::uint8_t signal = 0;
  bool operator==(const EndRequested&) const = default;
};

// The question of `gputop export`, which has no terminal and sends no Hello. Engines of 0.1.0 do not answer it.
struct MetricsWanted {
  bool operator==(const MetricsWanted&) const = default;
};

// --- engine → viewer ---
struct Welcome {
  std::uint16_t version = kProtocolVersion;
  std::string gputop_version;
  std::string run_name;
  bool operator==(const Welcome&) const = default;
};
struct MouseWanted {
  bool on = true;
  bool operator==(const MouseWanted&) const = default;
};
// How many questions the engine has asked the terminal (whether it keeps up) since Hello, and how long to wait for the
// answers that are still to come: otherwise whoever gets the terminal next would read them. Engines before 0.2 do not
// send this.
struct Asked {
  std::uint32_t questions = 0;
  std::uint16_t patience_ms = 0;
  bool operator==(const Asked&) const = default;
};
// The last request (Suspended, EndRequested) is done. Engines of 0.1.0 do not send this.
struct Done {
  Asked asked{};
  bool operator==(const Done&) const = default;
};
// The run's lines for Prometheus (gputop/report/open_metrics.hpp).
struct Metrics {
  std::string lines;
  bool operator==(const Metrics&) const = default;
};
// The viewer's end: why, and its exit code.
struct Farewell {
  enum class Kind : std::uint8_t { kDetached, kRunEnded, kRefused };
  Kind kind = Kind::kDetached;
  std::uint8_t exit_code = 0;
  std::string text;  // printed after the terminal is restored
  Asked asked{};
  bool operator==(const Farewell&) const = default;
};

using Message = std::variant<Hello,
                             KeysTyped,
                             Resized,
                             Suspended,
                             EndRequested,
                             MetricsWanted,
                             Welcome,
                             MouseWanted,
                             Done,
                             Metrics,
                             Farewell>;

std::string encode(const Message& message);

// Bytes in any pieces → messages. A peer that breaks the rules causes an Error, after which the connection is useless.
// Messages of a kind this version does not know are skipped.
class MessageDecoder {
 public:
  static constexpr std::size_t kMostBytes = 1U << 20U;  // per message

  void feed(std::string_view bytes) { buffer_ += bytes; }
  // nullopt: no whole message yet.
  Result<std::optional<Message>> next();

 private:
  std::string buffer_;
  std::size_t begin_ = 0;
};

}  // namespace gputop

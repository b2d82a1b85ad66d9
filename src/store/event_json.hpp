// Events other than samples, as JSON. They are rare, so a JSON library handles them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/store/output_ends.hpp"

namespace gputop::store {

// The name of an event in a line: "gpus", "host", "stream", "gap" …
std::string kind_of(const Payload& payload);

// The object after the name. Not for samples, which are tables.
std::string rare_payload(const Payload& payload);

bool is_rare_kind(std::string_view kind);

// Each lens message is its own kind ("lens_tick"), so readers skip those they do not know.
inline constexpr std::string_view kLensPrefix = "lens_";

// The event in a whole line (or in a line of a frame's context). `before` is its time if the line has none. nullopt:
// another kind, or malformed.
std::optional<Event> read_rare_line(std::string_view line, Instant before);

// {"schema":"gputop.recording/1","frame":N,"t":MS,"context":[line,…],"output":[END,END]}
struct FrameHeader {
  std::string schema;
  std::uint64_t frame = 0;
  Instant at;
  std::vector<std::string> context;
  OutputEnds output{};
};
std::optional<FrameHeader> read_header(std::string_view line);

}  // namespace gputop::store

// The events that are not samples, as JSON. They are few, so they go through a JSON library.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/store/output_ends.hpp"

namespace gputop::store {

// The name an event has in a line: "gpus", "host", "stream", "gap" …
std::string kind_of(const Payload& payload);

// The object that stands behind the name. Not for samples: those are tables.
std::string rare_payload(const Payload& payload);

bool is_rare_kind(std::string_view kind);

// Each message of the lens is a kind of its own ("lens_tick"), so that readers skip those they do not know.
inline constexpr std::string_view kLensPrefix = "lens_";

// The event a whole line (or a line within a frame's context) holds. `before` is the time it has if it names none.
// nullopt: not one of these kinds, or not what such a line must look like.
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

// A job's output as JSON. Apart from the other rare events, because there may be tens of megabytes of it a second.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/event.hpp"
#include "gputop/core/time.hpp"

namespace gputop::store {

// {"stream":0,"offset":N,"text":"…"}; "bytes" instead of "text" where it is no UTF-8: byte n is then the character
// U+00nn.
void write_output(std::string& out, const OutputWritten& output);

// Which stream's output a line holds, by its beginning: the bytes need not be unpacked to know.
std::optional<std::size_t> output_stream_of(std::string_view line);
// The time a line of any kind names; nullopt: that of the line before.
std::optional<Instant> time_of(std::string_view line);

}  // namespace gputop::store

// The lens's messages as JSON, the same on its socket and in recordings (docs/recording-format.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/lens.hpp"

namespace gputop {

// {"kind":"tick","steps":…}, as it comes from the socket. Fields that are missing or of the wrong type are unknown;
// nullopt: no object, or a kind this version does not know.
std::optional<LensMessage> parse_lens_message(std::string_view json);

// The same in two parts: "tick", and the object of its fields.
std::string_view kind_of(const LensMessage& message);
std::string fields_of(const LensMessage& message);
std::optional<LensMessage> read_lens_message(std::string_view kind, std::string_view fields);

}  // namespace gputop

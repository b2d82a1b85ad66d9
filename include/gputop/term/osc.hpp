// What a terminal is told or asked beside its picture: the clipboard, a message to its user, its background.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gputop::term {

// OSC 52: the text for the terminal's clipboard. nullopt: more than terminals take.
std::optional<std::string> to_clipboard(std::string_view text);
// OSC 9 and OSC 777, whichever it knows, and the bell: a message on the user's desktop.
std::string to_desktop(std::string_view text);

}  // namespace gputop::term

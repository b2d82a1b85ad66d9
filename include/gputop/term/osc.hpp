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
// OSC 11: what is its background? The KeyDecoder hears the answer.
std::string ask_background();
// Of that answer: "rgb:ffff/ffff/dddd", "#1e1e1e". nullopt: it says nothing that is understood.
std::optional<bool> is_light(std::string_view answer);

}  // namespace gputop::term

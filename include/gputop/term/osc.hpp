// Messages to the terminal beside its picture: the clipboard, a notification for its user, the question for its
// background.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gputop::term {

// OSC 52: the text for the terminal's clipboard. nullopt: more than terminals accept.
std::optional<std::string> to_clipboard(std::string_view text);
// OSC 9 and OSC 777, whichever the terminal knows, and the bell: a notification on the user's desktop.
std::string to_desktop(std::string_view text);
// OSC 11: asks for the background color. The KeyDecoder receives the answer.
std::string ask_background();
// Parses that answer: "rgb:ffff/ffff/dddd", "#1e1e1e". nullopt: not understood.
std::optional<bool> is_light(std::string_view answer);

}  // namespace gputop::term

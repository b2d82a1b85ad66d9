// The output of another program.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace gputop {

// Runs the command (its first word is a path, or is looked for on the PATH) without input and returns what it and its children print until they close
// stdout, at most 4 KiB. nullopt: it could not be started, or did not finish in time. Leaves nothing running.
std::optional<std::string> answer_of(std::vector<std::string> words, std::chrono::milliseconds patience);

}  // namespace gputop

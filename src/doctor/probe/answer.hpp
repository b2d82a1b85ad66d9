// What another program prints.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace gputop::doctor {

// Runs the words (the first is a path) without input; what it and its children print until they close stdout, at most
// 4 KiB. Nullopt: it could not be started, or was not done in time. Nothing of it is left running.
std::optional<std::string> answer_of(std::vector<std::string> words, std::chrono::milliseconds patience);

}  // namespace gputop::doctor

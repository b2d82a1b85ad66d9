// A command to start in the job's place, as it crosses from the engine to the keeper: variables to set or to take away,
// the file, the words. Each part ends with a zero byte, an empty one ends the variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputop::run {

struct NextLaunch {
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;  // nullopt: not to be set
  std::string file;
  std::vector<std::string> argv;
};

std::string to_bytes(const NextLaunch& launch);
// nullopt: not such bytes.
std::optional<NextLaunch> parse_next_launch(std::string_view bytes);

}  // namespace gputop::run

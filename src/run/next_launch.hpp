// A command to start in the job's place, as it crosses from the engine to the keeper: variables to set or to take away,
// the file, the words. Each part ends with a zero byte, an empty one ends the variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/run/shared_run.hpp"

namespace gputop::run {

struct NextLaunch {
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;  // nullopt: not to be set
  std::string file;
  std::vector<std::string> argv;
};

// False: it does not fit, and there is none then.
bool store_launch(const NextLaunch& launch, LaunchBytes& into);
// nullopt: there is none.
std::optional<NextLaunch> stored_launch(const LaunchBytes& from);

std::string to_bytes(const NextLaunch& launch);
// nullopt: not such bytes.
std::optional<NextLaunch> parse_next_launch(std::string_view bytes);

}  // namespace gputop::run

// A command to start in the job's place, as passed from the engine to the keeper: variables to set or remove, the file,
// the arguments. Each part ends with a zero byte; an empty part ends the variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/run/shared_run.hpp"

namespace gputop::run {

struct NextLaunch {
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;  // nullopt: remove it
  std::string file;
  std::vector<std::string> argv;
};

// False: it does not fit; there is no command then.
bool store_launch(const NextLaunch& launch, LaunchBytes& into);
// nullopt: there is none.
std::optional<NextLaunch> stored_launch(const LaunchBytes& from);

std::string to_bytes(const NextLaunch& launch);
// nullopt: malformed bytes.
std::optional<NextLaunch> parse_next_launch(std::string_view bytes);

}  // namespace gputop::run

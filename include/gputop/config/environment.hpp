// Environment variables as an argument, so nothing below the command line reads them unnoticed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gputop {

// A variable's value; nullopt when it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;
Environment process_environment();

// $XDG_CONFIG_HOME/gputop, otherwise ~/.config/gputop; empty if there is no home either.
std::filesystem::path config_directory(const Environment& environment);

}  // namespace gputop

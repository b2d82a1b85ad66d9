// getenv and XDG: see environment.hpp.
#include "gputop/config/environment.hpp"

#include <cstdlib>

namespace gputop {

Environment process_environment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string{name}.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::filesystem::path config_directory(const Environment& environment) {
  // The XDG specification: a relative path is invalid and ignored.
  const std::filesystem::path xdg = environment("XDG_CONFIG_HOME").value_or("");
  if (xdg.is_absolute()) return xdg / "gputop";
  const std::filesystem::path home = environment("HOME").value_or("");
  if (home.is_absolute()) return home / ".config" / "gputop";
  return {};
}

}  // namespace gputop

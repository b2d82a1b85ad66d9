#include "run/next_launch.hpp"

#include <algorithm>

namespace gputop::run {
namespace {

void put(std::string& bytes, std::string_view part) {
  bytes += part;
  bytes += '\0';
}

}  // namespace

bool store_launch(const NextLaunch& launch, LaunchBytes& into) {
  const auto bytes = to_bytes(launch);
  const bool fits = bytes.size() <= into.data.size();
  if (fits) std::copy(bytes.begin(), bytes.end(), into.data.begin());
  into.bytes = fits ? static_cast<std::uint32_t>(bytes.size()) : 0;
  return fits;
}

std::optional<NextLaunch> stored_launch(const LaunchBytes& from) {
  return parse_next_launch({from.data.data(), std::min<std::size_t>(from.bytes, from.data.size())});
}

std::string to_bytes(const NextLaunch& launch) {
  std::string bytes;
  for (const auto& [name, value] : launch.environment) put(bytes, value ? name + "=" + *value : name);
  put(bytes, "");
  put(bytes, launch.file);
  for (const auto& word : launch.argv) put(bytes, word);
  return bytes;
}

std::optional<NextLaunch> parse_next_launch(std::string_view bytes) {
  std::vector<std::string> parts;
  while (!bytes.empty()) {
    const auto end = bytes.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    parts.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
  NextLaunch launch;
  std::size_t at = 0;
  for (; at < parts.size() && !parts[at].empty(); ++at) {
    const auto equals = parts[at].find('=');
    launch.environment.emplace_back(parts[at].substr(0, equals), std::nullopt);
    if (equals != std::string::npos) launch.environment.back().second = parts[at].substr(equals + 1);
  }
  if (parts.size() < at + 3 || parts[at + 1].empty()) return std::nullopt;  // the empty part, the file, argv[0]
  launch.file = parts[at + 1];
  launch.argv.assign(parts.begin() + static_cast<std::ptrdiff_t>(at) + 2, parts.end());
  return launch;
}

}  // namespace gputop::run

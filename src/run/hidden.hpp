// How gputop starts itself as another process of a run: the first argument and what follows it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run/fds.hpp"

namespace gputop::run {

// keeper | adopt: FDS NAME COUNT engine-argument… [FILE argv…]        engine: FDS engine-argument…        job: FDS
inline constexpr const char* kKeeperMode = "--internal-keeper";
inline constexpr const char* kAdoptMode = "--internal-adopt";
inline constexpr const char* kEngineMode = "--internal-engine";
inline constexpr const char* kJobMode = "--internal-job";

struct KeeperCommand {
  const char* mode = kKeeperMode;
  std::string name;
  std::span<const std::string> engine_arguments{};
  std::string file{};
  std::span<const std::string> argv{};
};
std::vector<std::string> keeper_command(const KeeperCommand& command, const RunFds& fds);

// Pointers into `texts`, ending with nullptr, as exec expects.
std::vector<char*> pointers(std::vector<std::string>& texts);

}  // namespace gputop::run

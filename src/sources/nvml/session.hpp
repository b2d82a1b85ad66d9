// NVML opened: the library loaded, initialised, its GPUs counted and looked up.
#pragma once

#include <optional>
#include <string>

#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

struct Unavailable {
  std::string why;  // for people
  bool retry = true;
};

// What a GPU is called; enough to find it again after it was lost.
struct Identity {
  std::string name;
  std::string uuid;
  std::string bus_id;
};

// Used by one thread until opened, then read-only but for initialise_again().
class Session {
 public:
  // Goes as far as it gets; called again it goes on from there, so that NVML is initialised once: in a container a
  // second initialisation can fail where the handles of the first go on working.
  std::optional<Unavailable> open(const std::string& library, Watch& watch, const std::vector<std::string>& avoid = {});

  [[nodiscard]] const Api& api() const { return api_; }
  [[nodiscard]] const std::string& driver_version() const { return driver_version_; }
  [[nodiscard]] unsigned count() const { return count_; }

  // By index when nothing is known of it yet, else by UUID and bus id: after a loss the numbering may have changed.
  Code look_up(Watch& watch, unsigned index, const Identity& known, Device& device) const;
  [[nodiscard]] Identity identify(Calls& calls) const;

  // Only when every GPU is lost: there is no handle left that it could break.
  Code initialise_again(Watch& watch) const;

 private:
  Api api_;
  bool loaded_ = false;
  bool initialised_ = false;
  std::string driver_version_;
  unsigned count_ = 0;
};

}  // namespace gputop::nvml

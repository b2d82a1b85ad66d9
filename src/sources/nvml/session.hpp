// An open NVML: the library loaded and initialized, its GPUs counted and looked up.
#pragma once

#include <optional>
#include <string>

#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

struct Unavailable {
  std::string why;  // for the user
  bool retry = true;
};

// A GPU's identity: enough to find it again after it was lost.
struct Identity {
  std::string name;
  std::string uuid;
  std::string bus_id;
};

// Used by one thread until it is open, then read-only except for initialise_again().
class Session {
 public:
  // Proceeds as far as possible; another call continues from there, so NVML is initialized only once: in a container, a
  // second initialization can fail while the handles of the first keep working.
  std::optional<Unavailable> open(const std::string& library, Watch& watch, const std::vector<std::string>& avoid = {});

  [[nodiscard]] const Api& api() const { return api_; }
  [[nodiscard]] const std::string& driver_version() const { return driver_version_; }
  [[nodiscard]] unsigned count() const { return count_; }

  // By index if nothing is known about it yet, otherwise by UUID and bus id: after a loss the numbering may have
  // changed.
  Code look_up(Watch& watch, unsigned index, const Identity& known, Device& device) const;
  [[nodiscard]] Identity identify(Calls& calls) const;

  // Call only if every GPU is lost: then there is no handle left to invalidate.
  Code initialise_again(Watch& watch) const;

 private:
  Api api_;
  bool loaded_ = false;
  bool initialised_ = false;
  std::string driver_version_;
  unsigned count_ = 0;
};

}  // namespace gputop::nvml

// What the desk of changes has in hand, as a text in the recording: an engine that takes over from one that was killed
// goes on with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/tuning/autopilot.hpp"
#include "gputop/tuning/next_settings.hpp"

namespace gputop {

struct DeskMemory {
  // What is done when nobody objects.
  struct Offer {
    std::vector<Change> instead{};  // after the last change was taken back; empty: nothing
    bool held = false;              // there is no job to stop
    bool takes_back = true;         // the last change; else there is none that is to blame
  };
  NextSettings::Memory settings{};
  std::vector<Change> changes{};  // that are being made or measured
  bool awaits_epoch = false;      // the lens makes them then
  std::optional<Offer> offer{};
  std::optional<Autopilot::Memory> pilot{};
};

// Of files only where they are, where their backups are, and sums of both: what they say is nobody's business.
std::string to_text(const DeskMemory& memory);
// Reads the files again. One that is not as it was left cannot be taken back later, which is said then. nullopt: not
// such a text.
std::optional<DeskMemory> read_desk_memory(std::string_view text);

}  // namespace gputop

// Decodes the lines of a recording, from a growing file or from another node: line in, event out.
#pragma once

#include <memory>
#include <string_view>

#include "gputop/core/event.hpp"

namespace gputop {

class EventLines {
 public:
  EventLines();
  ~EventLines();
  EventLines(EventLines&&) noexcept;
  EventLines& operator=(EventLines&&) noexcept;

  // The event of a line (without its newline), valid until the next call. nullptr: no event, or not decodable.
  const Event* read(std::string_view line);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gputop

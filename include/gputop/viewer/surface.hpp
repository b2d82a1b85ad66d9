// Where a session's frames go: this process's terminal, or a viewer at the other end of a socket.
#pragma once

#include <string>

#include "gputop/term/diff_writer.hpp"

namespace gputop {

class Surface {
 public:
  Surface() = default;
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  virtual ~Surface() = default;

  // Never blocks; a newer frame replaces one that is still waiting.
  virtual void show(term::Frame frame) = 0;
  // A frame that is no longer needed and can be painted into, if there is one; its cells hold anything.
  [[nodiscard]] virtual std::optional<term::Frame> spare() = 0;
  // What is shown is in doubt: send every cell of the last frame again.
  virtual void repaint() = 0;
  virtual void set_mouse(bool on) = 0;
  // Bytes that draw nothing: the clipboard, a message to the desktop.
  virtual void say(std::string bytes) = 0;
};

}  // namespace gputop

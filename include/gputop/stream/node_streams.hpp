// Runs `gputop stream` on other nodes through an existing command (srun, ssh, kubectl exec) and reads its lines from a
// pipe. Nothing listens on the nodes. The destructor ends the commands, and what they started there ends with them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop {

// "ssh {host}" and n1 → {"ssh", "n1", …}; the text in the braces does not matter. Error: no braces, or an unclosed
// quote.
Result<std::vector<std::string>> command_on(const std::string& way, const std::string& name, const std::vector<std::string>& command);

class NodeStreams {
 public:
  struct Handlers {
    std::function<void(const std::string& from, std::string_view line)> line;
    std::function<void(std::string text)> problem;  // output of a command that is not one of our lines, or how it ended
  };

  NodeStreams(Loop& loop, Handlers handlers);
  ~NodeStreams();
  NodeStreams(const NodeStreams&) = delete;
  NodeStreams& operator=(const NodeStreams&) = delete;

  Status start(const std::vector<std::string>& command);

 private:
  struct Child;
  void read(Child& child);
  void take(Child& child, std::string_view line);

  Loop& loop_;
  Handlers handlers_;
  std::vector<std::unique_ptr<Child>> children_;
};

// The line that names the recording of the lines after it.
std::string from_line(const std::string& name);
// "" for any other line.
std::string name_in(std::string_view line);

}  // namespace gputop

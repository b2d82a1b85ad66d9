// Python tracebacks, line by line: the exception at their end and the place it came from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gputop::logs {

struct PythonException {
  std::string type;      // "ValueError", "torch.OutOfMemoryError"
  std::string message;   // its first line
  std::string location;  // "train.py:76 in train_one_epoch"; "" when unknown
  bool chained = false;  // raised while another was being handled
};

// Of one stream and one rank. What stands between its lines (bars, other ranks) does not disturb it.
class TracebackReader {
 public:
  [[nodiscard]] bool active() const { return active_; }
  // The line without its prefixes. Gives the exception at its last line. `taken`: the line is part of a traceback.
  std::optional<PythonException> add(std::string_view line, bool& taken);

 private:
  bool active_ = false;
  bool chain_announced_ = false;
  int lines_ = 0;
  std::string location_;
  std::string prefix_;  // of somebody's logger, before every line
};

}  // namespace gputop::logs

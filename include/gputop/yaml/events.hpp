// YAML text as a row of events: they tell an alias from what it names, and never expand it. The one door to yaml-cpp
// for those who want to know where in the text a value stands; its exceptions stop behind it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gputop::yaml {

struct Mark {
  std::size_t position = 0;  // in bytes
  int line = 0;              // 1-based
};

// Numbers an anchor within its text; 0: none.
using AnchorId = std::size_t;

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  virtual void document_started() = 0;
  virtual void anchor_named(const std::string& name) = 0;  // the node that comes next has it
  virtual void null(Mark mark, AnchorId anchor) = 0;
  virtual void alias(Mark mark, AnchorId anchor) = 0;
  // The tag is "?" or "" of a plain scalar, "!" of one in quotes.
  virtual void scalar(Mark mark, const std::string& tag, AnchorId anchor, const std::string& value) = 0;
  virtual void sequence_started(Mark mark, AnchorId anchor) = 0;
  virtual void sequence_ended() = 0;
  virtual void map_started(Mark mark, AnchorId anchor) = 0;
  virtual void map_ended() = 0;
};

struct Failure {
  int line = 0;
  std::string message;
};

// All documents of the text, in order; what is wrong with it, if anything. Deterministic, no I/O.
std::optional<Failure> parse(std::string_view text, Listener& listener);

}  // namespace gputop::yaml

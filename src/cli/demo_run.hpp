// The bundled example run as a child process, for --demo.
#pragma once

#include <sys/types.h>

#include "gputop/core/result.hpp"

namespace gputop::cli {

// Ends with this object.
class DemoRun {
 public:
  enum class Output { kInherited, kDiscarded };
  static Result<DemoRun> start(Output output);

  DemoRun(DemoRun&& other) noexcept : pid_(other.pid_) { other.pid_ = -1; }
  DemoRun& operator=(DemoRun&&) = delete;
  DemoRun(const DemoRun&) = delete;
  DemoRun& operator=(const DemoRun&) = delete;
  ~DemoRun();

 private:
  explicit DemoRun(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

}  // namespace gputop::cli

// Making and mapping the memfd of a run.
#pragma once

#include "gputop/core/result.hpp"
#include "gputop/run/shared_run.hpp"
#include "run/fds.hpp"

namespace gputop::run {

// The mapping of one process; unmapped with it.
class SharedMap {
 public:
  // A new memfd: sealed, so that nobody who holds it can shrink it under the others.
  static Result<UniqueFd> create(Mode mode, std::size_t ring_bytes);
  static Result<SharedMap> map(int fd);

  SharedMap() = default;
  SharedMap(SharedMap&& other) noexcept;
  SharedMap& operator=(SharedMap&& other) noexcept;
  ~SharedMap();

  explicit operator bool() const { return shared_ != nullptr; }
  SharedRun& operator*() const { return *shared_; }
  SharedRun* operator->() const { return shared_; }
  [[nodiscard]] char* data(std::size_t stream) const {
    return reinterpret_cast<char*>(shared_) + shared_->streams[stream].offset;
  }

 private:
  SharedRun* shared_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace gputop::run

// Creates and maps the memfd of a run.
#pragma once

#include "gputop/core/result.hpp"
#include "gputop/run/shared_run.hpp"
#include "run/fds.hpp"
#include "run/ring.hpp"

namespace gputop::run {

// The mapping of one process; unmapped with this object.
class SharedMap {
 public:
  // A new memfd, sealed so that no process can shrink it under the others.
  static Result<Descriptor> create(Mode mode, std::size_t ring_bytes);
  static Result<SharedMap> map(int fd);

  SharedMap() = default;
  SharedMap(SharedMap&& other) noexcept;
  SharedMap& operator=(SharedMap&& other) noexcept;
  ~SharedMap();

  explicit operator bool() const { return shared_ != nullptr; }
  SharedRun& operator*() const { return *shared_; }
  SharedRun* operator->() const { return shared_; }
  // This process's own knowledge, never read again from memory that others write to.
  [[nodiscard]] Mode mode() const { return mode_; }
  [[nodiscard]] std::size_t streams() const { return mode_ == Mode::kPty ? 1 : 2; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }  // of each stream's ring
  [[nodiscard]] std::size_t offset(std::size_t stream) const { return kDataOffset + stream * capacity_; }
  [[nodiscard]] char* data(std::size_t stream) const { return reinterpret_cast<char*>(shared_) + offset(stream); }
  [[nodiscard]] RingPlace ring(std::size_t stream) const {
    return {&shared_->streams[stream], data(stream), capacity_, offset(stream)};
  }

 private:
  SharedRun* shared_ = nullptr;
  std::size_t bytes_ = 0;
  Mode mode_ = Mode::kPty;
  std::size_t capacity_ = 0;
};

}  // namespace gputop::run

// Result<T>: a value, or an Error that says what was tried, what was found and what to do.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace gputop {

struct Error {
  enum class Kind {
    kNotSupported,
    kNotFound,
    kPermission,
    kUnavailable,  // the service behind it is missing (no driver, no library)
    kMismatch,     // two components have different versions
    kTimeout,
    kLost,  // it existed and is gone
    kCorrupt,
    kInvalid,  // the caller's input is wrong
    kIo,
  };
  Kind kind = Kind::kInvalid;
  std::string message;

  bool operator==(const Error&) const = default;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Requires ok().
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  // Requires !ok().
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// Success, or an Error.
using Status = Result<std::monostate>;
inline Status success() {
  return std::monostate{};
}

}  // namespace gputop

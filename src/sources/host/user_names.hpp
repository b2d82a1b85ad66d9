// Names of users. The system may have to ask a server, so a slow answer is shown when it arrives.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gputop::host {

// One thread calls name(). Lookups run on a detached thread that shares only the state below and may outlive this
// object.
class UserNames {
 public:
  using LookUp = std::function<std::string(std::uint64_t)>;

  explicit UserNames(LookUp look_up);

  // The user's name; the number as text during the lookup, or if there is none.
  std::string name(std::uint64_t uid);

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state, const LookUp& look_up);

  LookUp look_up_;
  std::shared_ptr<State> state_;
};

// Asks the system; "" if it has no such user.
std::string system_user_name(std::uint64_t uid);

}  // namespace gputop::host

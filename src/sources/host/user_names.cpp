#include "sources/host/user_names.hpp"

#include <pwd.h>
#include <sys/types.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gputop/core/format.hpp"
#include "gputop/sources/detached_thread.hpp"

namespace gputop::host {
namespace {

// Local files answer much faster than this. After one timeout, nothing waits until the slow answer has arrived.
constexpr auto kPatience = std::chrono::milliseconds{20};

}  // namespace

struct UserNames::State {
  std::mutex mutex;
  std::condition_variable answered;
  std::unordered_map<std::uint64_t, std::string> names;  // a requested user is in it with the number as text
  std::deque<std::uint64_t> asked;
  bool working = false;
};

UserNames::UserNames(LookUp look_up)
    : look_up_(look_up ? std::move(look_up) : system_user_name), state_(std::make_shared<State>()) {}

void UserNames::work(const std::shared_ptr<State>& state, const LookUp& look_up) {
  std::unique_lock lock{state->mutex};
  while (!state->asked.empty()) {
    const auto uid = state->asked.front();
    state->asked.pop_front();
    lock.unlock();
    auto name = printable(look_up(uid));
    lock.lock();
    if (!name.empty()) state->names[uid] = std::move(name);
    state->answered.notify_all();
  }
  state->working = false;
  state->answered.notify_all();
}

std::string UserNames::name(std::uint64_t uid) {
  std::unique_lock lock{state_->mutex};
  if (const auto known = state_->names.find(uid); known != state_->names.end()) return known->second;
  state_->names.emplace(uid, std::to_string(uid));
  state_->asked.push_back(uid);
  if (state_->working) return state_->names[uid];  // still busy with another, slow one
  if (!start_detached([state = state_, look_up = look_up_] { work(state, look_up); })) {
    state_->asked.clear();  // no thread could be started: keep the number
    return state_->names[uid];
  }
  state_->working = true;
  state_->answered.wait_for(lock, kPatience, [&] { return !state_->working; });
  return state_->names[uid];
}

std::string system_user_name(std::uint64_t uid) {
  std::vector<char> text(1024);
  passwd entry{};
  passwd* found = nullptr;
  int error = 0;
  while ((error = getpwuid_r(static_cast<uid_t>(uid), &entry, text.data(), text.size(), &found)) == ERANGE &&
         text.size() < (std::size_t{1} << 20U)) {
    text.resize(text.size() * 2);
  }
  return error == 0 && found && found->pw_name ? found->pw_name : "";
}

}  // namespace gputop::host

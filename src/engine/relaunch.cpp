#include "engine/relaunch.hpp"

#include <csignal>

namespace gputop {
namespace {

using namespace std::chrono_literals;
using Target = run::ControlMessage::Target;

constexpr Duration kAfterInterrupt = 10s;
constexpr Duration kAfterTerminate = 60s;  // before that, a screen asks whether to kill it

}  // namespace

Relaunch::Relaunch(Loop& loop, run::RunChannel& channel, std::function<void()> in_vain)
    : loop_(loop), channel_(channel), in_vain_(std::move(in_vain)), patience_(loop.make_timer()) {}

Status Relaunch::order(const std::vector<std::string>& argv, const run::RunChannel::Variables& environment) {
  if (auto ordered = order_held(argv, environment); !ordered) return ordered;
  channel_.end(run::EndAsker::kRelaunch, SIGINT, Target::kForeground);
  wait_for_end();
  return success();
}

void Relaunch::resume() {
  is_on_ = channel_.follow(run::RunChannel::Follow::kLaunch);  // with the command line that is still there
  wait_for_end();
}

void Relaunch::wait_for_end() {
  patience_->at(loop_.now() + kAfterInterrupt, [this] {
    if (!is_on_) return;
    channel_.end(run::EndAsker::kRelaunch, SIGTERM, Target::kGroup);
    patience_->at(loop_.now() + kAfterTerminate, [this] {
      if (!is_on_) return;
      cancel();
      in_vain_();
    });
  });
}

Status Relaunch::order_held(const std::vector<std::string>& argv, const run::RunChannel::Variables& environment) {
  if (auto ordered = channel_.relaunch(argv, environment); !ordered) return ordered;
  is_on_ = true;
  return success();
}

void Relaunch::cancel() {
  if (!std::exchange(is_on_, false)) return;
  channel_.follow(run::RunChannel::Follow::kNothing);
}

}  // namespace gputop

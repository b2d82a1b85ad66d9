#include "gputop/stream/event_hook.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "gputop/app/alarm.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// The shell exits at once, so its child is reparented and nothing has to wait for it.
constexpr const char* kInBackground = "eval \"$GPUTOP_COMMAND\" </dev/null >/dev/null 2>&1 &";

void start(const std::string& command, const Alarm& alarm) {
  std::vector<std::string> own{"GPUTOP_COMMAND=" + command, "GPUTOP_EVENT=" + alarm.kind,
                               "GPUTOP_TEXT=" + printable(alarm.text)};
  std::vector<char*> environment;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) environment.push_back(*variable);
  for (auto& variable : own) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::array<std::string, 3> words{"sh", "-c", kInBackground};
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawnattr_t attributes;
  if (posix_spawnattr_init(&attributes) != 0) return;
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int problem = posix_spawn(&child, "/bin/sh", nullptr, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  while (problem == 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Engine::Subscription run_on_events(Engine& engine, const std::string& command) {
  if (command.empty() || !engine.live()) return {};
  return engine.listen([command](const Event& event, const Model& model) {
    if (const auto alarm = alarm_of(event, model)) start(command, *alarm);
  });
}

}  // namespace gputop

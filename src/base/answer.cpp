#include "gputop/base/answer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "gputop/base/descriptor.hpp"

extern char** environ;  // NOLINT: POSIX's name

namespace gputop {
namespace {

using Clock = std::chrono::steady_clock;

// Everything until the end; nullopt if it does not end in time, or never stops.
std::optional<std::string> read_all(int from, Clock::time_point deadline) {
  constexpr std::size_t kMost = 4096;
  std::string answer;
  while (answer.size() < kMost) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{from, POLLIN, 0};
    if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) <= 0) return std::nullopt;
    std::array<char, 512> bytes{};
    const auto got = ::read(from, bytes.data(), bytes.size());
    if (got < 0) return std::nullopt;
    if (got == 0) return answer;
    answer.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> answer_of(std::vector<std::string> words, std::chrono::milliseconds patience) {
  if (words.empty()) return std::nullopt;
  Pipe pipe = Pipe::open();
  if (!pipe) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe.writer.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_t attributes;  // its own group, so a shim's children end with it
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  pipe.writer.reset();
  const auto answer = failed == 0 ? read_all(pipe.reader.get(), Clock::now() + patience) : std::nullopt;
  if (failed == 0) {
    ::kill(-child, SIGKILL);  // it has answered, or its time is up
    ::waitpid(child, nullptr, 0);
  }
  return answer;
}

}  // namespace gputop

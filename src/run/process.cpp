#include "gputop/run/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "gputop/base/own_proc.hpp"

namespace gputop::run {
namespace {

using Text = std::array<char, 4096>;

// The file's first 4 KiB, "" if it cannot be read.
std::string_view slurp(const char* path, Text& text) {
  const Descriptor file{::open(path, O_RDONLY | O_CLOEXEC)};
  if (!file) return {};
  std::size_t size = 0;
  for (ssize_t got = 0; size < text.size(); size += static_cast<std::size_t>(got)) {
    got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got <= 0) break;
  }
  return {text.data(), size};
}

struct Stat {
  char state = '\0';
  std::int64_t group = 0;
  std::int64_t foreground = -1;  // group of its terminal; -1: it has none
  std::uint64_t ticks = 0;
};

// The name in field 2 may contain spaces and parentheses: fields are counted from the last ')'.
Stat read_stat(pid_t pid) {
  if (!proc_is_our_own()) return {};
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid);
  Text text;
  std::string_view line = slurp(path.data(), text);
  const auto close = line.rfind(')');
  if (close == std::string_view::npos || close + 2 >= line.size()) return {};
  line.remove_prefix(close + 2);
  Stat stat{.state = line.front()};
  for (int field = 3; field < 22; ++field) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos) return {};
    line.remove_prefix(space + 1);
    const auto read = [&](auto& number) { std::from_chars(line.data(), line.data() + line.size(), number); };
    if (field + 1 == 5) read(stat.group);
    if (field + 1 == 8) read(stat.foreground);
    if (field + 1 == 22) read(stat.ticks);
  }
  return stat;
}

// Adds the children of one thread of a process. The kernel lists them as "12 34 "; a number without a space after it is
// incomplete and is read on, because half of it would be another process.
std::size_t add_children(const char* path, std::span<const pid_t> except, std::span<pid_t> into, std::size_t count) {
  const Descriptor file{::open(path, O_RDONLY | O_CLOEXEC)};
  if (!file) return count;
  const pid_t self = ::getpid();
  Text text;
  std::size_t begun = 0;
  while (count < into.size()) {
    const ssize_t got = ::read(file.get(), text.data() + begun, text.size() - begun);
    if (got <= 0) break;
    std::string_view list{text.data(), begun + static_cast<std::size_t>(got)};
    for (auto end = list.find(' '); end != std::string_view::npos && count < into.size(); end = list.find(' ')) {
      pid_t pid = 0;
      std::from_chars(list.data(), list.data() + end, pid);
      list.remove_prefix(end + 1);
      const bool wanted = pid > 1 && pid != self && std::find(except.begin(), except.end(), pid) == except.end();
      if (wanted && read_stat(pid).state != 'Z') into[count++] = pid;
    }
    begun = list.size();
    std::memmove(text.data(), list.data(), begun);
  }
  return count;
}

}  // namespace

std::uint64_t start_ticks(pid_t pid) {
  return pid > 0 ? read_stat(pid).ticks : 0;
}

bool is_alive(pid_t pid, std::uint64_t ticks) {
  if (pid <= 0) return false;
  const Stat stat = read_stat(pid);
  if (stat.ticks == 0 && read_stat(::getpid()).ticks == 0) return ::kill(pid, 0) == 0 || errno == EPERM;
  return stat.ticks != 0 && stat.ticks == ticks && stat.state != 'Z' && stat.state != 'X';
}

char process_state(pid_t pid) {
  return pid > 0 ? read_stat(pid).state : '\0';
}

bool is_settled(pid_t pid, std::uint64_t signals) {
  if (pid <= 0 || !proc_is_our_own()) return true;
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/status", pid);
  Text text;
  const std::string_view status = slurp(path.data(), text);
  const auto after = [&](std::string_view label) {
    const auto at = status.find(label);
    return at == std::string_view::npos ? std::string_view{} : status.substr(at + label.size());
  };
  const auto state = after("\nState:\t");
  const auto pending = after("\nShdPnd:\t");
  std::uint64_t bits = 0;
  std::from_chars(pending.data(), pending.data() + pending.size(), bits, 16);
  return state.empty() || (!state.starts_with('R') && !state.starts_with('T') && (bits & signals) == 0);
}

bool has_its_terminal(pid_t pid) {
  const Stat stat = pid > 0 ? read_stat(pid) : Stat{};
  if (stat.ticks == 0) return true;
  return stat.state != 'T' && (stat.foreground == -1 || stat.foreground == stat.group);
}

namespace {

// Adds the children of all threads of a process: any of them may have forked. Calls getdents64 directly, because
// opendir() allocates.
std::size_t add_all_children(pid_t parent, std::span<const pid_t> except, std::span<pid_t> into, std::size_t count) {
  if (!proc_is_our_own()) return count;
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/task", parent);
  const Descriptor tasks{::open(path.data(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  alignas(8) std::array<char, 4096> entries;
  for (long size = 0; tasks && (size = ::syscall(SYS_getdents64, tasks.get(), entries.data(), entries.size())) > 0;) {
    for (long at = 0; at < size;) {
      std::uint16_t length = 0;  // struct linux_dirent64: ino 8, off 8, reclen 2, type 1, name
      std::memcpy(&length, entries.data() + at + 16, sizeof length);
      const char* name = entries.data() + at + 19;
      at += length;
      if (*name == '.') continue;
      std::array<char, 96> file{};
      std::snprintf(file.data(), file.size(), "/proc/%d/task/%.20s/children", parent, name);
      count = add_children(file.data(), except, into, count);
    }
  }
  return count;
}

}  // namespace

std::size_t children(pid_t parent, std::span<const pid_t> except, std::span<pid_t> into) {
  return add_all_children(parent, except, into, 0);
}

std::size_t descendants(pid_t root, std::span<const pid_t> except, std::span<pid_t> into) {
  std::size_t count = 0;
  std::size_t next = 0;
  for (pid_t parent = root;; parent = into[next++]) {
    count = add_all_children(parent, except, into, count);
    if (next == count) return count;
  }
}

Descriptor open_pidfd(pid_t pid) {
  return Descriptor{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
}

int send_signal(int pidfd, int signal) {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0));
}

}  // namespace gputop::run

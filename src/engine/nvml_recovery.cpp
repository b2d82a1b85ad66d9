#include "gputop/engine/nvml_recovery.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "gputop/core/format.hpp"
#include "gputop/sources/nvml_guard.hpp"
#include "gputop/term/terminal.hpp"

namespace gputop {
namespace {

constexpr const char* kVariable = "GPUTOP_NVML_CRASH";  // "SIGNAL SINCE FUNCTION", for our own restart only

// Prepared in advance, because a signal handler cannot. Nothing of it is on the heap, which the library may have
// overwritten.
struct NextLife {
  char** argv = nullptr;
  std::span<char*> environment;  // on its own pages
  std::array<char, 128> crash{};
  run::Inherited inherited;
  std::int64_t since_ns = 0;
};
NextLife* next_life = nullptr;

void exec_again(const NvmlDeath& death) {
  term::give_back_terminal();
  auto& variable = next_life->crash;
  char* const begin = variable.data() + std::strlen(kVariable) + 1;
  char* const end = variable.data() + variable.size() - 2;
  char* at = std::to_chars(begin, end, death.signal).ptr;
  *at++ = ' ';
  at = std::to_chars(at, end, next_life->since_ns).ptr;
  *at++ = ' ';
  const auto length = std::min<std::size_t>(std::strlen(death.function), static_cast<std::size_t>(end - at));
  std::memcpy(at, death.function, length);
  run::restore_inherited(next_life->inherited);
  ::execve(own_program(), next_life->argv, next_life->environment.data());
}

// Memory for `count` pointers outside the heap, safe from stray writes there; the pages are never freed.
std::span<char*> own_pages(std::size_t count) {
  void* const memory =
      ::mmap(nullptr, count * sizeof(char*), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  return {static_cast<char**>(memory), count};
}

}  // namespace

std::optional<EarlierLife> life_before_nvml_crash() {
  const char* const text = std::getenv(kVariable);
  if (text == nullptr) return std::nullopt;
  const char* const end = text + std::strlen(text);
  EarlierLife life{.since = std::chrono::steady_clock::now()};
  std::int64_t since_ns = 0;
  auto read = std::from_chars(text, end, life.crash.signal);
  if (read.ptr != end) read = std::from_chars(read.ptr + 1, end, since_ns);
  if (since_ns > 0) life.since = std::min(life.since, decltype(life.since){std::chrono::nanoseconds{since_ns}});
  if (read.ptr != end) life.crash.function = printable({read.ptr + 1, end});
  ::unsetenv(kVariable);
  return life;
}

void go_on_after_nvml_deaths(char** argv, const run::Inherited& inherited) {
  static NextLife life;
  life.argv = argv;
  life.inherited = inherited;
  life.since_ns = std::chrono::steady_clock::now().time_since_epoch().count();
  std::size_t count = 0;
  while (environ != nullptr && environ[count] != nullptr) ++count;
  life.environment = own_pages(count + 2);  // plus ours and the final nullptr
  if (life.environment.empty()) return;
  std::copy_n(environ, count, life.environment.begin());
  std::copy_n(kVariable, std::strlen(kVariable), life.crash.begin());
  life.crash[std::strlen(kVariable)] = '=';
  life.environment[count] = life.crash.data();
  next_life = &life;
  guard_nvml(exec_again, true);
  end_at_standstill();
}

}  // namespace gputop

// The ways in which a library takes the process that loaded it down.
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

// Opaque, so that no compiler sees what it is for.
volatile std::size_t far = std::size_t{256} << 10U;
char* volatile nowhere = nullptr;
void* (*volatile fill)(void*, int, std::size_t) = std::memset;

// Writes over its own frame, those of its callers, and whatever lies above them.
[[gnu::noinline]] void smash_stack() {
  char small[16];
  fill(small, 'A', far);
}

[[gnu::noinline]] int overflow_stack(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow_stack(depth + 1) + frame[0];
}

// What malloc keeps its books in: whoever asks for memory next dies of it.
[[gnu::noinline]] void ruin_heap() {
  for (std::size_t size = 16; size < 4096; size += 16) {
    auto* volatile piece = static_cast<char*>(std::malloc(size));
    fill(piece, 'A', size + 64);
    std::free(piece);
  }
}

// The heap from its first byte to its last: locks, lists and pointers of everybody.
[[gnu::noinline]] void overwrite_heap() {
  std::ifstream maps{"/proc/self/maps"};
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with("[heap]")) std::sscanf(line.c_str(), "%zx-%zx", &from, &to);
  }
  fill(reinterpret_cast<void*>(from), 'A', to - from);
}

// Takes malloc's lock and never gives it back, as a thread that died in malloc would. A piece too large for a thread's
// own store goes into a list that begins in the arena, whose first word is the lock (glibc).
[[gnu::noinline]] void keep_malloc_lock() {
  constexpr std::size_t kLarge = 2000;
  constexpr std::size_t kListOffset = 96;
  std::array<void* volatile, 3> pieces{};
  for (auto& piece : pieces) piece = std::malloc(kLarge);
  auto* const piece = static_cast<char* volatile*>(pieces[1]);
  std::free(pieces[1]);
  *reinterpret_cast<volatile int*>(piece[1] - kListOffset) = 2;
}

}  // namespace

void die(const std::string& how) {
  if (how == "segfault") *nowhere = 1;
  if (how == "abort") std::abort();
  if (how == "exit") std::exit(0);
  if (how == "_exit") ::_exit(0);
  if (how == "smash") smash_stack();
  if (how == "heap") ruin_heap();
  if (how == "debris") overwrite_heap();
  if (how == "lock") keep_malloc_lock();
  if (how == "overflow") static_cast<void>(overflow_stack(0));
}

}  // namespace fake_nvml

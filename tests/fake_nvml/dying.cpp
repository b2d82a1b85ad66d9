// The ways in which a library takes the process that loaded it down.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

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

}  // namespace

void die(const std::string& how) {
  if (how == "segfault") *nowhere = 1;
  if (how == "abort") std::abort();
  if (how == "exit") std::exit(0);
  if (how == "_exit") ::_exit(0);
  if (how == "smash") smash_stack();
  if (how == "heap") ruin_heap();
  if (how == "overflow") static_cast<void>(overflow_stack(0));
}

}  // namespace fake_nvml

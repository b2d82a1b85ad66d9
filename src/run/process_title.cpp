#include "run/process_title.hpp"

#include <cstdio>
#include <cstring>
#include <span>

namespace gputop::run {
namespace {

std::span<char> room;

}  // namespace

void lend_process_title(int argc, char** argv) {
  if (argc < 1) return;
  const char* last = argv[argc - 1];
  room = {argv[0], static_cast<std::size_t>(last + std::strlen(last) - argv[0])};  // the final zero stays
}

void set_process_title(const char* role, const char* name) {
  if (room.empty()) return;
  std::memset(room.data(), 0, room.size());
  std::snprintf(room.data(), room.size(), "%s %s", role, name);
}

}  // namespace gputop::run

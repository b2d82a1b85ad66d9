#include "run/user_output.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace gputop::run {

void UserOutput::open(int fd) {
  fd_ = fd;
  struct stat info {};
  if (fd < 0 || ::fstat(fd, &info) != 0) return;
  socket_ = S_ISSOCK(info.st_mode);
  if (!S_ISFIFO(info.st_mode) && !S_ISCHR(info.st_mode)) return;
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", fd);
  const int own = ::open(path.data(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (own >= 0) fd_ = own;
  polled_ = own < 0;  // another user's
}

ssize_t UserOutput::write(const char* data, std::size_t size) const {
  if (socket_) return ::send(fd_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  constexpr std::size_t kPage = 4096;  // what a pipe that polls writable takes
  return ::write(fd_, data, polled_ ? std::min(size, kPage) : size);
}

}  // namespace gputop::run

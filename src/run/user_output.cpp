#include "run/user_output.hpp"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

namespace gputop::run {

void UserOutput::open(int fd, const RingPlace& ring, int ring_file, std::uint64_t written) {
  fd_ = fd;
  ring_ = ring;
  ring_file_ = ring_file;
  struct stat info {};
  if (fd < 0 || ::fstat(fd, &info) != 0) return;
  const auto mark = ring.state->copy_marks[ring.state->copy_mark.load() & 1U];
  copied_ = std::min(mark.copied, written);
  if (S_ISREG(info.st_mode)) {
    kind_ = Kind::kFile;
    const auto position = ::lseek(fd, 0, SEEK_CUR);
    if (mark.file >= 0 && position > mark.file)
      copied_ += std::min<std::uint64_t>(static_cast<std::uint64_t>(position - mark.file), written - copied_);
    // Where the next write goes: others may have appended in the meantime.
    if (const int flags = ::fcntl(fd, F_GETFL); flags >= 0 && (flags & O_APPEND) != 0) ::lseek(fd, 0, SEEK_END);
    return;
  }
  socket_ = S_ISSOCK(info.st_mode);
  if (!S_ISFIFO(info.st_mode) && !S_ISCHR(info.st_mode)) return;
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", fd);
  const int own = ::open(path.data(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  polled_ = own < 0;  // another user's
  if (polled_) return;
  fd_ = own;
  // A pipe takes the ring's own pages: they must have been read before they are written again.
  const bool small = !S_ISFIFO(info.st_mode) || ::fcntl(own, F_GETPIPE_SZ) < static_cast<int>(ring.capacity / 2);
  const auto position = ring_file >= 0 ? ::lseek(ring_file, 0, SEEK_CUR) : -1;
  const auto at = static_cast<std::uint64_t>(position) - ring.offset;
  if (!small || position < static_cast<off_t>(ring.offset) || at > ring.capacity) return;
  kind_ = S_ISFIFO(info.st_mode) ? Kind::kPipe : Kind::kDevice;
  const auto behind = (written % ring.capacity + ring.capacity - at % ring.capacity) % ring.capacity;
  copied_ = written - std::min(behind, written);
}

ssize_t UserOutput::copy(std::uint64_t written) {
  const auto at = copied_ % ring_.capacity;
  const auto size = static_cast<std::size_t>(std::min(written - copied_, ring_.capacity - at));
  if (kind_ == Kind::kPipe || kind_ == Kind::kDevice) {
    if (at == 0) ::lseek(ring_file_, static_cast<off_t>(ring_.offset), SEEK_SET);
    const auto put = kind_ == Kind::kPipe ? ::splice(ring_file_, nullptr, fd_, nullptr, size, SPLICE_F_NONBLOCK)
                                          : ::sendfile(fd_, ring_file_, nullptr, size);
    if (put > 0) copied_ += static_cast<std::uint64_t>(put);
    if (put >= 0 || errno != EINVAL) return put;
    kind_ = Kind::kPlain;
    ::lseek(ring_file_, 0, SEEK_SET);  // no place in the ring: nobody relies on it
  }
  mark();
  const auto put = send(ring_.data + at, size);
  if (put > 0) copied_ += static_cast<std::uint64_t>(put);
  if (kind_ == Kind::kPlain) mark();
  return put;
}

void UserOutput::skip_to(std::uint64_t offset) {
  copied_ = offset;
  const auto at = ring_.offset + offset % ring_.capacity;
  if (kind_ == Kind::kPipe || kind_ == Kind::kDevice) ::lseek(ring_file_, static_cast<off_t>(at), SEEK_SET);
  mark();
}

// Writes to the invalid half, which then becomes valid: a process killed in between leaves the previous mark.
void UserOutput::mark() {
  auto& state = *ring_.state;
  const auto next = (state.copy_mark.load() + 1) & 1U;
  state.copy_marks[next] = {copied_, kind_ == Kind::kFile ? ::lseek(fd_, 0, SEEK_CUR) : -1};
  state.copy_mark.store(next);
}

ssize_t UserOutput::send(const char* data, std::size_t size) {
  if (socket_) return ::send(fd_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  constexpr std::size_t kPage = 4096;  // what a pipe accepts if poll() says it is writable
  return ::write(fd_, data, polled_ ? std::min(size, kPage) : size);
}

}  // namespace gputop::run

#include "run/job_terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>

namespace gputop::run {

bool JobTerminal::type(std::string_view bytes) {
  if (master_ < 0 || typed_size_ + bytes.size() > typed_.size()) return false;
  std::memcpy(typed_.data() + typed_size_, bytes.data(), bytes.size());
  typed_size_ += bytes.size();
  write_typed();
  return true;
}

void JobTerminal::write_typed() {
  const auto put = ::write(master_, typed_.data(), typed_size_);
  if (put <= 0) return;
  typed_size_ -= static_cast<std::size_t>(put);
  std::memmove(typed_.data(), typed_.data() + put, typed_size_);
}

void JobTerminal::resize(std::int32_t rows, std::int32_t columns) {
  rows_ = rows;
  columns_ = columns;
  wants_resize_ = master_ >= 0;
}

void JobTerminal::apply_resize(std::int64_t now) {
  constexpr std::int64_t kInterval = 100;
  if (!wants_resize_ || now - resized_at_ < kInterval) return;
  wants_resize_ = false;
  resized_at_ = now;
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows_);
  size.ws_col = static_cast<unsigned short>(columns_);
  ::ioctl(master_, TIOCSWINSZ, &size);
}

}  // namespace gputop::run

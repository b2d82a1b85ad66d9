#include "gputop/base/output.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include "gputop/core/format.hpp"

namespace gputop {

void complain(std::string_view message) {
  std::fprintf(stderr, "gputop: %s\n", printable(message).c_str());  // a file may be called anything
}

int usage_error(const Error& error) {
  complain(error.message);
  return 2;
}

int failed(const Error& error) {
  complain(error.message);
  return 1;
}

WriteResult write_out(std::string_view text, std::FILE* out) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0) return WriteResult::kOk;
  if (errno == EPIPE) return WriteResult::kNobodyReads;
  complain(std::string{"cannot write the output: "} + std::strerror(errno));
  return WriteResult::kFailed;
}

int print(std::string_view text) {
  return write_out(text, stdout) == WriteResult::kFailed ? 1 : 0;
}

}  // namespace gputop

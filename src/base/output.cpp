#include "gputop/base/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>

#include "gputop/base/files.hpp"
#include "gputop/core/format.hpp"

namespace gputop {

void complain(std::string_view message) {
  std::fprintf(stderr, "gputop: %s\n", printable(message).c_str());  // a file may have any name
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
  complain(io_error("cannot write the output").message);
  return WriteResult::kFailed;
}

int print(std::string_view text) {
  return write_out(text, stdout) == WriteResult::kFailed ? 1 : 0;
}

bool ask(const std::string& question) {
  std::fprintf(stderr, "%s [y/N] ", printable(question).c_str());
  std::fflush(stderr);
  std::string answer;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) answer += static_cast<char>(c);
  return answer == "y" || answer == "Y" || answer == "yes";
}

bool can_ask() {
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

}  // namespace gputop

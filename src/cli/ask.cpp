#include "cli/ask.hpp"

#include <unistd.h>

#include <cstdio>

#include "gputop/core/format.hpp"

namespace gputop::cli {

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

}  // namespace gputop::cli

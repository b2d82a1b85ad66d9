// Where a command's result goes: a file that the user names, or stdout.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "gputop/base/output.hpp"

namespace gputop {

class Destination {
 public:
  // "": stdout. Errors: the file cannot be written.
  static Result<Destination> open(const std::string& path);
  WriteResult write(std::string_view text) { return write_out(text, file_); }
  // Returns the exit code: a full disk may only show now.
  int close();

 private:
  explicit Destination(std::FILE* file) : file_(file) {}
  std::FILE* file_;
};

}  // namespace gputop

// The simple commands of a shell script, as words with their bytes. What a shell would work out (variables,
// substitutions, here documents that no `read` takes into a variable) is left alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::knobs {

struct ShellWord {
  std::string_view text;  // as written, quotes and all
  std::size_t begin = 0;
  int line = 0;  // 1-based
};

std::vector<std::vector<ShellWord>> shell_commands(std::string_view text);

// The part of a word that is its value: behind the "=" of --flag=8 and NAME=8, else all of it; without the quotes that
// are around the whole of it.
struct ShellValue {
  std::string_view name;  // "--flag", "NAME"; "" for a word without one
  std::size_t begin = 0;  // in the script
  std::size_t end = 0;
  bool quoted = false;
  bool literal = true;  // nothing in it that a shell would work out
};
ShellValue shell_value(const ShellWord& word);

}  // namespace gputop::knobs

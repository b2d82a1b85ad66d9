// Paths of files as text: the pure side never asks a file system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop::knobs {

std::vector<std::string> split(std::string_view text, char separator);

std::string folder_of(std::string_view path);                      // "a/b" of "a/b/c.py", "" of "c.py"
std::string name_of(std::string_view path);                        // "c.py"
std::string lexical(std::string_view path);                        // without "." and "a/.."
std::string beside(std::string_view file, std::string_view path);  // `path` as seen from the folder of `file`

}  // namespace gputop::knobs

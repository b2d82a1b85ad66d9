// Whole files, as bytes.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace gputop::testing {

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary | std::ios::trunc} << bytes;
}

inline std::string read_bytes(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace gputop::testing

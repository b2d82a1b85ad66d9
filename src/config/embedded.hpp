// Written by cmake/Embed.cmake; the rest of the program uses assets.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace gputop {

struct EmbeddedFile {
  std::string_view path;
  std::size_t begin = 0;  // in the unpacked text
  std::size_t size = 0;
};

struct Embedded {
  std::span<const EmbeddedFile> files;  // in no particular order
  std::string_view packed;              // one zstd frame: all files, concatenated
  std::size_t unpacked_size = 0;
};

Embedded embedded();

}  // namespace gputop

// What cmake/Embed.cmake writes; assets.hpp is what the rest of the program uses.
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
  std::span<const EmbeddedFile> files;  // sorted by nothing in particular
  std::string_view packed;              // one zstd frame: all files, one behind the other
  std::size_t unpacked_size = 0;
};

Embedded embedded();

}  // namespace gputop

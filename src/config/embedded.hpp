// The table cmake/Embed.cmake writes; assets.hpp is what the rest of the program uses.
#pragma once

#include <span>
#include <string_view>

namespace gputop {

struct EmbeddedFile {
  std::string_view path;
  std::string_view bytes;
};

std::span<const EmbeddedFile> embedded_files();  // sorted by nothing in particular

}  // namespace gputop

// Values that only refer to others, followed to the literal that decides: within a text and from file to file.
#pragma once

#include <optional>
#include <string>

#include "knobs/file_finder.hpp"

namespace gputop::knobs {

struct EntryAt {
  std::string file;
  std::size_t entry = 0;
  bool operator==(const EntryAt&) const = default;
};

// Where the value of `from` stands in the end; `from` itself when it refers to nothing. nullopt: it refers to something
// that is in none of the files.
std::optional<EntryAt> stands_at(const Surroundings& around, EntryAt from);

}  // namespace gputop::knobs

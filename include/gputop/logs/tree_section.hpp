// The sections of a tree that is printed line by line: "├── Training", "│   ├── loss = 2.03", "└── Validation", ….
#pragma once

#include <cstdint>
#include <string_view>

namespace gputop {

class TreeSection {
 public:
  enum class Data : std::uint8_t { kUnknown, kTraining, kHeldOut };
  // Whose figures the line has; kUnknown outside a tree.
  Data of(std::string_view line);

 private:
  Data data_ = Data::kUnknown;
};

}  // namespace gputop

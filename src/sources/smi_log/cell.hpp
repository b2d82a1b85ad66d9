// One cell of a log: its text, and the number in it with its unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/characters.hpp"

namespace gputop::smi {

struct Cell {
  std::string text;              // trimmed; "" if unknown ("[N/A]", "ERR!")
  std::optional<double> number;  // before the unit
  std::string unit;              // "MiB", "%"; "" if there is none
  std::string failure;           // "[Unknown Error]": the driver failed to read it
};

Cell parse_cell(std::string_view text);

// The cells of a line, without quotes.
std::vector<std::string> split_line(std::string_view line, char delimiter = ',');

// "utilization.gpu [%]" → "utilization_gpu".
std::string normalised_name(std::string_view header);
// "utilization.gpu [%]" → "%".
std::string unit_of_header(std::string_view header);

}  // namespace gputop::smi

// One cell of a log: its text, and the number in it with its unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::smi {

struct Cell {
  std::string text;              // trimmed; "" for what is not known ("[N/A]", "ERR!")
  std::optional<double> number;  // in front of the unit
  std::string unit;              // "MiB", "%"; "" when there is none
  std::string failure;           // "[Unknown Error]": the driver tried to read it, and could not
};

Cell parse_cell(std::string_view text);

// The cells of a line. Quotes are taken off.
std::vector<std::string> split_line(std::string_view line, char delimiter = ',');

// "utilization.gpu [%]" → "utilization_gpu".
std::string normalised_name(std::string_view header);
// "utilization.gpu [%]" → "%".
std::string unit_of_header(std::string_view header);

}  // namespace gputop::smi

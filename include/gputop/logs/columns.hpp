// A table that is printed row by row below the names of its columns, as skorch, fastai, nerfstudio and many own scripts
// do: "epoch  train_loss  valid_loss  dur", then "3  0.412  0.381  1.23". Names and rows are parted by walls, tabs,
// commas or blanks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/logs/metric.hpp"
#include "gputop/logs/progress.hpp"

namespace gputop {

class ColumnReader {
 public:
  // The line of one stream, free of control sequences. A header is remembered; a row that fits it says what its columns
  // mean. nullopt: neither a row, or no header was seen.
  std::optional<Progress> read(std::string_view line);
  // Of the row that was read last.
  [[nodiscard]] const std::vector<Metric>& metrics() const { return metrics_; }

 private:
  enum class Mark : std::uint8_t { kWall, kTab, kComma, kBlanks, kBlank };
  static std::vector<std::string_view> cells(std::string_view line, Mark mark);
  bool take_header(std::string_view line);
  [[nodiscard]] std::vector<std::string_view> by_place(std::string_view line,
                                                       const std::vector<std::string_view>& row) const;

  std::vector<std::string> names_;
  std::vector<std::string> narrow_;  // the names if one blank parts them
  std::vector<std::size_t> begins_;  // where the names stand in their line
  std::vector<Metric> metrics_;
  Mark mark_ = Mark::kBlanks;
};

}  // namespace gputop

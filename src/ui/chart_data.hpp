// The charts' numbers, kept between refreshes: of a moving window only the newest columns are read from the series
// again.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {

class ChartData {
 public:
  static constexpr int kColumnsPerCell = 2;

  // Columns of the window, kColumnsPerCell per cell, oldest first; nullopt where nothing was read.
  const std::vector<std::optional<ChartColumn>>& columns(const Model& model,
                                                         ChartMetric metric,
                                                         Reading<unsigned> gpu,
                                                         const ChartWindow& window);

 private:
  struct Kept {
    ChartWindow window;
    Reading<unsigned> gpu;
    std::size_t gpus = 0;
    Instant filled;  // columns before it are final
    std::vector<std::optional<ChartColumn>> columns;
  };
  std::map<std::pair<ChartMetric, int>, Kept> kept_;  // by metric and GPU; -1: the mean of all
};

// What the GPU (nullopt: all of them, as a mean) says now; nullopt: nothing, or it is no reading of a GPU.
// Whether anything was ever read of it.
bool has_values(const Model& model, ChartMetric metric);
Reading<double> value_now(const Model& model, ChartMetric metric, Reading<unsigned> gpu);

}  // namespace gputop::ui

// The charts' numbers, kept between refreshes: of a moving window only the newest columns are read from the series
// again.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"

namespace gputop::ui {

struct ChartColumn {
  float mean = 0;
  float min = 0;
  float max = 0;
};

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
  std::array<Kept, kChartMetrics> kept_;
};

// What the GPU (nullopt: all of them, as a mean) says now; nullopt: nothing, or it is no reading of a GPU.
Reading<double> value_now(const Model& model, ChartMetric metric, Reading<unsigned> gpu);

}  // namespace gputop::ui

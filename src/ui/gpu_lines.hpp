// How one GPU is told in one to three lines: which readings fit, and where each stands so that all GPUs line up.
#pragma once

#include <string>
#include <vector>

#include "ui/pane.hpp"

namespace gputop::ui {

// A reading's place on the lines of a GPU.
struct PlacedField {
  std::size_t field = 0;
  int x = 0;
  int y = 0;
  int width = 0;
};

struct GpuPlan {
  int lines = 1;
  std::vector<PlacedField> fields;
};

// The best use of this room; the same for every GPU.
GpuPlan plan_gpu_lines(const Model& model, int width, int lines);
void paint_gpu(const PaneContext& context, const GpuTrack& track, const GpuPlan& plan, Painter painter);

// The compact cell of a grid.
constexpr int kGridCellLeast = 24;
constexpr int kGridCell = 44;
void paint_gpu_cell(const PaneContext& context, const GpuTrack& track, Painter painter);

// "lost: fallen off the bus", "power cap", "2 Xid (last 79)", … worst first; empty when all is well.
struct GpuMark {
  std::string text;
  Role role = Role::kWarning;
};
GpuMark gpu_marks(const Model& model, const GpuTrack& track);
// 0 is the worst: lost, then not answering or failed, then faults, then slowed by heat, then a narrow link or a reading
// that fails, then well.
constexpr int kNoTrouble = 5;
int gpu_trouble(const Model& model, const GpuTrack& track);

// How the GPUs share a pane of this size.
struct GpuArrangement {
  bool grid = false;
  int columns = 1;
  int lines = 1;  // per GPU
  int rows = 0;   // of the pane, for all of them
};
GpuArrangement arrange_gpus(const Model& model, int width, int height);

}  // namespace gputop::ui

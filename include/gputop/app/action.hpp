// What a key or a click means. Keys are bound to actions in src/ui/keymap.def and nowhere else.
#pragma once

#include <cstdint>

namespace gputop {

enum class Action : std::uint8_t {
  kNone,
  kQuit,
  kHelp,
  kSetup,
  kSortMenu,
  kSignalMenu,
  kFilter,
  kTree,
  kFollow,
  kReverseSort,
  kSortAscending,
  kSortDescending,
  kSortByCpu,
  kSortByMemory,
  kNextPane,
  kPreviousPane,
  kZoomPane,
  kDetail,  // of the selected GPU or process; elsewhere it zooms
  kFaster,  // shorter intervals
  kSlower,
  kTogglePane,  // the pressed digit says which
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kLeft,
  kRight,
  kChartCloser,
  kChartWider,
  kChartEarlier,
  kChartLater,
  kNextMetric,
  kPreviousMetric,
  kNextGpu,
  kPreviousGpu,
  kAllGpus,
  kGpuOrder,
  kNextTheme,
  kPause,
  kRedraw,
  kWhy,
  kDismiss,
  kApply,
  kApplyAll,
  kDiff,
  kUndo,
  kRelaunch,
  kNextLaunch,
  kNextEpoch,
  kChoosePlace,
  kRemember,
  kScale,
  // The run and its output.
  kFind,
  kFindNext,
  kFindPrevious,
  kNextError,
  kMark,
  kHalfUp,  // half a page
  kHalfDown,
  kCopy,
  kType,
  kInterrupt,
  kDetach,
  kStopRun,
  kKillRun,
  kClose,   // close what is open, or clear what is set
  kAccept,  // Enter, y: confirm
  kRefuse,
};

}  // namespace gputop

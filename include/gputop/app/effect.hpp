// What the pure side asks the outside world to do. The loop performs it; nothing here touches a process or a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gputop/advisor/finding.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

struct Quit {
  bool operator==(const Quit&) const = default;
};

// The start time names the process: a PID that was given to another one since must not be signalled.
struct SendSignal {
  std::int64_t pid = 0;
  WallTime started;
  int signal = 0;
  bool operator==(const SendSignal&) const = default;
};

struct SetInterval {
  std::chrono::milliseconds interval{};
  bool operator==(const SetInterval&) const = default;
};

// Load this theme and hand it back to the interface.
struct SelectTheme {
  std::string name;
  bool operator==(const SelectTheme&) const = default;
};

struct SetMouse {
  bool on = true;
  bool operator==(const SetMouse&) const = default;
};

// Of the run's output, for all who look at it.
struct SetScrollback {
  int lines = 0;
  bool operator==(const SetScrollback&) const = default;
};

// Write the interface's settings to the user's file.
struct SaveSettings {
  bool operator==(const SaveSettings&) const = default;
};

// The terminal's content is in doubt: send every cell again.
struct Redraw {
  bool operator==(const Redraw&) const = default;
};

// Bytes for the job's terminal, as the keys sent them.
struct TypeIntoRun {
  std::string bytes;
  bool operator==(const TypeIntoRun&) const = default;
};

// What Ctrl-C does to the job. The user was asked.
struct InterruptRun {
  bool operator==(const InterruptRun&) const = default;
};

// Ends the job; the screen stays until it has ended.
struct StopRun {
  int signal = 0;
  bool operator==(const StopRun&) const = default;
};

// Leaves the screen; the job goes on.
struct Detach {
  bool operator==(const Detach&) const = default;
};

// Lines of the job's output that the user marked.
struct CopyText {
  std::string text;
  bool operator==(const CopyText&) const = default;
};

// Output that is older than what is at hand, out of the run's recording. The answer comes later, to the same interface.
struct LookBack {
  enum class What : std::uint8_t { kNothing, kText, kError, kPage };
  What what = What::kNothing;  // kNothing: what was asked for before is not wanted any more
  std::string text;
  bool older = true;                   // the last before `from`, else the first behind it
  std::optional<std::uint64_t> from;   // a position; nullopt: where that begins which is at hand
  std::optional<std::uint64_t> frame;  // of the recording, in which `from` is
  std::uint64_t request = 0;           // names the answer
  bool operator==(const LookBack&) const = default;
};

// Find out what a change of the run's settings would do, and ask about it (ui::Interface::ask).
struct PlanChange {
  enum class Kind : std::uint8_t { kApply, kUndo, kRelaunch };
  Kind kind = Kind::kApply;
  std::vector<Change> changes;
  bool only_show = false;
  std::optional<bool> scale;    // the effective batch may change, and the learning rate with it; nullopt: as advised
  std::vector<std::string> at;  // places the user chose, of several
  bool remember = false;        // them, for this project
  bool operator==(const PlanChange&) const = default;
};

// What was planned last on this screen is to be done. The user was asked.
struct MakeChange {
  enum class How : std::uint8_t {
    kNow,        // in the running process where that is possible at once, else by a relaunch
    kNextEpoch,  // in the running process, when it begins its next epoch
    kNextLaunch,
  };
  How how = How::kNow;
  bool operator==(const MakeChange&) const = default;
};

// What was planned last on this screen is not wanted.
struct RefuseChange {
  bool operator==(const RefuseChange&) const = default;
};

// To the offer in the model.
struct AnswerOffer {
  bool yes = false;
  bool operator==(const AnswerOffer&) const = default;
};

using Effect = std::variant<Quit,
                            SendSignal,
                            SetInterval,
                            SelectTheme,
                            SetMouse,
                            SetScrollback,
                            SaveSettings,
                            Redraw,
                            TypeIntoRun,
                            InterruptRun,
                            StopRun,
                            Detach,
                            CopyText,
                            LookBack,
                            PlanChange,
                            MakeChange,
                            RefuseChange,
                            AnswerOffer>;

}  // namespace gputop

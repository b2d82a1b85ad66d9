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

// The start time identifies the process: a PID that was reassigned since must not be signaled.
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

// To the run's output, for everyone who looks at it.
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

// What Ctrl-C does to the job. The user has confirmed it.
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

// Older output than is available here, from the run's recording. The answer comes later, to the same interface.
struct LookBack {
  enum class What : std::uint8_t { kNothing, kText, kError, kPage };
  What what = What::kNothing;  // kNothing: the earlier request is withdrawn
  std::string text;
  bool older = true;                   // the last match before `from`; otherwise the first after it
  std::optional<std::uint64_t> from;   // a position; nullopt: the beginning of the available output
  std::optional<std::uint64_t> frame;  // of the recording, containing `from`
  std::uint64_t request = 0;           // identifies the answer
  bool operator==(const LookBack&) const = default;
};

// Find out what a change of the run's settings would do, and ask about it (ui::Interface::ask).
struct PlanChange {
  enum class Kind : std::uint8_t { kApply, kUndo, kRelaunch };
  Kind kind = Kind::kApply;
  std::vector<Change> changes;
  bool only_show = false;
  std::optional<bool> scale;    // whether the effective batch may change, and the learning rate with it; nullopt: as advised
  std::vector<std::string> at;  // places the user chose among several
  bool remember = false;        // these places, for this project
  bool operator==(const PlanChange&) const = default;
};

// Carry out what was last planned on this screen. The user has confirmed it.
struct MakeChange {
  enum class How : std::uint8_t {
    kNow,        // in the running process if it can change at once, otherwise by a relaunch
    kNextEpoch,  // in the running process, at the start of its next epoch
    kNextLaunch,
  };
  How how = How::kNow;
  bool operator==(const MakeChange&) const = default;
};

// Drop what was last planned on this screen.
struct RefuseChange {
  bool operator==(const RefuseChange&) const = default;
};

// The answer to the offer in the model.
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

// Keys by name, and what they do where: keymap.def as a table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ftxui/component/event.hpp>

#include "gputop/app/action.hpp"

namespace gputop::ui {

enum class KeyContext : std::uint8_t {
  kAnywhere,
  kCharts,
  kProcesses,
  kOutput,
  kTyping,
  kMenu,
  kSetup,
  kChange,
  kOffer,
  kEndRun,
  kConfirm,
  kCount
};
// For help: "everywhere", "in charts", …
std::string_view to_string(KeyContext context);

struct KeyEntry {
  KeyContext context;
  Action action;
  std::string_view keys;   // names, separated by spaces; the first is the one the footer shows
  std::string_view label;  // in the footer; "" = not there
  std::string_view help;
};

std::span<const KeyEntry> key_entries();
std::vector<std::string_view> key_names(const KeyEntry& entry);

// The event of a key's name; Event::Custom when there is no such key.
ftxui::Event key_event(std::string_view name);

// What the key does in this context; kNone when nothing. A pane's own context wins over kAnywhere (that is the caller's
// order of asking).
Action find_action(KeyContext context, const ftxui::Event& event);

}  // namespace gputop::ui

#include "ui/keymap.hpp"

#include <array>
#include <unordered_map>

namespace gputop::ui {
namespace {

constexpr std::array kEntries{
#define KEY(context, action, keys, label, help) KeyEntry{KeyContext::context, Action::action, keys, label, help},
#include "ui/keymap.def"
#undef KEY
};

const std::unordered_map<std::string_view, ftxui::Event>& named_keys() {
  using ftxui::Event;
  static const std::unordered_map<std::string_view, Event> names{
      {"Up", Event::ArrowUp},
      {"Down", Event::ArrowDown},
      {"Left", Event::ArrowLeft},
      {"Right", Event::ArrowRight},
      {"PageUp", Event::PageUp},
      {"PageDown", Event::PageDown},
      {"Home", Event::Home},
      {"End", Event::End},
      {"Tab", Event::Tab},
      {"Shift-Tab", Event::TabReverse},
      {"Enter", Event::Return},
      {"Esc", Event::Escape},
      {"Space", Event::Character(' ')},
      {"Ctrl-B", Event::CtrlB},
      {"Ctrl-C", Event::CtrlC},
      {"Ctrl-D", Event::CtrlD},
      {"Ctrl-F", Event::CtrlF},
      {"Ctrl-L", Event::CtrlL},
      {"Ctrl-U", Event::CtrlU},
      {"Ctrl-]", Event::Special("\x1d")},
      {"F1", Event::F1},
      {"F2", Event::F2},
      {"F3", Event::F3},
      {"F4", Event::F4},
      {"F5", Event::F5},
      {"F6", Event::F6},
      {"F7", Event::F7},
      {"F8", Event::F8},
      {"F9", Event::F9},
      {"F10", Event::F10},
      {"F11", Event::F11},
      {"F12", Event::F12},
  };
  return names;
}

using ByInput = std::unordered_map<std::string, Action>;

std::array<ByInput, static_cast<std::size_t>(KeyContext::kCount)> index_entries() {
  std::array<ByInput, static_cast<std::size_t>(KeyContext::kCount)> index;
  for (const auto& entry : kEntries) {
    for (const auto name : key_names(entry)) {
      index[static_cast<std::size_t>(entry.context)].emplace(key_event(name).input(), entry.action);
    }
  }
  return index;
}

}  // namespace

std::string_view to_string(KeyContext context) {
  switch (context) {
    case KeyContext::kAnywhere: return "Everywhere";
    case KeyContext::kCharts: return "In the charts";
    case KeyContext::kProcesses: return "In the processes";
    case KeyContext::kOutput: return "In the output";
    case KeyContext::kTyping: return "While typing into the run";
    case KeyContext::kMenu: return "In a menu or this page";
    case KeyContext::kSetup: return "In the setup";
    case KeyContext::kChange: return "When asked about a change";
    case KeyContext::kOffer: return "When a change did not work out";
    case KeyContext::kEndRun: return "When asked what becomes of the run";
    case KeyContext::kConfirm: return "When asked";
    case KeyContext::kCount: break;
  }
  return "?";
}

std::span<const KeyEntry> key_entries() {
  return kEntries;
}

std::vector<std::string_view> key_names(const KeyEntry& entry) {
  std::vector<std::string_view> names;
  for (auto rest = entry.keys; !rest.empty();) {
    const auto space = rest.find(' ');
    names.push_back(rest.substr(0, space));
    rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  }
  return names;
}

ftxui::Event key_event(std::string_view name) {
  if (const auto found = named_keys().find(name); found != named_keys().end()) return found->second;
  if (name.size() == 1) return ftxui::Event::Character(name[0]);
  return ftxui::Event::Custom;
}

Action find_action(KeyContext context, const ftxui::Event& event) {
  static const auto index = index_entries();
  const auto& keys = index[static_cast<std::size_t>(context)];
  const auto found = keys.find(event.input());
  return found == keys.end() ? Action::kNone : found->second;
}

}  // namespace gputop::ui

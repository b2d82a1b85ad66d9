#include <catch2/catch_test_macros.hpp>

#include <map>
#include <set>
#include <string>

#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::ui;

TEST_CASE("every key of the table exists and has help", "[keys]") {
  for (const auto& entry : key_entries()) {
    INFO(entry.keys);
    CHECK_FALSE(entry.help.empty());
    CHECK(entry.action != Action::kNone);
    const auto names = key_names(entry);
    REQUIRE_FALSE(names.empty());
    for (const auto name : names) CHECK(key_event(name) != ftxui::Event::Custom);
  }
}

TEST_CASE("no key means two things in one context", "[keys]") {
  std::map<KeyContext, std::set<std::string>> seen;
  for (const auto& entry : key_entries()) {
    for (const auto name : key_names(entry)) {
      INFO(name << " in " << to_string(entry.context));
      CHECK(seen[entry.context].insert(key_event(name).input()).second);
    }
  }
}

TEST_CASE("a pane's own keys mean what they mean everywhere, or nothing there", "[keys]") {
  for (const auto& entry : key_entries()) {
    if (entry.context != KeyContext::kCharts && entry.context != KeyContext::kProcesses) continue;
    for (const auto name : key_names(entry)) {
      INFO(name);
      const auto everywhere = find_action(KeyContext::kAnywhere, key_event(name));
      CHECK((everywhere == Action::kNone || everywhere == entry.action));
    }
  }
}

TEST_CASE("every function key has a letter or sign beside it", "[keys]") {
  for (const auto& entry : key_entries()) {
    if (entry.context != KeyContext::kAnywhere || entry.keys[0] != 'F' || entry.keys.size() < 2 || entry.keys[1] == ' ')
      continue;
    bool letter = false;
    for (const auto name : key_names(entry)) letter = letter || name.size() == 1;
    INFO(entry.keys);
    CHECK(letter);
  }
}

TEST_CASE("the table is what dispatch uses", "[keys]") {
  for (const auto& entry : key_entries()) {
    for (const auto name : key_names(entry)) CHECK(find_action(entry.context, key_event(name)) == entry.action);
  }
  CHECK(find_action(KeyContext::kConfirm, key_event("x")) == Action::kNone);
  CHECK(find_action(KeyContext::kAnywhere, ftxui::Event::Character("é")) == Action::kNone);
}

TEST_CASE("nvtop's and htop's keys do what they do there", "[keys]") {
  const auto does = [](const char* key) { return find_action(KeyContext::kAnywhere, key_event(key)); };
  CHECK(does("F2") == Action::kSetup);
  CHECK(does("F6") == Action::kSortMenu);
  CHECK(does("F9") == Action::kSignalMenu);
  CHECK(does("F10") == Action::kQuit);
  CHECK(does("q") == Action::kQuit);
  CHECK(does("t") == Action::kTree);
  CHECK(does("F") == Action::kFollow);
  CHECK(does("I") == Action::kReverseSort);
  CHECK(does("/") == Action::kFilter);
}

TEST_CASE("an unknown name is no key", "[keys]") {
  CHECK(key_event("F99") == ftxui::Event::Custom);
}

#include "gputop/config/knob_file.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/config/assets.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

std::vector<std::string> complaints(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto& problem : parse_knobs(text, "knobs.yaml").problems) lines.push_back(to_string(problem));
  return lines;
}

TEST_CASE("knobs.yaml: the one that ships has no problems and every knob of the advisor", "[config]") {
  const auto loaded = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml");
  CHECK(loaded.problems.empty());
  for (const auto* name :
       {"batch_size", "accumulation", "learning_rate", "workers", "prefetch", "pin_memory", "persistent_workers",
        "precision", "tf32", "checkpointing", "threads", "allocator", "channels_last", "compile"}) {
    CAPTURE(name);
    const auto* knob = loaded.table.find(name);
    REQUIRE(knob != nullptr);
    CHECK_FALSE(knob->about.empty());
    CHECK_FALSE(knob->names.empty());
  }
}

TEST_CASE("knobs.yaml: every name that ships means its own knob", "[config]") {
  const auto table = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml").table;
  for (const auto& knob : table.knobs) {
    for (const auto& alias : knob.names) {
      if (!alias.only_with.empty() || knob.in_other_sections) continue;  // told apart by its neighbours, by its section
      CAPTURE(knob.name, alias.text);
      const auto* found = knobs::resolve(table, alias.text);
      REQUIRE(found != nullptr);
      CHECK(found->name == knob.name);
    }
  }
}

TEST_CASE("knobs.yaml: mistakes are named with their line", "[config]") {
  CHECK(complaints("knob:\n  a: 1\n") ==
        std::vector<std::string>{"knobs.yaml:2: knob.a: unknown key \"knob\" (did you mean knobs?)"});
  CHECK(complaints("knobs:\n  a:\n    typ: integer\n") ==
        std::vector<std::string>{"knobs.yaml:3: knobs.a.typ: unknown key \"typ\" (did you mean type?)"});
  CHECK(complaints("knobs:\n  a:\n    type: whole\n") ==
        std::vector<std::string>{"knobs.yaml:3: knobs.a.type: \"whole\" is none of integer, number, switch, word"});
  CHECK(complaints("knobs:\n  a:\n    least: few\n") ==
        std::vector<std::string>{"knobs.yaml:3: knobs.a.least: \"few\" is not a number"});
  CHECK(complaints("knobs:\n  a:\n    type: word\n    spelled: {b: {c: d}}\n") ==
        std::vector<std::string>{"knobs.yaml:4: knobs.a.spelled.b.c: \"b\" is not among the names above"});
  CHECK(complaints("knobs: [1\n").size() == 1);
}

TEST_CASE("knobs.yaml: the user's file adds to the one that ships", "[config]") {
  const test::TemporaryDirectory folder;
  folder.write(
      "gputop/knobs.yaml",
      "knobs:\n  batch_size:\n    most: 64\n    names: [stapel]\n  magic:\n    type: switch\n    names: [wand]\n");
  const auto loaded = load_knobs([&](std::string_view name) -> std::optional<std::string> {
    if (name == "XDG_CONFIG_HOME") return folder.path();
    return std::nullopt;
  });
  CHECK(loaded.problems.empty());
  CHECK(knobs::resolve(loaded.table, "stapel")->name == "batch_size");
  CHECK(knobs::resolve(loaded.table, "per_device_train_batch_size")->name == "batch_size");
  CHECK(loaded.table.find("batch_size")->most == 64);
  CHECK(knobs::resolve(loaded.table, "wand")->name == "magic");
}

}  // namespace
}  // namespace gputop

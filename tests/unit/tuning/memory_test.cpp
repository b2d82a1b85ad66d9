#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "gputop/tuning/state.hpp"
#include "support/temporary_directory.hpp"

using namespace gputop;
using namespace gputop::tuning;

namespace {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream{path, std::ios::binary} << text;
}

std::string read_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::optional<std::string> file_text(const std::string& path) {
  return std::filesystem::exists(path) ? std::optional{read_file(path)} : std::nullopt;
}

// A change of a file, an argument, a variable and an override, with another one before it.
State sample(const test::TemporaryDirectory& folder) {
  write_file(folder.file("train.yaml"), "batch: 16\n");
  write_file(folder.file("train.yaml.backup"), "batch: 8\n");
  State memory;
  memory.launch.argv = {"train", "--workers", "4"};
  memory.launch.variables["OMP_NUM_THREADS"] = "2";
  memory.launch.variables["GONE"] = std::nullopt;
  memory.launch.lens["lr_scale"] = 1.5;
  NextLaunch::Made made;
  auto& change = made.applied.change;
  change.argv_before = {"train", "--workers", "2"};
  change.argv_after = memory.launch.argv;
  change.changes.push_back({"batch_size",
                            {.kind = knobs::Place::Kind::kFile, .file = "train.yaml", .key = "batch", .line = 1},
                            std::int64_t{8},
                            std::int64_t{16}});
  change.environment.push_back({"OMP_NUM_THREADS", std::nullopt, "2"});
  change.lens.push_back({"pin_memory", true});
  change.files.push_back({"train.yaml", "batch: 8\n", "batch: 16\n"});
  made.applied.files.push_back(
      {folder.file("train.yaml"), "batch: 8\n", "batch: 16\n", folder.file("train.yaml.backup")});
  made.lens_before["pin_memory"] = std::monostate{};
  memory.launch.made = {{}, made};
  memory.changes = {{"batch_size", "8", "16"}};
  memory.phase = Asking{.behind = Offering{{.instead = {{"batch_size", "", "12"}}, .held = true}}};
  memory.pilot.emplace(AutoLimits{}).restore({2, {"batch_size 8 → 16"}});
  return memory;
}

}  // namespace

TEST_CASE("memory of a change: comes back as it was, without the files' text in it", "[tuning]") {
  const test::TemporaryDirectory folder;
  const auto memory = sample(folder);
  const auto text = to_text(memory);
  CHECK(text.find("batch: ") == std::string::npos);
  const auto back = read_state(text, file_text);
  REQUIRE(back);
  CHECK(to_text(*back) == text);
  REQUIRE(back->launch.made.size() == 2);
  const auto& last = back->launch.made.back().applied;
  CHECK(last.change.files == memory.launch.made.back().applied.change.files);
  CHECK(to_string(last.change.changes.front().place) == "train.yaml:batch");
  REQUIRE(patch::undo_change(last).ok());
  CHECK(read_file(folder.file("train.yaml")) == "batch: 8\n");
}

TEST_CASE("memory of a change: a file that somebody changed since is not overwritten", "[tuning]") {
  const test::TemporaryDirectory folder;
  const auto text = to_text(sample(folder));
  const std::string names[] = {folder.file("train.yaml"), folder.file("train.yaml.backup")};
  write_file(names[GENERATE(0, 1)], "batch: 99\n");  // the file itself, or what it would be restored from
  const auto as_found = read_file(names[0]);
  const auto back = read_state(text, file_text);
  REQUIRE(back);
  CHECK_FALSE(patch::undo_change(back->launch.made.back().applied).ok());
  CHECK(read_file(names[0]) == as_found);
}

TEST_CASE("memory of a change: garbage is nothing, and so is half of it", "[tuning]") {
  const test::TemporaryDirectory folder;
  const auto text = to_text(sample(folder));
  auto without_argv = text;
  without_argv.replace(without_argv.find("argv"), 4, "what");
  for (const auto& garbage : {std::string{}, std::string{"argv"}, std::string{"{}"}, std::string{"[1]"}, text + "x",
                              text.substr(0, text.size() - 1), without_argv}) {
    CHECK_FALSE(read_state(garbage, file_text));
  }
}

TEST_CASE("memory of a change: a command line comes back byte for byte", "[tuning]") {
  State memory;
  memory.launch.argv = {"train", "", " a%20b\n\x1e", "\xff\xfe", "→", "100%"};
  const auto text = to_text(memory);
  CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  const auto back = read_state(text, file_text);
  REQUIRE(back);
  CHECK(back->launch.argv == memory.launch.argv);
}

TEST_CASE("memory of a change: every phase comes back as what it was", "[tuning]") {
  const std::vector<tuning::Phase> phases{Idle{},
                                  WaitingForBaseline{.behind = Measuring{true}},
                                  Asking{.behind = Measuring{}},
                                  Relaunching{},
                                  Measuring{true},
                                  Offering{{.instead = {{"batch_size", "", "12"}}, .takes_back = false}}};
  REQUIRE(phases.size() == std::variant_size_v<tuning::Phase>);
  for (const auto& phase : phases) {
    State state;
    state.phase = phase;
    const auto back = read_state(to_text(state), file_text);
    REQUIRE(back);
    CHECK(name_of(back->phase) == name_of(phase));
    CHECK(to_text(*back) == to_text(state));
  }
}

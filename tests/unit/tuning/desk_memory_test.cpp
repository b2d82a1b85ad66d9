#include "gputop/tuning/desk_memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <filesystem>
#include <fstream>

#include "support/temporary_directory.hpp"

using namespace gputop;

namespace {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream{path, std::ios::binary} << text;
}

std::string read_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// A change of a file, an argument, a variable and an override, with another one before it.
DeskMemory sample(const test::TemporaryDirectory& folder) {
  write_file(folder.file("train.yaml"), "batch: 16\n");
  write_file(folder.file("train.yaml.backup"), "batch: 8\n");
  DeskMemory memory;
  memory.settings.argv = {"train", "--workers", "4"};
  memory.settings.variables["OMP_NUM_THREADS"] = "2";
  memory.settings.variables["GONE"] = std::nullopt;
  memory.settings.lens["lr_scale"] = 1.5;
  NextSettings::Made made;
  auto& change = made.applied.change;
  change.argv_before = {"train", "--workers", "2"};
  change.argv_after = memory.settings.argv;
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
  memory.settings.made = {{}, made};
  memory.changes = {{"batch_size", "8", "16"}};
  memory.awaits_epoch = true;
  memory.offer = {{{"batch_size", "", "12"}}, true};
  memory.pilot = {2, {"batch_size 8 → 16"}};
  return memory;
}

}  // namespace

TEST_CASE("desk memory: comes back as it was, without the files' text in it", "[cli]") {
  const test::TemporaryDirectory folder;
  const auto memory = sample(folder);
  const auto text = to_text(memory);
  CHECK(text.find("batch: ") == std::string::npos);
  const auto back = read_desk_memory(text);
  REQUIRE(back);
  CHECK(to_text(*back) == text);
  REQUIRE(back->settings.made.size() == 2);
  const auto& last = back->settings.made.back().applied;
  CHECK(last.change.files == memory.settings.made.back().applied.change.files);
  CHECK(to_string(last.change.changes.front().place) == "train.yaml:batch");
  REQUIRE(patch::undo_change(last).ok());
  CHECK(read_file(folder.file("train.yaml")) == "batch: 8\n");
}

TEST_CASE("desk memory: a file that somebody changed since is not overwritten", "[cli]") {
  const test::TemporaryDirectory folder;
  const auto text = to_text(sample(folder));
  const std::string names[] = {folder.file("train.yaml"), folder.file("train.yaml.backup")};
  write_file(names[GENERATE(0, 1)], "batch: 99\n");  // the file itself, or what it would be restored from
  const auto as_found = read_file(names[0]);
  const auto back = read_desk_memory(text);
  REQUIRE(back);
  CHECK_FALSE(patch::undo_change(back->settings.made.back().applied).ok());
  CHECK(read_file(names[0]) == as_found);
}

TEST_CASE("desk memory: garbage is nothing, and so is half of it", "[cli]") {
  const test::TemporaryDirectory folder;
  const auto text = to_text(sample(folder));
  for (const auto& garbage : {std::string{}, std::string{"argv"}, std::string{"{}"}, text + "x",
                              text.substr(0, text.size() - 1), text + "file a\n", text + "what\n", "value\n" + text}) {
    CHECK_FALSE(read_desk_memory(garbage));
  }
}

TEST_CASE("desk memory: a command line comes back byte for byte", "[cli]") {
  DeskMemory memory;
  memory.settings.argv = {"train", "", " a%20b\n\x1e", "\xff\xfe", "→", "100%"};
  const auto text = to_text(memory);
  CHECK(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789% \n") == std::string::npos);
  const auto back = read_desk_memory(text);
  REQUIRE(back);
  CHECK(back->settings.argv == memory.settings.argv);
}

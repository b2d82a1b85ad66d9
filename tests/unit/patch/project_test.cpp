#include "gputop/patch/project.hpp"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>

#include "gputop/config/knob_file.hpp"
#include "support/temporary_directory.hpp"

namespace gputop::patch {
namespace {

using test::TemporaryDirectory;

const knobs::KnobTable& table() {
  static const knobs::KnobTable loaded = load_knobs([](std::string_view) { return std::nullopt; }).table;
  return loaded;
}

knobs::ChangeRequest request(std::vector<std::string> texts) {
  knobs::ChangeRequest wanted;
  for (const auto& text : texts) wanted.settings.push_back(*knobs::parse_setting(table(), text));
  return wanted;
}

TEST_CASE("project: found on disk, changed, taken back", "[patch]") {
  const TemporaryDirectory folder;
  folder.write("train.py", "import config\n");
  const auto config = folder.write("config.py", "CONFIG_DEBUG = {'batch_size': 32, 'grad_accum': 4}  # debug\n");
  const Project project = read_project(table(), {{"python", "train.py"}, {}}, folder.path());
  const auto change = plan(table(), project, request({"batch_size=64"}));
  REQUIRE(change);
  const auto applied = apply_change(folder.path(), {folder.path()}, *change);
  REQUIRE(applied);
  CHECK(folder.read(config) == "CONFIG_DEBUG = {'batch_size': 64, 'grad_accum': 2}  # debug\n");
  REQUIRE(undo_change(*applied));
  CHECK(folder.read(config) == "CONFIG_DEBUG = {'batch_size': 32, 'grad_accum': 4}  # debug\n");
}

TEST_CASE("project: what the run's own modules divide among the ranks counts all of them", "[patch]") {
  const TemporaryDirectory folder;
  folder.write("tools/train.py", "from pack.data import loader\n");
  folder.write("pack/data/__init__.py", "from .loader import make\n");
  folder.write("pack/data/loader.py", "def make(cfg):\n  batch_size = cfg.batch_size // cfg.NUM_GPUS\n");
  folder.write("other.py", "num_workers = cfg.num_workers // world_size\n");
  folder.write("a.yaml", "NUM_GPUS: 8\nbatch_size: 64\nnum_workers: 8\n");
  const Project project = read_project(table(), {{"python", "tools/train.py", "--cfg", "a.yaml"}, {}}, folder.path());
  const auto change = plan(table(), project, request({"batch_size=4", "workers=6"}));
  REQUIRE(change);
  REQUIRE(change->files.size() == 1);
  CHECK(change->files[0].after == "NUM_GPUS: 8\nbatch_size: 32\nnum_workers: 6\n");
}

TEST_CASE("project: an edit between plan and apply is not lost", "[patch]") {
  const TemporaryDirectory folder;
  const auto config = folder.write("a.yaml", "batch_size: 8\n");
  const Project project = read_project(table(), {{"python", "train.py", "a.yaml"}, {}}, folder.path());
  const auto change = plan(table(), project, request({"batch_size=16"}));
  REQUIRE(change);
  folder.write("a.yaml", "batch_size: 8\nlr: 1\n");
  CHECK_FALSE(apply_change(folder.path(), {folder.path()}, *change));
  CHECK(folder.read(config) == "batch_size: 8\nlr: 1\n");
}

TEST_CASE("project: what was edited by hand since stays when the change is taken back", "[patch]") {
  const TemporaryDirectory folder;
  const auto config = folder.write("a.yaml", "batch_size: 8   # small\nlr: 0x10\n");
  const knobs::RunCommand run{{"python", "train.py", "a.yaml"}, {}};
  const auto change = plan(table(), read_project(table(), run, folder.path()), request({"batch_size=16"}));
  REQUIRE(change);
  const auto applied = apply_change(folder.path(), {folder.path()}, *change);
  REQUIRE(applied);
  folder.write("a.yaml", "# mine\nbatch_size: 16   # small\nlr: 0x20\nnew: 16\n");
  REQUIRE(undo_change(*applied));
  CHECK(folder.read(config) == "# mine\nbatch_size: 8   # small\nlr: 0x20\nnew: 16\n");
}

TEST_CASE("project: a value that somebody has changed since is not overwritten", "[patch]") {
  const TemporaryDirectory folder;
  const auto config = folder.write("a.yaml", "batch_size: 8\nworkers: 2\n");
  const knobs::RunCommand run{{"python", "train.py", "a.yaml"}, {}};
  const auto change = plan(table(), read_project(table(), run, folder.path()), request({"batch_size=16", "workers=4"}));
  REQUIRE(change);
  const auto applied = apply_change(folder.path(), {folder.path()}, *change);
  REQUIRE(applied);
  folder.write("a.yaml", "batch_size: 24\nworkers: 4\n");
  const auto undone = undo_change(*applied);
  REQUIRE_FALSE(undone);
  CHECK(undone.error().message.find("batch_size is 24 now, and not the 16 that was written") != std::string::npos);
  CHECK(folder.read(config) == "batch_size: 24\nworkers: 4\n");
}

TEST_CASE("project: a pipe, a directory or a huge file named on the command line does not hold it up", "[patch]") {
  const TemporaryDirectory folder;
  ::mkfifo(folder.file("pipe.yaml").c_str(), 0600);
  std::filesystem::create_directory(folder.file("folder.json"));
  folder.write("huge.json", std::string(2 * 1024 * 1024, ' '));
  folder.write("good.toml", "batch_size = 8\n");
  const Project project = read_project(
      table(), {{"python", "t.py", "pipe.yaml", "folder.json", "huge.json", "good.toml"}, {}}, folder.path());
  CHECK(project.found.problems.size() == 3);
  CHECK(knobs::candidates_of(project.found, "batch_size").front()->place.file == "good.toml");
}

TEST_CASE("project: a choice is remembered only when told, and then used", "[patch]") {
  const TemporaryDirectory folder;
  folder.write("a.yaml", "one:\n  batch_size: 8\ntwo:\n  batch_size: 8\n");
  const knobs::RunCommand run{{"python", "train.py", "a.yaml"}, {}};
  CHECK_FALSE(plan(table(), read_project(table(), run, folder.path()), request({"batch_size=16"})));
  auto wanted = request({"batch_size=16"});
  wanted.at = {"a.yaml:two.batch_size"};
  const auto change = plan(table(), read_project(table(), run, folder.path()), wanted);
  REQUIRE(change);
  CHECK_FALSE(std::filesystem::exists(folder.file(".gputop.yaml")));
  REQUIRE(remember_places(folder.path(), *change));
  REQUIRE(remember_places(folder.path(), *change));  // again: nothing new
  const auto again = plan(table(), read_project(table(), run, folder.path()), request({"batch_size=16"}));
  REQUIRE(again);
  CHECK(again->files.at(0).after == "one:\n  batch_size: 8\ntwo:\n  batch_size: 16\n");
}

}  // namespace
}  // namespace gputop::patch

#include "gputop/patch/bounds.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "gputop/config/knob_file.hpp"
#include "gputop/patch/project.hpp"
#include "support/temporary_directory.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

// A folder with a project and a neighbour.
struct Ground {
  test::TemporaryDirectory folder;
  fs::path root = fs::canonical(folder.path());
  fs::path project = root / "project";
  fs::path other = root / "other";
  knobs::KnobTable table = load_knobs([](std::string_view) { return std::nullopt; }).table;

  Ground() {
    fs::create_directories(project / "configs");
    fs::create_directories(other);
  }
  [[nodiscard]] Bounds of_run(std::vector<std::string> argv, const fs::path& directory) const {
    return bounds_of_run(table, {std::move(argv), {}}, directory);
  }
  static bool leaves(const Bounds& bounds, const fs::path& directory, const std::string& file) {
    knobs::ChangeSet change;
    change.files.push_back({file, "a", "b"});
    return !outside(bounds, directory, change).empty();
  }
};

TEST_CASE("bounds: an absolute path, a .. and a linked folder lead out of the project", "[patch]") {
  const Ground ground;
  fs::create_directory_symlink(ground.other, ground.project / "linked");
  fs::create_directory_symlink(ground.project / "configs", ground.project / "own");
  const auto bounds = ground.of_run({"python", "train.py"}, ground.project);
  CHECK_FALSE(Ground::leaves(bounds, ground.project, "configs/a.yaml"));
  CHECK_FALSE(Ground::leaves(bounds, ground.project, "own/a.yaml"));
  CHECK_FALSE(Ground::leaves(bounds, ground.project, (ground.project / "a.yaml").string()));
  CHECK(Ground::leaves(bounds, ground.project, (ground.other / "a.yaml").string()));
  CHECK(Ground::leaves(bounds, ground.project, "../other/a.yaml"));
  CHECK(Ground::leaves(bounds, ground.project, "linked/a.yaml"));
  CHECK(Ground::leaves(bounds, ground.project, ground.project.string() + "-2/a.yaml"));
}

TEST_CASE("bounds: a git repository is one project, the home folder is none", "[patch]") {
  const Ground ground;
  fs::create_directory(ground.project / ".git");
  const auto bounds = ground.of_run({"python", "train.py"}, ground.project / "configs");
  CHECK_FALSE(Ground::leaves(bounds, ground.project / "configs", "../a.yaml"));
  CHECK(Ground::leaves(bounds, ground.project / "configs", "../../other/a.yaml"));
  CHECK(ground.of_run({"true"}, "/").empty());
}

TEST_CASE("bounds: the folder of the script belongs to it, that of its configuration does not", "[patch]") {
  const Ground ground;
  const auto script = (ground.other / "train.py").string();
  const auto bounds = ground.of_run({"python", script, "--config", "../third/a.yaml"}, ground.project);
  CHECK_FALSE(Ground::leaves(bounds, ground.project, "../other/configs/a.yaml"));
  CHECK(Ground::leaves(bounds, ground.project, "../third/a.yaml"));
  fs::create_directory_symlink(ground.other, ground.project / "linked");
  const auto linked = ground.of_run({"python", "linked/train.py"}, ground.project);
  CHECK(Ground::leaves(linked, ground.project, "linked/train.py"));
}

TEST_CASE("bounds: a file that the user names is agreed to, what it leads to is not", "[patch]") {
  const Ground ground;
  const auto named = (ground.other / "a.yaml").string();
  const auto bounds = bounds_of_files({named}, ground.project);
  CHECK_FALSE(Ground::leaves(bounds, ground.project, named));
  CHECK(Ground::leaves(bounds, ground.project, "../third/base.yaml"));
  fs::create_directory_symlink(ground.other, ground.project / "linked");
  CHECK(Ground::leaves(bounds_of_files({"linked/a.yaml"}, ground.project), ground.project, "linked/a.yaml"));
}

TEST_CASE("bounds: what is outside is written with consent only", "[patch]") {
  const Ground ground;
  const auto base = ground.folder.write("other/base.yaml", "batch_size: 8\n");
  ground.folder.write("project/a.yaml", "base: ../other/base.yaml\n");
  const knobs::RunCommand run{{"python", "train.py", "a.yaml"}, {}};
  const auto project = read_project(ground.table, run, ground.project);
  const auto change =
      plan(ground.table, project, {.settings = {*knobs::parse_setting(ground.table, "batch_size=16")}});
  REQUIRE(change);
  const auto bounds = bounds_of_run(ground.table, run, ground.project);
  const auto refused = apply_change(ground.project, bounds, *change);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kPermission);
  CHECK(refused.error().message == (ground.other / "base.yaml").string() + " is outside the project (" +
                                       ground.project.string() + ")");
  CHECK(ground.folder.read(base) == "batch_size: 8\n");
  REQUIRE(apply_change(ground.project, bounds, *change, {.outside = true}));
  CHECK(ground.folder.read(base) == "batch_size: 16\n");
}

}  // namespace
}  // namespace gputop::patch

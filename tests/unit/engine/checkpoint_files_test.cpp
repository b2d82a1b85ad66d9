#include "engine/checkpoint_files.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

void write(const fs::path& path, fs::file_time_type time) {
  fs::create_directories(path.parent_path());
  std::ofstream{path} << "x";
  fs::last_write_time(path, time);
}

TEST_CASE("checkpoint files: the newest one since the run began, and what is named to go on from it", "[cli]") {
  const test::TemporaryDirectory folder;
  const auto now = fs::file_time_type::clock::now();
  const auto started = std::chrono::time_point_cast<WallTime::duration>(fs::file_time_type::clock::to_sys(now - 1h));
  CHECK_FALSE(newest_checkpoint(folder.path(), started));
  write(folder.file("old.pt"), now - 2h);
  write(folder.file("notes.txt"), now);
  write(folder.file(".cache/hidden.pt"), now);
  write(folder.file("venv/weights.pth"), now);
  CHECK_FALSE(newest_checkpoint(folder.path(), started));
  write(folder.file("out/last.ckpt"), now - 30min);
  CHECK(newest_checkpoint(folder.path(), started)->path == "out/last.ckpt");
  write(folder.file("out/checkpoint-500/model.safetensors"), now - 10min);
  const auto newest = newest_checkpoint(folder.path(), started);
  CHECK(newest->path == "out/checkpoint-500");
  CHECK(newest->written > started);
}

TEST_CASE("checkpoint files: a directory that is not there has none", "[cli]") {
  CHECK_FALSE(newest_checkpoint("/nonexistent", {}));
}

}  // namespace
}  // namespace gputop

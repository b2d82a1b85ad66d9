#include "gputop/stream/job_watch.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "store/recording_encoder.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

// As many recordings of the same run, which go on.
struct GrowingFiles {
  explicit GrowingFiles(std::size_t count) {
    encoder->append({Instant{}, RunStarted{"r", "train", {"python", "train.py"}, "/", 100, false}});
    encoder->append({Instant{}, JobJoined{.id = "7", .launcher = "slurm", .node = "n1", .rank = 0}});
    for (std::size_t i = 0; i < count; ++i) paths.push_back(folder.file(std::to_string(i) + ".gputop"));
    grow();
  }
  void end() {
    encoder->append({Instant{} + std::chrono::seconds{1}, RunEnded{}});
    grow();
  }
  void grow() {
    encoder->flush();
    for (const auto& path : paths) std::ofstream{path, std::ios::app | std::ios::binary} << encoder->bytes();
    encoder->bytes().clear();
  }

  test::TemporaryDirectory folder;
  std::vector<std::string> paths;
  std::unique_ptr<store::RecordingEncoder> encoder = *store::RecordingEncoder::create();
};

std::size_t ended(const JobWatch& watch) {
  const auto& members = watch.members();
  return static_cast<std::size_t>(std::count_if(members.begin(), members.end(), [](const auto& one) { return one->track.end().has_value(); }));
}

TEST_CASE("A job's recordings: few are read in each look", "[stream]") {
  GrowingFiles files{16};
  JobWatch watch;
  watch.follow(files.paths, 0);
  CHECK(watch.look(0));
  CHECK(watch.members().front()->track.job());
  CHECK_FALSE(watch.look(1));
  files.end();
  CHECK(watch.look(2));
  CHECK(watch.all_ended());
}

TEST_CASE("A job's recordings: very many are read in turns, and the first time at once", "[stream]") {
  GrowingFiles files{900};
  JobWatch watch;
  watch.follow(files.paths, 0);
  watch.look(0);
  CHECK(std::all_of(watch.members().begin(), watch.members().end(), [](const auto& one) { return one->track.run().has_value(); }));
  files.end();
  watch.look(1);
  CHECK(ended(watch) == 450);
  watch.look(2);
  CHECK(watch.all_ended());
}

}  // namespace
}  // namespace gputop

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "gputop/knobs/document.hpp"

namespace gputop::knobs {
namespace {

std::string restored(std::string_view before, std::string_view written, std::string_view now) {
  auto text = restore_values(Format::kYaml, before, written, now);
  return text ? *text : "refused: " + text.error().message;
}

TEST_CASE("restoring: a file that nobody touched is what it was, byte for byte", "[knobs]") {
  CHECK(restored("batch_size:  8  # ours\n", "batch_size:  48  # ours\n", "batch_size:  48  # ours\n") ==
        "batch_size:  8  # ours\n");
}

TEST_CASE("restoring: other people's edits stay", "[knobs]") {
  CHECK(restored("batch_size: 8\nlr: 0.1\n", "batch_size: 48\nlr: 0.1\n", "batch_size: 48\nlr: 0.2\nepochs: 3\n") ==
        "batch_size: 8\nlr: 0.2\nepochs: 3\n");
}

TEST_CASE("restoring: an empty value loses the space that the edit put before its own", "[knobs]") {
  CHECK(restored("batch_size:\nlr: ~\n", "batch_size: 48\nlr: ~\n", "batch_size: 48\nlr: 7\n") == "batch_size:\nlr: 7\n");
  CHECK(restored("batch_size: \nlr: ~\n", "batch_size: 48\nlr: ~\n", "batch_size: 48\nlr: 7\n") ==
        "batch_size: \nlr: 7\n");
}

TEST_CASE("restoring: a value that somebody changed again is refused by name", "[knobs]") {
  CHECK(restored("batch_size: 8\nlr: 1\n", "batch_size: 48\nlr: 1\n", "batch_size: 64\nlr: 1\n")
            .starts_with("refused: batch_size is 64 now"));
  CHECK(restored("batch_size: 8\nlr: 1\n", "batch_size: 48\nlr: 1\n", "lr: 1\n").find("not there any more") !=
        std::string::npos);
}

}  // namespace
}  // namespace gputop::knobs

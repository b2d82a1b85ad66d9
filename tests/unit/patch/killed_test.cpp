// kill -9 at any moment of a change: each file is the old one or the new one, never a part, and backups are whole.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>

#include <catch2/catch_test_macros.hpp>

#include "gputop/patch/file_patch.hpp"
#include "support/temporary_directory.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

// Two texts that no mixture of is mistaken for: long enough for several writes.
std::string text_of(char letter) {
  return std::string(9'000, letter) + "\n";
}

TEST_CASE("patch: killed a thousand times, never torn", "[patch]") {
  const TemporaryDirectory folder;
  const std::string old_text = text_of('a');
  const std::string new_text = text_of('b');
  const auto one = folder.write("one.yaml", old_text);
  const auto two = folder.write("two.yaml", old_text);
  std::mt19937 random{7};
  // Killed anywhere within twice the time that an undisturbed change takes on this machine, now.
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<FileEdit> there{{one, old_text, new_text}, {two, old_text, new_text}};
  const std::vector<FileEdit> back{{one, new_text, old_text}, {two, new_text, old_text}};
  REQUIRE(patch_files(there));
  REQUIRE(patch_files(back));
  const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  std::uniform_int_distribution<int> microseconds{0, std::clamp(static_cast<int>(taken.count()), 1000, 50'000)};
  int became_new = 0;
  int stayed_old = 0;
  std::string first = old_text;  // whatever a round left is where the next one starts
  std::string second = old_text;
  for (int round = 0; round < 1000; ++round) {
    const auto flipped = [&](const std::string& text) { return text == old_text ? new_text : old_text; };
    const pid_t child = ::fork();
    if (child == 0) {
      const std::vector<FileEdit> edits{{one, first, flipped(first)}, {two, second, flipped(second)}};
      ::_exit(patch_files(edits).ok() ? 0 : 1);
    }
    ::usleep(static_cast<useconds_t>(microseconds(random)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    const std::string now = folder.read(one);
    ++(now == first ? stayed_old : became_new);
    first = now;
    second = folder.read(two);
    for (const auto& text : {first, second}) {
      if (text != old_text && text != new_text) FAIL("torn in round " << round << ": " << text.size() << " bytes");
    }
    // Backups are whole, too; then they go, so that their numbers stay small.
    for (const auto& entry : fs::directory_iterator{folder.path()}) {
      if (entry.path().string().find(".backup") == std::string::npos) continue;
      const std::string kept = folder.read(entry.path());
      if (kept != old_text && kept != new_text) FAIL("a torn backup in round " << round);
      fs::remove(entry.path());
    }
  }
  INFO(stayed_old << " stayed old, " << became_new << " became new");
  CHECK(stayed_old > 0);
  CHECK(became_new > 0);

  const std::vector<FileEdit> last{{one, folder.read(one), "done\n"}, {two, folder.read(two), "done\n"}};
  REQUIRE(patch_files(last));
  std::size_t left = 0;
  for (const auto& entry : fs::directory_iterator{folder.path()})
    left += entry.path().filename().string()[0] == '.' ? 1 : 0;
  CHECK(left == 0);  // what the killed ones left behind is gone
}

}  // namespace
}  // namespace gputop::patch

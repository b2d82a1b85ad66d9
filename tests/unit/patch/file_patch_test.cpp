#include "gputop/patch/file_patch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "support/temporary_directory.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

Result<std::vector<PatchedFile>> patch_one(const fs::path& path,
                                           std::string before,
                                           std::string after,
                                           Consent consent = {}) {
  const FileEdit edit{path, std::move(before), std::move(after)};
  return patch_files({&edit, 1}, consent);
}

std::size_t files_in(const TemporaryDirectory& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator{folder.path()}, fs::directory_iterator{}));
}

struct stat about(const fs::path& path) {
  struct stat result {};
  ::lstat(path.c_str(), &result);
  return result;
}

TEST_CASE("patch: the file is changed, the old text is kept beside it", "[patch]") {
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "b: 8\n");
  const auto patched = patch_one(path, "b: 8\n", "b: 16\n");
  REQUIRE(patched);
  CHECK(folder.read(path) == "b: 16\n");
  CHECK(patched->at(0).backup == path.string() + ".backup");
  CHECK(folder.read(patched->at(0).backup) == "b: 8\n");
  CHECK(files_in(folder) == 2);  // nothing temporary is left
}

TEST_CASE("patch: a backup is never written over another", "[patch]") {
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "1");
  folder.write("a.yaml.backup", "the user's own");
  CHECK(patch_one(path, "1", "2")->at(0).backup == path.string() + ".backup.1");
  CHECK(patch_one(path, "2", "3")->at(0).backup == path.string() + ".backup.2");
  CHECK(folder.read(folder.file("a.yaml.backup")) == "the user's own");
  CHECK(folder.read(folder.file("a.yaml.backup.1")) == "1");
  CHECK(folder.read(folder.file("a.yaml.backup.2")) == "2");
}

TEST_CASE("patch: mode and attributes stay", "[patch]") {
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "1");
  ::chmod(path.c_str(), 0640);
  const bool attributes = ::setxattr(path.c_str(), "user.note", "mine", 4, 0) == 0;
  REQUIRE(patch_one(path, "1", "2"));
  CHECK((about(path).st_mode & 07777U) == 0640);
  CHECK((about(path.string() + ".backup").st_mode & 0077U & ~0040U) == 0);
  if (attributes) {
    char value[8] = {};
    CHECK(::getxattr(path.c_str(), "user.note", value, sizeof value) == 4);
    CHECK(std::string{value} == "mine");
  }
}

TEST_CASE("patch: a file that changed since it was read is left alone", "[patch]") {
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "b: 9 # edited meanwhile\n");
  const auto patched = patch_one(path, "b: 8\n", "b: 16\n");
  REQUIRE_FALSE(patched);
  CHECK(patched.error().kind == Error::Kind::kMismatch);
  CHECK(folder.read(path) == "b: 9 # edited meanwhile\n");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("patch: a symbolic link is changed only with consent, and stays one", "[patch]") {
  const TemporaryDirectory folder;
  const auto target = folder.write("real.yaml", "1");
  const fs::path link = folder.file("link.yaml");
  fs::create_symlink("real.yaml", link);
  const auto refused = patch_one(link, "1", "2");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kPermission);
  CHECK(refused.error().message.find("symbolic link to " + target.string()) != std::string::npos);
  CHECK(folder.read(target) == "1");
  REQUIRE(patch_one(link, "1", "2", {.links = true}));
  CHECK(fs::is_symlink(link));
  CHECK(folder.read(target) == "2");
  CHECK(fs::exists(target.string() + ".backup"));
}

TEST_CASE("patch: hard links, directories, pipes and read-only files are refused", "[patch]") {
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "1");
  fs::create_hard_link(path, folder.file("b.yaml"));
  CHECK(patch_one(path, "1", "2").error().message.find("2 names") != std::string::npos);
  fs::create_directory(folder.file("d.yaml"));
  CHECK_FALSE(patch_one(folder.file("d.yaml"), "", "2"));
  ::mkfifo(folder.file("p.yaml").c_str(), 0600);
  CHECK_FALSE(patch_one(folder.file("p.yaml"), "", "2"));
  const auto locked = folder.write("r.yaml", "1");
  ::chmod(locked.c_str(), 0444);
  CHECK(patch_one(locked, "1", "2").error().message.find("read-only") != std::string::npos);
  CHECK(patch_one(folder.file("none.yaml"), "", "2").error().kind == Error::Kind::kNotFound);
}

TEST_CASE("patch: a file of somebody else is changed only with consent, and stays theirs", "[patch]") {
  if (::geteuid() != 0) SKIP("only root can make a file that belongs to somebody else");
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "1");
  REQUIRE(::chown(path.c_str(), 12345, 12345) == 0);
  const auto refused = patch_one(path, "1", "2");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("belongs to user 12345") != std::string::npos);
  REQUIRE(patch_one(path, "1", "2", {.foreign = true}));
  CHECK(folder.read(path) == "2");
  CHECK(about(path).st_uid == 12345);
  CHECK(about(path).st_gid == 12345);
}

TEST_CASE("patch: several files, or none", "[patch]") {
  const TemporaryDirectory folder;
  const auto a = folder.write("a.yaml", "1");
  const auto b = folder.write("b.yaml", "changed by somebody");
  const std::vector<FileEdit> edits{{a, "1", "2"}, {b, "1", "2"}};
  REQUIRE_FALSE(patch_files(edits));
  CHECK(folder.read(a) == "1");
  CHECK(files_in(folder) == 2);  // no backups of what did not happen
  folder.write("b.yaml", "1");
  REQUIRE(patch_files(edits));
  CHECK(folder.read(a) == "2");
  CHECK(folder.read(b) == "2");
}

TEST_CASE("patch: undo restores every byte, and refuses when somebody went on editing", "[patch]") {
  const TemporaryDirectory folder;
  const std::string odd =
      "\xEF\xBB\xBF"
      "b: 8\r\n# \xff\n\nno newline";
  const auto a = folder.write("a.yaml", odd);
  const auto b = folder.write("b.yaml", "1");
  const std::vector<FileEdit> edits{{a, odd, "x"}, {b, "1", "2"}};
  const auto patched = patch_files(edits);
  REQUIRE(patched);
  REQUIRE(unpatch_files(*patched));
  CHECK(folder.read(a) == odd);
  CHECK(folder.read(b) == "1");

  const auto again = patch_files(edits);
  REQUIRE(again);
  folder.write("b.yaml", "2 and more");
  const auto refused = unpatch_files(*again);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kMismatch);
  CHECK(folder.read(a) == "x");
  CHECK(folder.read(b) == "2 and more");
}

TEST_CASE("patch: what a killed process left behind is cleared away, what lives is not", "[patch]") {
  const TemporaryDirectory folder;
  const auto path = folder.write("a.yaml", "1");
  const auto dead = folder.write(".a.yaml.gputop-2147483646-0", "torn");
  const auto alive = folder.write(".a.yaml.gputop-" + std::to_string(::getppid()) + "-0", "at work");
  const auto other = folder.write(".a.yaml.gputop-notes", "the user's");
  REQUIRE(patch_one(path, "1", "2"));
  CHECK_FALSE(fs::exists(dead));
  CHECK(fs::exists(alive));
  CHECK(fs::exists(other));
}

TEST_CASE("create_file: never over another", "[patch]") {
  const TemporaryDirectory folder;
  CHECK(create_file(folder.file("n.yaml"), "1"));
  CHECK_FALSE(create_file(folder.file("n.yaml"), "2"));
  CHECK(folder.read(folder.file("n.yaml")) == "1");
  CHECK(files_in(folder) == 1);
}

}  // namespace
}  // namespace gputop::patch

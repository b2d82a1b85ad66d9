#include "rehearsal/write_guard.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

using Folders = std::vector<std::string>;

constexpr const char* kMounts =
    "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
    "22 21 0:20 / /proc rw - proc proc rw\n"
    "30 21 0:30 / /home/ann/data rw - nfs server:/data rw\n"
    "31 21 0:31 / /srv rw - ext4 /dev/sdb rw\n";

TEST_CASE("write guard: the working folder and the home are overlaid, the outer one for both", "[rehearsal]") {
  CHECK(overlaid_folders({"/work/project", "/home/bob"}, kMounts, "/tmp/s") == Folders{"/work/project", "/home/bob"});
  CHECK(overlaid_folders({"/home/bob/project", "/home/bob"}, kMounts, "/tmp/s") == Folders{"/home/bob"});
  CHECK(overlaid_folders({"/home/bob", "/home/bob"}, kMounts, "/tmp/s") == Folders{"/home/bob"});
  CHECK(overlaid_folders({"/srv", "/srvx"}, kMounts, "/tmp/s") == Folders{"/srv", "/srvx"});  // a mount itself hides nothing
}

TEST_CASE("write guard: no overlay hides a mount, holds the rehearsal's own folder, or has a name that options cannot", "[rehearsal]") {
  CHECK(overlaid_folders({"/home/ann/project", "/home/ann"}, kMounts, "/tmp/s") == Folders{"/home/ann/project"});
  CHECK(overlaid_folders({"/home/ann/data"}, kMounts, "/tmp/s") == Folders{"/home/ann/data"});
  CHECK(overlaid_folders({"/", "", "/tmp", "/dev/shm"}, kMounts, "/tmp/s").empty());
  CHECK(overlaid_folders({"/a,b", "/a:b", "/a\\b"}, kMounts, "/tmp/s").empty());
  CHECK(overlaid_folders({"/a"}, "torn", "/tmp/s") == Folders{"/a"});
}

}  // namespace
}  // namespace gputop

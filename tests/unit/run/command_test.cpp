#include "run/command.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "gputop/run/launch.hpp"

using namespace gputop::run;
using gputop::Error;

namespace {

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gputop_command.XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void file(const std::string& name, mode_t mode) const {
    std::ofstream{path / name} << "#!/bin/sh\n";
    ::chmod((path / name).c_str(), mode);
  }
};

}  // namespace

TEST_CASE("command: found in PATH, first folder first", "[run]") {
  const Folder first;
  const Folder second;
  second.file("tool", 0755);
  const std::string path = first.path.string() + ":" + second.path.string();
  REQUIRE(resolve_command("tool", path.c_str()).ok());
  CHECK(*resolve_command("tool", path.c_str()) == (second.path / "tool").string());
  first.file("tool", 0755);
  CHECK(*resolve_command("tool", path.c_str()) == (first.path / "tool").string());
}

TEST_CASE("command: one that is nowhere ends as in a shell, with 127", "[run]") {
  const Folder folder;
  const auto found = resolve_command("tool", folder.path.c_str());
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().message == "tool: command not found");
  CHECK(launch_exit_code(found.error()) == 127);
  CHECK(launch_exit_code(resolve_command("/no/such/file", nullptr).error()) == 127);
  CHECK(launch_exit_code(resolve_command("", nullptr).error()) == 127);
}

TEST_CASE("command: a file that is not executable, or a folder, ends with 126", "[run]") {
  const Folder folder;
  folder.file("train.py", 0644);
  const auto direct = resolve_command((folder.path / "train.py").string(), nullptr);
  REQUIRE_FALSE(direct.ok());
  CHECK(launch_exit_code(direct.error()) == 126);
  CHECK(direct.error().message.find("python") != std::string::npos);
  CHECK(launch_exit_code(resolve_command("train.py", folder.path.c_str()).error()) == 126);
  CHECK(launch_exit_code(resolve_command(folder.path.string(), nullptr).error()) == 126);
}

TEST_CASE("command: a file later in PATH wins over one that cannot be run", "[run]") {
  const Folder first;
  const Folder second;
  first.file("tool", 0644);
  second.file("tool", 0755);
  CHECK(*resolve_command("tool", (first.path.string() + ":" + second.path.string()).c_str()) ==
        (second.path / "tool").string());
}

TEST_CASE("launch: a failure of our own ends with 125", "[run]") {
  CHECK(launch_exit_code(Error{Error::Kind::kIo, "keeper: fork"}) == 125);
}

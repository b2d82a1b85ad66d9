#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>

#include "gputop/lens/command.hpp"
#include "gputop/lens/injection.hpp"
#include "support/temporary_directory.hpp"

using namespace gputop;

namespace {

unsigned mode_of(const std::filesystem::path& path) {
  struct stat info {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & 0777U;
}

}  // namespace

TEST_CASE("injection: the files are there, private to the user", "[lens]") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path folder = directory.file("lens");
  REQUIRE(write_lens(folder, {{"inject/sitecustomize.py", "pass\n"}, {"pkg/a.py", "x = 1\n"}}));
  CHECK(mode_of(folder) == 0700);
  CHECK(mode_of(folder / "inject") == 0700);
  CHECK(mode_of(folder / "inject/sitecustomize.py") == 0600);
  std::ifstream file{folder / "pkg/a.py"};
  CHECK(std::string{std::istreambuf_iterator<char>{file}, {}} == "x = 1\n");
}

TEST_CASE("injection: a folder that cannot be made is an error that names it", "[lens]") {
  const auto written = write_lens("/dev/null/lens", {{"a.py", ""}});
  REQUIRE_FALSE(written);
  CHECK(written.error().message.find("/dev/null/lens") != std::string::npos);
}

TEST_CASE("injection: PYTHONPATH keeps what it had, behind the lens", "[lens]") {
  const auto as_map = [](const auto& variables) {
    return std::map<std::string, std::string>{variables.begin(), variables.end()};
  };
  auto plain =
      as_map(lens_environment({.folder = "/run/x/lens", .socket = "/run/x/s", .python_path = "", .overrides = ""}));
  CHECK(plain ==
        std::map<std::string, std::string>{{"PYTHONPATH", "/run/x/lens/inject"}, {"GPUTOP_LENS_SOCKET", "/run/x/s"}});
  auto full = as_map(lens_environment({.folder = "/l", .socket = "/s", .python_path = "/a:/b", .overrides = "{}"}));
  CHECK(full.at("PYTHONPATH") == "/l/inject:/a:/b");
  CHECK(full.at("GPUTOP_LENS_SET") == "{}");
}

TEST_CASE("lens commands: as a datagram, and as what a launch is changed by", "[lens]") {
  const LensCommand loader{
      .op = "loader", .site = "train.py:7", .set = {{"num_workers", std::int64_t{4}}, {"pin_memory", true}}};
  CHECK(to_json(loader, 3) ==
        R"({"id":3,"op":"loader","site":"train.py:7","set":{"num_workers":4,"pin_memory":true}})");
  const LensCommand scale{.op = "lr_scale", .value = 0.5, .at_step = 100};
  CHECK(to_json(scale, 4) == R"({"id":4,"op":"lr_scale","value":0.5,"at_step":100})");
  const LensCommand batch{.op = "loader", .site = "train.py:7", .set = {{"batch_size", std::int64_t{32}}}};
  CHECK(launch_overrides({loader, scale, batch}) ==
        R"({"loader":{"train.py:7":{"num_workers":4,"pin_memory":true,"batch_size":32}},"lr_scale":0.5})");
  CHECK(launch_overrides({}).empty());
}

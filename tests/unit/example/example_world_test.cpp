// The real clock and real signals, in processes of their own.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gputop/example/example_run.hpp"
#include "gputop/sources/sim_bus.hpp"
#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

using namespace gputop;
using test::ChildProcess;
using test::TemporaryDirectory;

namespace {

// The run as a command would start it, output into files of the directory.
ChildProcess real_run(const std::string& directory, bool ignores_interrupt = false) {
  return ChildProcess{[&](const auto& ready) {
    ::dup2(::open((directory + "/out").c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open((directory + "/err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    std::signal(SIGINT, ignores_interrupt ? SIG_IGN : SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);  // Catch2 has its own
    const auto world = make_example_world();
    ready();
    ExampleOptions options;
    if (ignores_interrupt) {
      options.epochs = 1;
      options.steps_per_epoch = 1;
      options.speed = 20;
    }
    return run_example(options, *world, directory + "/bus");
  }};
}

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("example world: SIGINT ends the run with 130 and takes it off the bus", "[example]") {
  const TemporaryDirectory directory;
  auto run = real_run(directory.path());
  const int status = run.end(SIGINT);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(text_of(directory.path() + "/err").ends_with("KeyboardInterrupt\n"));
  CHECK(read_sim_bus(directory.path() + "/bus")->empty());
}

TEST_CASE("example world: SIGTERM ends it as it ends any program", "[example]") {
  const TemporaryDirectory directory;
  auto run = real_run(directory.path());
  const int status = run.end(SIGTERM);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
  CHECK(text_of(directory.path() + "/err").empty());
  CHECK(read_sim_bus(directory.path() + "/bus")->empty());  // what it left behind is swept up
}

TEST_CASE("example world: started with SIGINT ignored, it goes on", "[example]") {
  const TemporaryDirectory directory;
  auto run = real_run(directory.path(), true);
  const int status = run.end(SIGINT);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(text_of(directory.path() + "/out").find("training finished") != std::string::npos);
}

TEST_CASE("example world: the mask is as it was afterwards", "[example]") {
  sigset_t before;
  sigset_t during;
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  {
    const auto world = make_example_world();
    pthread_sigmask(SIG_SETMASK, nullptr, &during);
  }
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  CHECK(sigismember(&during, SIGINT) == 1);
  CHECK(sigismember(&after, SIGINT) == sigismember(&before, SIGINT));
}

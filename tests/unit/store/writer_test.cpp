// The writer's thread, real files, real limits, kill -9.
#include "gputop/store/recording_writer.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <future>
#include <thread>

#include "gputop/store/recording_path.hpp"
#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"
#include "store/output_file.hpp"

using namespace gputop;
using namespace gputop::testing;
using namespace std::chrono_literals;

namespace writer_test {
namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0;
}

Event sample(int second) {
  return {at_seconds(second), GpusSampled{{full_gpu(0), full_gpu(1)}}};
}

// A disk that hangs until it is let go.
class HangingFile : public store::OutputFile {
 public:
  HangingFile(std::shared_future<void> let_go, std::shared_ptr<std::string> bytes)
      : let_go_(std::move(let_go)), bytes_(std::move(bytes)) {}
  int write(std::uint64_t offset, std::string_view bytes) override {
    let_go_.wait();
    bytes_->resize(offset);
    *bytes_ += bytes;
    return 0;
  }
  void truncate(std::uint64_t size) override { bytes_->resize(size); }

 private:
  std::shared_future<void> let_go_;
  std::shared_ptr<std::string> bytes_;
};

// Runs one hidden test of this program in a process of its own: a fork of a process with threads may not start new
// ones.
pid_t start_child(const char* test, const std::string& path, int ready) {
  const std::string path_variable = "GPUTOP_TEST_PATH=" + path;
  const std::string ready_variable = "GPUTOP_TEST_READY=" + std::to_string(ready);
  const char* const environment[] = {path_variable.c_str(), ready_variable.c_str(), nullptr};
  const pid_t child = ::fork();
  if (child == 0) {
    ::execle("/proc/self/exe", "unit_store", test, nullptr, environment);
    ::_exit(127);
  }
  return child;
}

// The child's exit status, or nullopt when it was ended by a signal.
std::optional<int> exit_code(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("what is appended is in the file when it is closed", "[store][writer]") {
  const test::TemporaryDirectory folder;
  const auto path = folder.file("a/b/run.gputop");
  auto writer = RecordingWriter::create(path);
  REQUIRE(writer.ok());
  for (const auto& event : every_kind()) writer->append(event);
  REQUIRE(writer->close().ok());
  CHECK(writer->close().ok());
  writer->append(sample(99));
  const auto read = read_recording(path);
  CHECK(read.events == every_kind());
  CHECK(read.problems.empty());
  CHECK(writer->state().bytes_written == read_bytes(path).size());
}

TEST_CASE("without a thread for it there is no recording, and signals are as they were", "[store][writer]") {
  pthread_attr_t before;
  pthread_attr_t impossible;
  REQUIRE(::pthread_getattr_default_np(&before) == 0);
  ::pthread_attr_init(&impossible);
  REQUIRE(::pthread_attr_setstacksize(&impossible, std::size_t{1} << 46U) == 0);  // more than there are addresses
  REQUIRE(::pthread_setattr_default_np(&impossible) == 0);
  sigset_t mask_before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
  const test::TemporaryDirectory folder;
  const auto writer = RecordingWriter::create(folder.file("run.gputop"));
  sigset_t mask_after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_after);
  ::pthread_setattr_default_np(&before);
  ::pthread_attr_destroy(&before);
  ::pthread_attr_destroy(&impossible);
  ::pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
  REQUIRE_FALSE(writer.ok());
  CHECK(writer.error().message.find("no thread for it") != std::string::npos);
  for (const int number : {SIGTERM, SIGINT, SIGCHLD})
    CHECK(::sigismember(&mask_after, number) == ::sigismember(&mask_before, number));
}

TEST_CASE("nobody else can read a recording or its folders", "[store][writer]") {
  const test::TemporaryDirectory folder;
  const auto previous = ::umask(0);
  const auto path = folder.file("a/b/run.gputop");
  auto writer = RecordingWriter::create(path);
  write_bytes(folder.file("empty"), "");
  auto onto_empty = RecordingWriter::create(folder.file("empty"));
  ::umask(previous);
  REQUIRE(writer.ok());
  REQUIRE(onto_empty.ok());
  CHECK(mode_of(path) == 0600);
  CHECK(mode_of(folder.file("a")) == 0700);
  CHECK(mode_of(folder.file("a/b")) == 0700);
  CHECK(mode_of(folder.file("empty")) == 0600);
}

TEST_CASE("nothing is overwritten and no link is followed", "[store][writer]") {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("thesis"), "chapter one");
  const auto onto_file = RecordingWriter::create(folder.file("thesis"));
  REQUIRE_FALSE(onto_file.ok());
  CHECK(onto_file.error().message.find("it exists and is not empty") != std::string::npos);
  CHECK(read_bytes(folder.file("thesis")) == "chapter one");

  REQUIRE(::symlink(folder.file("elsewhere").c_str(), folder.file("link").c_str()) == 0);
  const auto onto_link = RecordingWriter::create(folder.file("link"));
  REQUIRE_FALSE(onto_link.ok());
  CHECK(onto_link.error().message.find("symbolic link") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.file("elsewhere")));

  CHECK_FALSE(RecordingWriter::create(folder.file("")).ok());
  CHECK_FALSE(RecordingWriter::create("").ok());
  CHECK_FALSE(RecordingWriter::create(folder.file("thesis/run.gputop")).ok());
  REQUIRE(::mkfifo(folder.file("fifo").c_str(), 0600) == 0);
  CHECK_FALSE(RecordingWriter::create(folder.file("fifo")).ok());
}

TEST_CASE("child: writes until it is killed", "[.child]") {
  const char* path = std::getenv("GPUTOP_TEST_PATH");
  const char* ready = std::getenv("GPUTOP_TEST_READY");
  REQUIRE((path != nullptr && ready != nullptr));
  auto writer = RecordingWriter::create(path);
  for (int second = 0; second < 50; ++second) writer->append(sample(second));
  const bool flushed = writer->flush(60s);
  for (int second = 50; second < 60; ++second) writer->append(sample(second));
  REQUIRE(::write(std::atoi(ready), flushed ? "y" : "n", 1) == 1);
  while (true) ::pause();
}

TEST_CASE("after kill -9 everything that was flushed can be read", "[store][writer]") {
  const test::TemporaryDirectory folder;
  const auto path = folder.file("run.gputop");
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = start_child("child: writes until it is killed", path, ready[1]);
  REQUIRE(child > 0);
  ::close(ready[1]);
  char answer = 0;
  REQUIRE(::read(ready[0], &answer, 1) == 1);
  CHECK(answer == 'y');
  ::kill(child, SIGKILL);
  CHECK_FALSE(exit_code(child).has_value());
  ::close(ready[0]);
  const auto read = read_recording(path);
  REQUIRE(read.opened);
  REQUIRE(read.events.size() >= 50);
  for (int second = 0; second < 50; ++second) CHECK(read.events[static_cast<std::size_t>(second)] == sample(second));
  REQUIRE(read.problems.size() == 1);
  CHECK(read.problems[0].find("cut off at byte ") == 0);
}

TEST_CASE("a full device pauses the recording and says why", "[store][writer]") {
  auto writer = RecordingWriter::create("/dev/full");
  REQUIRE(writer.ok());
  writer->append(sample(0));
  CHECK_FALSE(writer->flush(60s));
  CHECK(writer->state().paused);
  CHECK(writer->state().reason == "cannot write /dev/full: No space left on device");
  CHECK_FALSE(writer->close().ok());
}

TEST_CASE("child: writes up to a limit on file sizes", "[.child]") {
  const char* path = std::getenv("GPUTOP_TEST_PATH");
  REQUIRE(path != nullptr);
  const rlimit limit{2000, 2000};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  auto writer = RecordingWriter::create(path);
  for (int second = 0; !writer->state().paused && second < 5000; ++second) {
    writer->append({at_seconds(second), Noted{Noted::Severity::kInfo, std::to_string(second * 7919)}});
    static_cast<void>(writer->flush(60s));
  }
  ::_exit(writer->state().reason.find("File too large") != std::string::npos ? 0 : 1);
}

TEST_CASE("a limit on file sizes pauses the recording and does not end the process", "[store][writer]") {
  const test::TemporaryDirectory folder;
  const auto path = folder.file("run.gputop");
  const pid_t child = start_child("child: writes up to a limit on file sizes", path, -1);
  REQUIRE(child > 0);
  CHECK(exit_code(child) == 0);
  const auto read = read_recording(path);
  CHECK(read.opened);
  CHECK(read.events.size() > 10);
}

TEST_CASE("a disk that hangs stops nobody; what the queue could not hold becomes a gap", "[store][writer]") {
  std::promise<void> let_go;
  const auto bytes = std::make_shared<std::string>();
  auto writer =
      RecordingWriter::create("slow.gputop", std::make_unique<HangingFile>(let_go.get_future().share(), bytes));
  REQUIRE(writer.ok());
  writer->append({at_seconds(0), Noted{Noted::Severity::kInfo, "the first"}});
  CHECK_FALSE(writer->flush(10ms));
  for (int second = 1; second <= 2000; ++second) {
    writer->append({at_seconds(second), GpusSampled{}});
    if (second == 3) writer->append({at_seconds(second), Noted{Noted::Severity::kInfo, "kept"}});
  }
  CHECK(writer->state().dropped > 900);
  CHECK(writer->close(10ms).error().kind == Error::Kind::kTimeout);
  let_go.set_value();
  REQUIRE(writer->close(60s).ok());

  const auto read = read_bytes_as_recording(*bytes);
  CHECK(read.problems.empty());
  REQUIRE(read.events.size() > 1000);
  CHECK(read.events[1].payload == Payload{Noted{Noted::Severity::kInfo, "kept"}});
  const auto* gap = std::get_if<RecordingGap>(&read.events[2].payload);
  REQUIRE(gap != nullptr);
  CHECK(gap->from == at_seconds(1));
  CHECK(read.events[3].at == gap->to + 1s);
  CHECK(read.events.back().at == at_seconds(2000));
}

TEST_CASE("many threads may append", "[store][writer]") {
  const test::TemporaryDirectory folder;
  auto writer = RecordingWriter::create(folder.file("run.gputop"));
  REQUIRE(writer.ok());
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 50; ++n) writer->append({at_seconds(1), Noted{Noted::Severity::kInfo, "x"}});
        static_cast<void>(writer->state());
      });
    }
  }
  REQUIRE(writer->close().ok());
  CHECK(read_recording(folder.file("run.gputop")).events.size() == 200);
}

TEST_CASE("recordings go to the XDG state folder, else to the home", "[store][writer]") {
  CHECK(*recordings_folder("/state", "/home/ada") == "/state/gputop/runs");
  CHECK(*recordings_folder("", "/home/ada") == "/home/ada/.local/state/gputop/runs");
  CHECK(*recordings_folder("relative", "/home/ada") == "/home/ada/.local/state/gputop/runs");
  CHECK_FALSE(recordings_folder("", "").ok());
}

TEST_CASE("a recording's name holds the run and the time, and never a path", "[store][writer]") {
  const WallTime wall{std::chrono::milliseconds{1794801068123}};
  CHECK(recording_file_name("train.py", wall) == "train.py-20261116T035108Z.gputop");
  CHECK(recording_file_name("../../etc/x y;", wall) == "_._.._etc_x_y_-20261116T035108Z.gputop");
  CHECK(recording_file_name("", wall) == "gputop-20261116T035108Z.gputop");
  CHECK(recording_file_name("-rf", wall) == "_rf-20261116T035108Z.gputop");

  const test::TemporaryDirectory folder;
  const auto first = reserve_recording(folder.file("runs"), "train.py", wall);
  const auto second = reserve_recording(folder.file("runs"), "train.py", wall);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(*first == folder.file("runs/train.py-20261116T035108Z.gputop"));
  CHECK(*second == folder.file("runs/train.py-20261116T035108Z-2.gputop"));
  CHECK(RecordingWriter::resume(*second).ok());
}

}  // namespace writer_test

// Whole files: replaced in one step or untouched; short writes and failures are reported.
#include "gputop/base/files.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/newer_calls.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() { ::mkdtemp(path_.data()); }
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator{path_}) names.insert(entry.path().filename());
    return names;
  }

 private:
  std::string path_ = (fs::temp_directory_path() / "gputop-base-XXXXXX").string();
};

std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void put(const std::string& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

// Files of this process may not grow past `bytes`; the signal that says so is ignored.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

}  // namespace

TEST_CASE("files: a file is replaced as a whole, with the wanted mode, and nothing else is left") {
  const Folder folder;
  put(folder / "a", "old");
  REQUIRE(replace_file(folder / "a", "new", {.mode = 0640, .durable = true}));
  CHECK(text_of(folder / "a") == "new");
  struct stat about {};
  REQUIRE(::stat((folder / "a").c_str(), &about) == 0);
  CHECK((about.st_mode & 07777U) == 0640U);
  CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("files: a replacement that fails leaves the old file and no temporary") {
  const Folder folder;
  put(folder / "a", "old");
  for (const std::string& temporary : {std::string{}, folder / "a.new"}) {
    const FileSizeLimit limit{4};
    const auto done = replace_file(folder / "a", "longer than four bytes", {.temporary = temporary});
    REQUIRE_FALSE(done);
    CHECK(done.error().message == "cannot write " + folder / "a" + ": File too large");
  }
  CHECK(text_of(folder / "a") == "old");
  CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("files: a temporary that a killed process left is replaced, not followed") {
  const Folder folder;
  put(folder / "other", "untouched");
  fs::create_symlink(folder / "other", folder / "a.new");
  REQUIRE(replace_file(folder / "a", "new", {.temporary = folder / "a.new"}));
  CHECK(text_of(folder / "other") == "untouched");
  CHECK(folder.names() == std::set<std::string>{"a", "other"});
}

TEST_CASE("files: what cannot be replaced is an error that names the file") {
  const Folder folder;
  const auto missing = replace_file(folder / "no/a", "text", {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == Error::Kind::kNotFound);
  CHECK(missing.error().message == "cannot write " + folder / "no/a" + ": No such file or directory");
  fs::create_directory(folder / "b");
  CHECK_FALSE(replace_file(folder / "b", "text", {}));
  CHECK(folder.names() == std::set<std::string>{"b"});
}

TEST_CASE("files: a file is read from its beginning, up to the limit") {
  const Folder folder;
  const std::string text(100'000, 'x');
  put(folder / "a", text);
  const Descriptor file{::open((folder / "a").c_str(), O_RDONLY | O_CLOEXEC)};
  CHECK(read_whole(file.get()) == text);
  CHECK(read_whole(file.get(), 10) == std::string(10, 'x'));
  const Descriptor directory{::open((folder / "").c_str(), O_RDONLY | O_CLOEXEC)};
  errno = 0;
  CHECK_FALSE(read_whole(directory.get()));
  CHECK(errno == EISDIR);
  std::array<char, 8> end{};
  CHECK(read_at(file.get(), end.data(), end.size(), text.size() - 3) == 3);
  CHECK(read_at(file.get(), end.data(), end.size(), text.size()) == 0);
}

TEST_CASE("files: everything is written through a pipe that takes it in pieces, or the failure is reported") {
  Pipe pipe = Pipe::open();
  REQUIRE(pipe);
  const std::string text(1'000'000, 'y');
  std::string received;
  std::thread reader{[&] {
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = ::read(pipe.reader.get(), bytes.data(), bytes.size())) > 0;) {
      received.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }};
  CHECK(write_whole(pipe.writer.get(), text));
  pipe.writer.reset();
  reader.join();
  CHECK(received == text);

  const Descriptor full{::open("/dev/full", O_WRONLY | O_CLOEXEC)};
  CHECK_FALSE(write_whole(full.get(), "x"));
  CHECK(os_error("writing", errno).message == "writing: No space left on device");
}

TEST_CASE("files: the kind of an error follows from its reason") {
  CHECK(os_error("a", ENOENT).kind == Error::Kind::kNotFound);
  CHECK(os_error("a", EACCES).kind == Error::Kind::kPermission);
  CHECK(os_error("a", EROFS).kind == Error::Kind::kPermission);
  CHECK(os_error("a", ENOSPC).kind == Error::Kind::kIo);
  CHECK(io_error("a", EACCES).kind == Error::Kind::kIo);
}

TEST_CASE("descriptor: closes what it owns, once, and nothing that was released") {
  Pipe pipe = Pipe::open();
  REQUIRE(pipe);
  const int reader = pipe.reader.get();
  const int writer = pipe.writer.get();
  {
    Descriptor owner = std::move(pipe.reader);
    CHECK_FALSE(pipe.reader);
    CHECK(owner.get() == reader);
    owner = std::move(pipe.writer);
    CHECK_FALSE(is_open(reader));
    CHECK(is_open(writer));
    CHECK(owner.release() == writer);
  }
  CHECK(is_open(writer));
  Descriptor again{writer};
  CHECK(again.close());
  CHECK_FALSE(is_open(writer));
  errno = 0;
  CHECK_FALSE(again.close());
  CHECK(errno == EBADF);
}

TEST_CASE("newer calls: a range of descriptors is closed, those outside stay open") {
  const Descriptor first{::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 200)};
  Descriptor second{::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 210)};
  const Descriptor third{::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 220)};
  close_descriptors(205, 215);
  CHECK(is_open(first.get()));
  CHECK_FALSE(is_open(second.release()));
  CHECK(is_open(third.get()));
  bool sealable = false;
  const Descriptor memory{open_memory("test", sealable)};
  REQUIRE(memory);
  CHECK(write_whole(memory.get(), "shared"));
  CHECK(read_whole(memory.get()) == "shared");
}

}  // namespace gputop

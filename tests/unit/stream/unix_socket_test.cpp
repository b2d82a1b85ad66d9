// The run's sockets: descriptors travel with the first bytes, strangers' replies and absurd paths are errors.
#include "gputop/stream/unix_socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

namespace gputop {
namespace {

class SocketPlace {
 public:
  SocketPlace() { ::mkdtemp(folder_.data()); }
  ~SocketPlace() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path() const { return folder_ + "/socket"; }

 private:
  std::string folder_ = (std::filesystem::temp_directory_path() / "gputop-socket-XXXXXX").string();
};

bool readable(int fd) {
  pollfd ready{fd, POLLIN, 0};
  return ::poll(&ready, 1, 10'000) == 1;
}

// Both ends of a connection.
struct Connected {
  Descriptor here;
  Descriptor there;
};
Connected connect(const SocketPlace& place, const Descriptor& listener) {
  auto here = connect_to(place.path());
  REQUIRE(here);
  REQUIRE(readable(listener.get()));
  auto there = accept_own(listener.get());
  REQUIRE(there);
  return {*std::move(here), *std::move(there)};
}

}  // namespace

TEST_CASE("socket: what is sent arrives, with the descriptor that was attached", "[stream]") {
  const SocketPlace place;
  const auto listener = listen_at(place.path());
  REQUIRE(listener);
  struct stat about {};
  REQUIRE(::stat(place.path().c_str(), &about) == 0);
  CHECK((about.st_mode & 0777U) == 0600U);

  const auto ends = connect(place, *listener);
  Pipe pipe = Pipe::open();
  REQUIRE(pipe);
  REQUIRE(send_bytes(ends.here.get(), "hello", pipe.writer.get()));
  pipe.writer.reset();
  REQUIRE(readable(ends.there.get()));
  auto received = receive_bytes(ends.there.get());
  CHECK(received.bytes == "hello");
  REQUIRE(received.descriptor);
  CHECK((::fcntl(received.descriptor.get(), F_GETFD) & FD_CLOEXEC) != 0);
  REQUIRE(::write(received.descriptor.get(), "x", 1) == 1);
  char byte = 0;
  CHECK(::read(pipe.reader.get(), &byte, 1) == 1);
  received.descriptor.reset();  // the last writer: it was not copied anywhere else
  CHECK(::read(pipe.reader.get(), &byte, 1) == 0);
  CHECK(peer_process(ends.there.get()) == ::getpid());
}

TEST_CASE("socket: nothing yet is not the end, and the end is told once the rest has been read", "[stream]") {
  const SocketPlace place;
  const auto listener = listen_at(place.path());
  REQUIRE(listener);
  auto ends = connect(place, *listener);
  const auto nothing = receive_bytes(ends.there.get());
  CHECK(nothing.bytes.empty());
  CHECK_FALSE(nothing.closed);
  REQUIRE(send_bytes(ends.here.get(), "last words"));
  ends.here.reset();
  REQUIRE(readable(ends.there.get()));
  const auto rest = receive_bytes(ends.there.get());
  CHECK(rest.bytes == "last words");
  CHECK_FALSE(rest.closed);
  CHECK(receive_bytes(ends.there.get()).closed);
  CHECK_FALSE(send_bytes(ends.there.get(), "too late"));
}

TEST_CASE("socket: a peer that does not read costs an error, not the sender's time", "[stream]") {
  const SocketPlace place;
  const auto listener = listen_at(place.path());
  REQUIRE(listener);
  const auto here = connect_at_once(place.path());
  REQUIRE(here);
  CHECK_FALSE(send_bytes(here->get(), std::string(64 << 20, 'x')));
  CHECK_FALSE(accept_own(here->get()));
}

TEST_CASE("socket: no engine, and a path that is too long, are errors that say so", "[stream]") {
  const SocketPlace place;
  const auto missing = connect_to(place.path());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == Error::Kind::kNotFound);
  {
    const auto listener = listen_at(place.path());
    REQUIRE(listener);
  }
  const auto refused = connect_to(place.path());  // the file is there, nobody listens
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kNotFound);
  REQUIRE(listen_at(place.path()));  // replaces it
  const auto longest = listen_at("/" + std::string(200, 'x'));
  REQUIRE_FALSE(longest);
  CHECK(longest.error().message.find("too long for a socket") != std::string::npos);
}

}  // namespace gputop

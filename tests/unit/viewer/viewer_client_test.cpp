#include "gputop/viewer/viewer_client.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "gputop/viewer/protocol.hpp"
#include "unit/term/pty_session.hpp"

namespace gputop {
namespace {

// An engine's socket, with nobody behind it but the test.
class SilentEngine {
 public:
  SilentEngine() {
    std::string folder = (std::filesystem::temp_directory_path() / "viewer_test.XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = folder;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_, 4) != 0) {
      throw std::runtime_error("listen");
    }
  }
  SilentEngine(const SilentEngine&) = delete;
  SilentEngine& operator=(const SilentEngine&) = delete;
  ~SilentEngine() {
    ::close(listener_);
    if (viewer_ >= 0) ::close(viewer_);
    std::filesystem::remove_all(folder_);
  }
  [[nodiscard]] std::string path() const { return (folder_ / "socket").string(); }
  void welcome() {
    viewer_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    say(Welcome{});
  }
  void say(const Message& message) const {
    const auto bytes = encode(message);
    [[maybe_unused]] const auto sent = ::send(viewer_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

 private:
  std::filesystem::path folder_;
  int listener_ = -1;
  int viewer_ = -1;
};

constexpr auto kTaken = "\x1b[?1049h";

// Says how it ended on the terminal that it has given back.
void view(const std::string& path) {
  const auto farewell = run_viewer(path, {.mouse = false});
  const std::string text = farewell ? farewell->text : farewell.error().message;
  [[maybe_unused]] const auto n = ::write(STDOUT_FILENO, text.data(), text.size());
  std::_Exit(farewell ? farewell->exit_code : 1);
}

TEST_CASE("viewer: an engine that never says a word is left by q, D and Ctrl-C", "[viewer]") {
  const auto* key = GENERATE("q", "D", "\x03");
  SilentEngine engine;
  term::test::PtySession session{[&] { view(engine.path()); }};
  session.learn_job();
  REQUIRE(session.wait_for(kTaken));
  session.type(key);
  CHECK(WEXITSTATUS(session.wait()) == 1);
  CHECK(session.output().find("engine does not answer; the run continues") != std::string::npos);
  CHECK(session.modes_restored());
}

TEST_CASE("viewer: what was typed before a late engine's first word does not leave it", "[viewer]") {
  SilentEngine engine;
  term::test::PtySession session{[&] { view(engine.path()); }};
  session.learn_job();
  REQUIRE(session.wait_for(kTaken));
  session.type("q");
  engine.welcome();
  ::usleep(2'500'000);  // longer than an engine may be silent
  engine.say(Farewell{Farewell::Kind::kDetached, 7, "as it was asked"});
  CHECK(WEXITSTATUS(session.wait()) == 7);
  CHECK(session.output().find("as it was asked") != std::string::npos);
}

}  // namespace
}  // namespace gputop

#include "gputop/viewer/viewer_server.hpp"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "gputop/stream/unix_socket.hpp"
#include "support/loop_script.hpp"
#include "support/temporary_directory.hpp"
#include "unit/viewer/fake_screen.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

// A run's engine as its viewers know it.
struct Served {
  test::TemporaryDirectory folder;
  Loop loop;
  Engine engine{loop, 1h, std::make_unique<test::NoSource>(), nullptr};
  int alone = 0;
  std::vector<int> ends;
  bool headless = false;
  ViewerServer server{loop,
                      folder.file("socket"),
                      "train.py",
                      [this](Surface& surface, const Hello&, ViewerServer::Leave) {
                        return headless ? nullptr
                                        : std::make_unique<Session>(loop, engine, test::plain_interface(), surface,
                                                                    [](const Effect&, ui::Interface&) {});
                      },
                      [this](const EndRequested& request) {
                        ends.push_back(request.signal);
                        return true;
                      },
                      [] { return std::string{"gputop_run_step 7\n"}; },
                      [this] { ++alone; }};
  Engine::Subscription hears = engine.listen([this](const Event& event, const Model&) { server.heard(event); });
  test::LoopScript script{loop};

  Served() { REQUIRE(server.listen().ok()); }
  void note(const std::string& text) { engine.publish({Instant{}, Noted{Noted::Severity::kWarning, text}}); }
};

// A viewer at the other end of the socket, with a terminal of its own that is read only when the test looks.
class Looker {
 public:
  explicit Looker(const Served& served) : socket_(*connect_to(served.folder.file("socket"))) {
    winsize size{24, 80, 0, 0};
    REQUIRE(::openpty(&master_, &slave_, nullptr, nullptr, &size) == 0);
    termios raw{};
    ::tcgetattr(slave_, &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(slave_, TCSANOW, &raw);
    for (const int fd : {master_, slave_, socket_.get()}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  Looker(const Looker&) = delete;
  Looker& operator=(const Looker&) = delete;
  ~Looker() {
    ::close(master_);
    ::close(slave_);
  }

  void say(const Message& message, bool with_terminal = false) const {
    say_bytes(encode(message), with_terminal ? slave_ : -1);
  }
  void say_bytes(const std::string& bytes, int descriptor = -1) const {
    REQUIRE(send_bytes(socket_.get(), bytes, descriptor));
  }
  void leave() { socket_ = Descriptor{}; }

  // What the engine has drawn so far; answers its questions whether the terminal keeps up, as a terminal does.
  bool sees(const std::string& text) {
    char buffer[65536];
    for (ssize_t got = 0; (got = ::read(master_, buffer, sizeof buffer)) > 0;) {
      const std::string_view piece{buffer, static_cast<std::size_t>(got)};
      screen_ += piece;
      for (auto at = piece.find("\x1b[5n"); at != piece.npos; at = piece.find("\x1b[5n", at + 1)) {
        say(KeysTyped{"\x1b[0n"});
      }
    }
    return screen_.find(text) != std::string::npos;
  }
  // The last message of this kind that came, if any.
  template <typename Kind>
  std::optional<Kind> heard() {
    decoder_.feed(receive_bytes(socket_.get()).bytes);
    while (true) {
      auto message = decoder_.next();
      if (!message || !*message) break;
      messages_.push_back(**message);
    }
    for (auto message = messages_.rbegin(); message != messages_.rend(); ++message) {
      if (const auto* found = std::get_if<Kind>(&*message)) return *found;
    }
    return std::nullopt;
  }

 private:
  Descriptor socket_;
  int master_ = -1;
  int slave_ = -1;
  std::string screen_;
  MessageDecoder decoder_;
  std::vector<Message> messages_;
};

TEST_CASE("viewers: a viewer that sends garbage is refused, and the others go on", "[viewer]") {
  Served served;
  Looker good{served};
  Looker bad{served};
  good.say(Hello{}, true);
  served.script
      .when([&] { return good.heard<Welcome>().has_value(); },
            [&] { bad.say_bytes(std::string(64, '\xff')); })
      .when([&] { return bad.heard<Farewell>().has_value(); },
            [&] {
              CHECK(bad.heard<Farewell>()->kind == Farewell::Kind::kRefused);
              served.note("still drawn");
            })
      .when([&] { return good.sees("still drawn") && served.server.size() == 1; });
  CHECK(served.script.run());
  CHECK(served.alone == 0);
}

TEST_CASE("viewers: one that disappears is forgotten, and the last one leaves the run alone", "[viewer]") {
  Served served;
  Looker first{served};
  Looker second{served};
  first.say(Hello{}, true);
  second.say(Hello{}, true);
  served.script
      .when([&] { return first.heard<Welcome>() && second.heard<Welcome>(); }, [&] { first.leave(); })
      .when([&] { return served.server.size() == 1; },
            [&] {
              CHECK(served.alone == 0);
              second.leave();
            })
      .when([&] { return served.alone == 1; });
  CHECK(served.script.run());
  CHECK(served.server.size() == 0);
}

TEST_CASE("viewers: one whose terminal takes nothing costs the others nothing", "[viewer]") {
  Served served;
  Looker stuck{served};  // never reads its terminal
  Looker good{served};
  stuck.say(Hello{.columns = 200, .rows = 50}, true);
  good.say(Hello{.columns = 200, .rows = 50}, true);
  // Each note differs from the others in every cell: what is drawn of it is the whole word.
  const auto note = [](int number) { return std::string(12, static_cast<char>('a' + number)); };
  int notes = 0;
  served.script.when([&] { return stuck.heard<Welcome>() && good.heard<Welcome>(); });
  for (int i = 0; i < 20; ++i) {
    served.script.when([&] { return notes == 0 || good.sees(note(notes)); }, [&] { served.note(note(++notes)); });
  }
  served.script.when([&] { return good.sees(note(20)); });
  CHECK(served.script.run());
  CHECK(served.server.size() == 2);
}

TEST_CASE("viewers: without a terminal, or of another protocol, a viewer is told why it is refused", "[viewer]") {
  Served served;
  Looker bare{served};
  Looker foreign{served};
  bare.say(Hello{});
  foreign.say(Hello{.version = kProtocolVersion + 1, .gputop_version = "9.0.0"}, true);
  served.script.when([&] { return bare.heard<Farewell>() && foreign.heard<Farewell>() && served.server.size() == 0; });
  CHECK(served.script.run());
  CHECK(bare.heard<Farewell>()->text == "the viewer passed no terminal");
  CHECK(foreign.heard<Farewell>()->text.find("incompatible with gputop 9.0.0") != std::string::npos);
  CHECK(served.alone == 0);  // nobody had looked at it
}

TEST_CASE("viewers: gputop stop and gputop export are answered without being viewers", "[viewer]") {
  Served served;
  Looker stop{served};
  Looker asks{served};
  stop.say(EndRequested{15});
  asks.say(MetricsWanted{});
  served.script
      .when([&] { return stop.heard<Done>() && asks.heard<Metrics>(); },
            [&] {
              stop.leave();
              asks.leave();
            })
      .when([&] { return served.server.size() == 0; });
  CHECK(served.script.run());
  CHECK(served.ends == std::vector{15});
  CHECK(asks.heard<Metrics>()->lines == "gputop_run_step 7\n");
  CHECK(served.alone == 0);
}

TEST_CASE("viewers: a socket that somebody removed is there again", "[viewer]") {
  Served served;
  std::filesystem::remove(served.folder.file("socket"));
  std::unique_ptr<Looker> late;
  served.script
      .when([&] { return std::filesystem::exists(served.folder.file("socket")); },
            [&] {
              late = std::make_unique<Looker>(served);
              late->say(Hello{}, true);
            })
      .when([&] { return late->heard<Welcome>().has_value(); });
  CHECK(served.script.run());
}

}  // namespace
}  // namespace gputop

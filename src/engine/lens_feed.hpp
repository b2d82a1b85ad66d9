// The lens's end at the engine: what the run's processes report becomes events, and commands go the other way.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/lens/command.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/stream/unix_socket.hpp"

namespace gputop {

// Lives on the loop's thread. A process whose engine was killed comes again by itself.
class LensFeed {
 public:
  // `at_work`: told before and after each message is read.
  using AtWork = std::function<void(bool)>;
  void on_work(AtWork at_work) { at_work_ = std::move(at_work); }

  // `folder`: of the lens, where its processes keep what they are at.
  LensFeed(Loop& loop, Engine& engine, std::string path, std::string folder);
  ~LensFeed();
  LensFeed(const LensFeed&) = delete;
  LensFeed& operator=(const LensFeed&) = delete;

  Status listen();  // again, if somebody removed the socket: who is connected stays so
  void drain();     // what was said and not heard yet: the run is over

  struct Sent {
    std::uint64_t id = 0;       // that the answers (LensAck) will have
    std::size_t processes = 0;  // that were told; 0: there is no lens to talk to
  };
  Sent send(const LensCommand& command);

 private:
  struct Connection;
  void accept();
  bool take_connection();  // false: nobody waits
  void read(Connection& connection);
  void take_carefully(Connection& connection, std::string_view text);
  void take(Connection& connection, std::string_view text);
  void release(Connection& connection);
  void look_at_phases();
  [[nodiscard]] bool is_due(Connection& connection, LensTick& tick);

  Loop& loop_;
  Engine& engine_;
  std::string path_;
  std::string folder_;
  std::unique_ptr<Loop::Timer> phases_;
  AtWork at_work_ = [](bool) {};
  SocketFd listener_;
  std::unique_ptr<Loop::Watch> watch_;
  std::list<Connection> connections_;
  std::uint64_t last_id_ = 0;
};

}  // namespace gputop

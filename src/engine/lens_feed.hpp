// The engine's end of the lens: reports from the run's processes become events, and commands go the other way.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/base/descriptor.hpp"
#include "gputop/lens/command.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/stream/unix_socket.hpp"

namespace gputop {

// Lives on the loop's thread. After an engine is killed, processes reconnect on their own.
class LensFeed {
 public:
  // `at_work`: called before and after each message is read.
  using AtWork = std::function<void(bool)>;
  void on_work(AtWork at_work) { at_work_ = std::move(at_work); }

  // `folder`: the lens's folder, where its processes publish their current phase.
  LensFeed(Loop& loop, Engine& engine, std::string path, std::string folder);
  ~LensFeed();
  LensFeed(const LensFeed&) = delete;
  LensFeed& operator=(const LensFeed&) = delete;

  Status listen();  // call again if the socket was removed; existing connections stay
  void drain();     // reads what has not been read yet: the run is over

  struct Sent {
    std::uint64_t id = 0;       // which the answers (LensAck) repeat
    std::size_t processes = 0;  // that received it; 0: there is no lens
  };
  Sent send(const LensCommand& command);

 private:
  struct Connection;
  void accept();
  bool take_connection();  // false: nobody is waiting
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
  Descriptor listener_;
  std::unique_ptr<Loop::Watch> watch_;
  std::list<Connection> connections_;
  std::uint64_t last_id_ = 0;
};

}  // namespace gputop

// The engine's side of its viewers: listens at the run's socket, and draws for each viewer on the terminal it brought.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "gputop/viewer/protocol.hpp"
#include "gputop/viewer/session.hpp"

namespace gputop {

class ViewerConnection;

// Lives on the loop's thread. A slow, stopped or dead viewer costs the others nothing.
class ViewerServer {
 public:
  // Creates the session of a new viewer, nullptr for none; `leave` ends it (detached).
  using Leave = std::function<void(Farewell)>;
  using MakeSession = std::function<std::unique_ptr<Session>(Surface& surface, const Hello& hello, Leave leave)>;

  // A client without a terminal wants the run to end.
  using EndRun = std::function<bool(const EndRequested& request)>;  // whether the signal will be sent

  // The run's lines for Prometheus, for a client without a terminal.
  using RunMetrics = std::function<std::string()>;

  // `alone` is called when the last viewer has left.
  ViewerServer(Loop& loop,
               std::string path,
               std::string run_name,
               MakeSession make_session,
               EndRun end_run,
               RunMetrics metrics,
               std::function<void()> alone);
  ~ViewerServer();
  ViewerServer(const ViewerServer&) = delete;
  ViewerServer& operator=(const ViewerServer&) = delete;

  // Also recreates the socket if somebody removed it.
  Status listen();
  void heard(const Event& event);
  // To all of them; they are gone afterwards.
  void say_farewell(const Farewell& farewell);
  [[nodiscard]] std::size_t size() const { return connections_.size(); }

 private:
  struct Listener;
  void accept();
  void watch_path();
  void sweep();

  Loop& loop_;
  std::string path_;
  std::string run_name_;
  MakeSession make_session_;
  EndRun end_run_;
  RunMetrics metrics_;
  std::function<void()> alone_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<Loop::Timer> path_timer_;
  std::list<std::unique_ptr<ViewerConnection>> connections_;
};

}  // namespace gputop

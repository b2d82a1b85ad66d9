// One viewer as the engine sees it: its socket, its terminal, its session.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gputop/base/descriptor.hpp"
#include "gputop/stream/unix_socket.hpp"
#include "gputop/viewer/viewer_server.hpp"
#include "viewer/key_reader.hpp"
#include "viewer/pump_driver.hpp"

namespace gputop {

class ViewerConnection final : public Surface {
 public:
  ViewerConnection(Loop& loop,
                   Descriptor socket,
                   std::string run_name,
                   const ViewerServer::MakeSession& make_session,
                   const ViewerServer::EndRun& end_run,
                   const ViewerServer::RunMetrics& metrics,
                   std::function<void()> changed);

  // Reads what the viewer has already sent.
  void start() { read(); }
  void heard(const Event& event);
  void say_farewell(Farewell farewell);
  [[nodiscard]] bool closed() const { return closed_; }
  // It brought a terminal; others only ask something.
  [[nodiscard]] bool is_viewer() const { return session_ != nullptr; }

  void show(term::Frame frame) override;
  [[nodiscard]] std::optional<term::Frame> spare() override;
  void repaint() override;
  void set_mouse(bool on) override;
  void say(std::string bytes) override;

 private:
  void read();
  void take(const Message& message);
  void welcome(const Hello& hello);
  void close();
  void resize(int columns, int rows);
  // Draws nothing while suspended; afterwards everything is redrawn.
  void suspend(bool now);
  [[nodiscard]] bool may_draw();

  Loop& loop_;
  Descriptor socket_;
  Descriptor terminal_;
  std::string run_name_;
  const ViewerServer::MakeSession& make_session_;
  const ViewerServer::EndRun& end_run_;
  const ViewerServer::RunMetrics& metrics_;
  std::function<void()> changed_;  // closed() is true now
  MessageDecoder decoder_;
  std::unique_ptr<Loop::Watch> input_;
  std::unique_ptr<PumpDriver> pump_;
  KeyReader keys_;
  std::unique_ptr<Session> session_;
  bool suspended_ = false;
  std::optional<term::Frame> missed_;  // the newest while suspended
  bool closed_ = false;
};

}  // namespace gputop

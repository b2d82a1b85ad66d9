#include "gputop/viewer/viewer_server.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "viewer/viewer_connection.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookAtPath = 2s;  // a removed socket is recreated within this time

}  // namespace

struct ViewerServer::Listener {
  Descriptor socket;
  std::unique_ptr<Loop::Watch> watch;
};

ViewerServer::ViewerServer(Loop& loop,
                           std::string path,
                           std::string run_name,
                           MakeSession make_session,
                           EndRun end_run,
                           RunMetrics metrics,
                           std::function<void()> alone)
    : loop_(loop),
      path_(std::move(path)),
      run_name_(std::move(run_name)),
      make_session_(std::move(make_session)),
      end_run_(std::move(end_run)),
      metrics_(std::move(metrics)),
      alone_(std::move(alone)),
      path_timer_(loop.make_timer()) {}

ViewerServer::~ViewerServer() = default;

Status ViewerServer::listen() {
  auto socket = listen_at(path_);
  if (socket) {
    auto watch = loop_.watch(socket->get());
    listener_ = std::make_unique<Listener>(Listener{*std::move(socket), std::move(watch)});
    listener_->watch->when_readable([this] { accept(); });
  }
  watch_path();
  return socket ? success() : Status{socket.error()};
}

void ViewerServer::watch_path() {
  path_timer_->at(loop_.now() + kLookAtPath, [this] {
    struct stat status {};
    if (::lstat(path_.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) {
      watch_path();
    } else {
      static_cast<void>(listen());
    }
  });
}

void ViewerServer::accept() {
  if (auto socket = accept_own(listener_->socket.get())) {
    connections_.push_back(std::make_unique<ViewerConnection>(loop_, std::move(*socket), run_name_, make_session_,
                                                              end_run_, metrics_, [this] { loop_.post([this] { sweep(); }); }));
    connections_.back()->start();
  }
  listener_->watch->when_readable([this] { accept(); });
}

void ViewerServer::sweep() {
  bool viewer_left = false;  // clients that only ask, like gputop export, do not count as viewers
  connections_.remove_if([&](const auto& connection) {
    viewer_left |= connection->closed() && connection->is_viewer();
    return connection->closed();
  });
  const bool watched = std::any_of(connections_.begin(), connections_.end(), [](const auto& c) { return c->is_viewer(); });
  if (viewer_left && !watched) alone_();
}

void ViewerServer::heard(const Event& event) {
  for (const auto& connection : connections_) connection->heard(event);
}

void ViewerServer::say_farewell(const Farewell& farewell) {
  for (const auto& connection : connections_) connection->say_farewell(farewell);
}

}  // namespace gputop

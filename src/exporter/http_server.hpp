// A small HTTP server on the loop, for scrapes: one request per connection, few connections, none for long.
#pragma once

#include <sys/socket.h>

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "exporter/http_message.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/stream/unix_socket.hpp"

namespace gputop {

// "127.0.0.1:9835", "[::1]:9835", "localhost:9835", "0.0.0.0:9835"; a bare number is a port on the loopback interface.
struct ListenAddress {
  sockaddr_storage address{};
  socklen_t size = 0;
  bool loopback = false;
  std::string text;  // "127.0.0.1:9835"
};
Result<ListenAddress> parse_listen(const std::string& text);

// Lives on the loop's thread.
class HttpServer {
 public:
  using Reply = std::function<void(HttpAnswer)>;
  // May reply later; a reply to a disconnected client is dropped.
  using Handler = std::function<void(const HttpRequest& request, Reply reply)>;

  HttpServer(Loop& loop, Handler handler);
  ~HttpServer();
  // The address it got: port 0 asks for any free one.
  Result<std::string> listen(const ListenAddress& address);

 private:
  class Connection;
  void accept();
  void serve(Descriptor socket);
  void sweep();

  Loop& loop_;
  Handler handler_;
  Descriptor socket_;
  std::unique_ptr<Loop::Watch> watch_;
  std::unique_ptr<Loop::Timer> again_;
  std::list<std::shared_ptr<Connection>> connections_;
};

}  // namespace gputop

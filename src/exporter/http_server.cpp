#include "exporter/http_server.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include "gputop/base/files.hpp"
#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kClientPatience = 10s;             // for a client, from its first byte to its last
constexpr std::size_t kMostConnections = 16;    // at a time; scrapes are few
constexpr Duration kNoDescriptorPause = 1s;

std::string address_text(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST] = "";
  char port[NI_MAXSERV] = "";
  const auto* raw = reinterpret_cast<const sockaddr*>(&address);
  ::getnameinfo(raw, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  const bool six = address.ss_family == AF_INET6;
  return (six ? "[" : "") + std::string{host} + (six ? "]:" : ":") + port;
}

Error unavailable(const std::string& what) {
  Error error = os_error(what);
  if (error.kind != Error::Kind::kPermission) error.kind = Error::Kind::kUnavailable;
  return error;
}

}  // namespace

Result<ListenAddress> parse_listen(const std::string& text) {
  const auto colon = text.rfind(':');
  auto host = colon == std::string::npos ? std::string{} : text.substr(0, colon);
  const auto port = slice(std::string_view{text}, colon == std::string::npos ? 0 : colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() || host == "localhost") host = "127.0.0.1";
  std::uint16_t number = 0;
  const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), number);
  const Error wrong{Error::Kind::kInvalid,
                    "--listen: \"" + text + "\" is not ADDRESS:PORT (try 127.0.0.1:9835; an address, not a name)"};
  if (problem != std::errc{} || end != port.data() + port.size()) return wrong;
  ListenAddress parsed;
  auto* four = reinterpret_cast<sockaddr_in*>(&parsed.address);
  auto* six = reinterpret_cast<sockaddr_in6*>(&parsed.address);
  if (::inet_pton(AF_INET, host.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(number);
    parsed.size = sizeof *four;
    parsed.loopback = ntohl(four->sin_addr.s_addr) >> 24U == 127;
  } else if (::inet_pton(AF_INET6, host.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(number);
    parsed.size = sizeof *six;
    parsed.loopback = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
  } else {
    return wrong;
  }
  parsed.text = address_text(parsed.address, parsed.size);
  return parsed;
}

class HttpServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(HttpServer& server, Descriptor socket, std::unique_ptr<Loop::Watch> watch)
      : server_(server), socket_(std::move(socket)), watch_(std::move(watch)), timer_(server.loop_.make_timer()) {}

  void start() {
    timer_->at(server_.loop_.now() + kClientPatience, [this] { close(); });
    watch_->when_readable([this] { read(); });
  }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  void read() {
    const auto received = receive_bytes(socket_.get());
    if (received.closed) return close();
    const auto request = reader_.feed(received.bytes);
    if (!request) return answer({.method = "GET"}, {.status = 400, .body = request.error().message + "\n"});
    if (!*request) return watch_->when_readable([this] { read(); });
    server_.handler_(**request, [weak = weak_from_this(), asked = **request](HttpAnswer answer) {
      if (const auto self = weak.lock(); self && !self->closed_) self->answer(asked, answer);
    });
  }

  void answer(const HttpRequest& request, const HttpAnswer& answer) {
    out_ = http_bytes(request, answer);
    write();
  }

  void write() {
    const auto count = ::send(socket_.get(), out_.data(), out_.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return close();
    if (count > 0) out_.erase(0, static_cast<std::size_t>(count));
    if (out_.empty()) return close();
    watch_->when_writable([this] { write(); });
  }

  void close() {
    if (std::exchange(closed_, true)) return;
    timer_->cancel();
    ::shutdown(socket_.get(), SHUT_WR);
    server_.loop_.post([server = &server_, alive = weak_from_this()] {
      if (!alive.expired()) server->sweep();
    });
  }

  HttpServer& server_;
  Descriptor socket_;
  std::unique_ptr<Loop::Watch> watch_;
  std::unique_ptr<Loop::Timer> timer_;
  HttpRequestReader reader_;
  std::string out_;
  bool closed_ = false;
};

HttpServer::HttpServer(Loop& loop, Handler handler) : loop_(loop), handler_(std::move(handler)) {}
HttpServer::~HttpServer() = default;

Result<std::string> HttpServer::listen(const ListenAddress& address) {
  const auto what = "cannot listen at " + address.text;
  Descriptor socket{::socket(address.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  const int on = 1;
  if (socket.get() < 0) return unavailable(what);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const auto* raw = reinterpret_cast<const sockaddr*>(&address.address);
  if (::bind(socket.get(), raw, address.size) != 0 || ::listen(socket.get(), SOMAXCONN) != 0) return unavailable(what);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size);
  socket_ = std::move(socket);
  watch_ = loop_.watch(socket_.get());
  again_ = loop_.make_timer();
  watch_->when_readable([this] { accept(); });
  return address_text(bound, size);
}

// Where there are too many, or no descriptor is left, the one that has been here longest goes: it may be silent for good,
// and a scrape behind it is not to wait for that.
void HttpServer::accept() {
  for (std::size_t i = 0; i < kMostConnections; ++i) {
    Descriptor socket{::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
    const int problem = socket.get() < 0 ? errno : 0;
    if (problem == EAGAIN) break;
    if (problem == EINTR || problem == ECONNABORTED) continue;
    if (problem != 0 && connections_.empty())
      return again_->at(loop_.now() + kNoDescriptorPause, [this] { accept(); });
    if (problem != 0 || connections_.size() >= kMostConnections) connections_.pop_front();
    if (problem == 0) serve(std::move(socket));
  }
  watch_->when_readable([this] { accept(); });
}

// To be watched, it needs a second descriptor: the oldest connections make room for that, too.
void HttpServer::serve(Descriptor socket) {
  std::unique_ptr<Loop::Watch> watch;
  while (!watch) {
    try {
      watch = loop_.watch(socket.get());
    } catch (const std::system_error&) {
      if (connections_.empty()) return;
      connections_.pop_front();
    }
  }
  connections_.push_back(std::make_shared<Connection>(*this, std::move(socket), std::move(watch)));
  connections_.back()->start();
}

void HttpServer::sweep() {
  connections_.remove_if([](const auto& connection) { return connection->closed(); });
}

}  // namespace gputop

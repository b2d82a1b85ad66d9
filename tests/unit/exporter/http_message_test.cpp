#include "exporter/http_message.hpp"

#include <catch2/catch_test_macros.hpp>

#include "exporter/http_server.hpp"

using namespace gputop;

TEST_CASE("http: a request in any pieces", "[exporter]") {
  const std::string bytes =
      "GET /metrics?collect=all HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text;q=0.5\r\n\r\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
    HttpRequestReader reader;
    std::optional<HttpRequest> request;
    for (std::size_t i = 0; i < bytes.size() && !request; i += piece) {
      auto next = reader.feed(std::string_view{bytes}.substr(i, piece));
      REQUIRE(next);
      request = *next;
    }
    REQUIRE(request);
    CHECK(request->method == "GET");
    CHECK(request->path == "/metrics");
    CHECK(request->accept == "application/openmetrics-text;q=0.5");
  }
}

TEST_CASE("http: what is no request, or too long, is refused", "[exporter]") {
  CHECK_FALSE(HttpRequestReader{}.feed("\x16\x03\x01 hello TLS\r\n\r\n"));
  CHECK_FALSE(HttpRequestReader{}.feed("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n"));
  CHECK_FALSE(HttpRequestReader{}.feed("POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n" + std::string(99, 'x')));
}

TEST_CASE("http: an answer says how long it is, and HEAD has none", "[exporter]") {
  const HttpAnswer answer{.status = 404, .type = "text/plain", .body = "no\n"};
  const auto bytes = http_bytes({.method = "GET"}, answer);
  CHECK(bytes.starts_with("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n"));
  CHECK(bytes.ends_with("\r\n\r\nno\n"));
  CHECK(http_bytes({.method = "HEAD"}, answer).ends_with("\r\n\r\n"));
}

TEST_CASE("http: where to listen, and whether others reach it", "[exporter]") {
  CHECK(parse_listen("127.0.0.1:9835")->loopback);
  CHECK(parse_listen("127.0.0.1:9835")->text == "127.0.0.1:9835");
  CHECK(parse_listen("9835")->text == "127.0.0.1:9835");
  CHECK(parse_listen(":9835")->text == "127.0.0.1:9835");
  CHECK(parse_listen("localhost:1")->loopback);
  CHECK(parse_listen("[::1]:9835")->loopback);
  CHECK(parse_listen("[::1]:9835")->text == "[::1]:9835");
  CHECK_FALSE(parse_listen("0.0.0.0:9835")->loopback);
  CHECK_FALSE(parse_listen("[::]:9835")->loopback);
  CHECK_FALSE(parse_listen("192.168.1.2:80")->loopback);
  for (const auto* wrong : {"", "x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "example.org:80", "127.0.0.1:80x", "::1"})
    CHECK_FALSE(parse_listen(wrong));
}

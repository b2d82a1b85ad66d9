#include "gputop/prometheus/curl.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/temporary_directory.hpp"

using namespace gputop;
using namespace gputop::prometheus;

namespace {

bool has(const std::string& text, const std::string& line) {
  return text.find(line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("curl: what it is told on its standard input", "[prometheus]") {
  const Access access{.url = "https://host:9090/prefix/", .ca_file = "/etc/ca.pem", .timeout = std::chrono::milliseconds{1500}};
  const auto config = curl_config(access, "/api/v1/query", {{"query", "up{a=\"b\\c\"}"}});
  REQUIRE(config);
  CHECK(has(*config, "url = \"https://host:9090/prefix/api/v1/query\""));
  CHECK(has(*config, "data-urlencode = \"query=up{a=\\\"b\\\\c\\\"}\""));
  CHECK(has(*config, "cacert = \"/etc/ca.pem\""));
  CHECK(has(*config, "max-time = 1.500"));
  CHECK(has(*config, "proto = \"=http,https\""));
  CHECK(config->find("Authorization") == std::string::npos);
  CHECK(config->find("user = ") == std::string::npos);
}

TEST_CASE("curl: secrets come from files, without the newline behind them", "[prometheus]") {
  const test::TemporaryDirectory directory;
  const auto password = directory.write("password", "se\"cret\n").string();
  const auto token = directory.write("token", "abc.def\r\n").string();
  CHECK(has(*curl_config({.url = "http://x", .user = "ada", .password_file = password}, "/", {}), "user = \"ada:se\\\"cret\""));
  CHECK(has(*curl_config({.url = "http://x", .token_file = token}, "/", {}), "header = \"Authorization: Bearer abc.def\""));
  CHECK_FALSE(curl_config({.url = "http://x", .token_file = directory.file("none")}, "/", {}));
}

TEST_CASE("curl: addresses that are none are refused", "[prometheus]") {
  CHECK(check({.url = "http://localhost:9090"}));
  for (const auto* wrong : {"", "localhost:9090", "ftp://x", "file:///etc/passwd", "-o/etc/x"}) CHECK_FALSE(check({.url = wrong}));
  CHECK_FALSE(check({.url = "https://x", .ca_file = "/no/such/file"}));
}

TEST_CASE("curl: nobody at the other end is an error with its reason, and a cancelled one does not start", "[prometheus]") {
  Curl curl{{.url = "http://127.0.0.1:1", .timeout = std::chrono::milliseconds{2000}}};
  const auto answer = curl.get("/api/v1/query", {});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == Error::Kind::kUnavailable);
  curl.cancel();
  const auto late = curl.get("/api/v1/query", {});
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == Error::Kind::kLost);
}

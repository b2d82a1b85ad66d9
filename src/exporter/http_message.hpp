// HTTP/1.1 as far as a scrape needs it: bytes in, a request out; a page in, bytes out. Where Boost.Beast stops.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

struct HttpRequest {
  std::string method;
  std::string path;  // without what follows "?"
  std::string accept;
};

// Bytes in any pieces, one request. What is none, or too long, is an Error.
class HttpRequestReader {
 public:
  HttpRequestReader();
  ~HttpRequestReader();
  // nullopt: there is more to come.
  Result<std::optional<HttpRequest>> feed(std::string_view bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The connection is closed behind it.
struct HttpAnswer {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};
std::string http_bytes(const HttpRequest& request, const HttpAnswer& answer);

}  // namespace gputop

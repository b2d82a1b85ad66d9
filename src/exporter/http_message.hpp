// As much HTTP/1.1 as a scrape needs: bytes in, a request out; a page in, bytes out. Keeps Boost.Beast inside.
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

// Takes bytes in any pieces, for one request. An invalid or too long request is an Error.
class HttpRequestReader {
 public:
  HttpRequestReader();
  ~HttpRequestReader();
  // nullopt: more bytes are needed.
  Result<std::optional<HttpRequest>> feed(std::string_view bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The connection is closed after it.
struct HttpAnswer {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};
std::string http_bytes(const HttpRequest& request, const HttpAnswer& answer);

}  // namespace gputop

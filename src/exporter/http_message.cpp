// The only file that uses Boost.Beast.
#include "exporter/http_message.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>

namespace gputop {

namespace http = boost::beast::http;

struct HttpRequestReader::Impl {
  std::string waiting;  // bytes that the parser has not consumed yet
  http::request_parser<http::empty_body> parser;
};

HttpRequestReader::HttpRequestReader() : impl_(std::make_unique<Impl>()) {
  constexpr std::uint32_t kLongestHeader = 8192;
  impl_->parser.header_limit(kLongestHeader);
  impl_->parser.body_limit(0);
}
HttpRequestReader::~HttpRequestReader() = default;

Result<std::optional<HttpRequest>> HttpRequestReader::feed(std::string_view bytes) {
  impl_->waiting += bytes;
  boost::system::error_code problem;
  const auto used = impl_->parser.put(boost::asio::buffer(impl_->waiting), problem);
  impl_->waiting.erase(0, used);
  if (problem == http::error::need_more) return std::optional<HttpRequest>{};
  if (problem) return Error{Error::Kind::kInvalid, problem.message()};
  if (!impl_->parser.is_done()) return std::optional<HttpRequest>{};
  const auto& message = impl_->parser.get();
  const auto target = message.target();
  const auto accept = message[http::field::accept];
  const auto method = message.method_string();
  HttpRequest request{.method = {method.data(), method.size()},
                      .path = {target.data(), std::min(target.find('?'), target.size())},
                      .accept = {accept.data(), accept.size()}};
  return std::optional{std::move(request)};
}

std::string http_bytes(const HttpRequest& request, const HttpAnswer& answer) {
  const auto reason = http::obsolete_reason(static_cast<http::status>(answer.status));
  std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) + " " + std::string{reason.data(), reason.size()} + "\r\n";
  bytes += "Content-Type: " + answer.type + "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n";
  bytes += "Cache-Control: no-store\r\nConnection: close\r\n\r\n";
  if (request.method != "HEAD") bytes += answer.body;
  return bytes;
}

}  // namespace gputop

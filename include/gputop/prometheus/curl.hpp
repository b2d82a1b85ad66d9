// HTTP and HTTPS through the system's curl (ADR: docs/adr/0012-curl-for-https.md). What is secret goes through its
// standard input, never through its arguments, which everybody can read.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop::prometheus {

struct Access {
  std::string url;            // "https://prometheus.example:9090", with or without a path
  std::string user;           // "": no basic authentication
  std::string password_file;  // of that user; "": $GPUTOP_PROMETHEUS_PASSWORD
  std::string token_file;     // of bearer authentication; "": $GPUTOP_PROMETHEUS_TOKEN, if it is set
  std::string ca_file;        // certificates to trust; "": the system's
  std::chrono::milliseconds timeout{10'000};
};

// Wrong urls and files that cannot be read.
Status check(const Access& access);

class Curl {
 public:
  explicit Curl(Access access) : access_(std::move(access)) {}

  using Parameters = std::vector<std::pair<std::string, std::string>>;
  // Waits, at most for the time-out. Files with secrets are read anew each time: tokens are renewed.
  Result<std::string> get(const std::string& path, const Parameters& parameters);
  // From another thread: what waits ends with an error, and so does whatever is asked afterwards.
  void cancel();

 private:
  Access access_;
  std::mutex mutex_;
  pid_t child_ = 0;  // while it runs
  bool cancelled_ = false;
};

// The text for curl's standard input. Error: a file with a secret cannot be read.
Result<std::string> curl_config(const Access& access, const std::string& path, const Curl::Parameters& parameters);

}  // namespace gputop::prometheus

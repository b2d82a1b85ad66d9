// HTTP and HTTPS through the system's curl (ADR: docs/adr/0012-curl-for-https.md). Secrets go through its standard
// input, never through its arguments, which every user can read.
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
  std::string user;           // "" for no basic authentication
  std::string password_file;  // of that user; "": $GPUTOP_PROMETHEUS_PASSWORD
  std::string token_file;     // of bearer authentication; "": $GPUTOP_PROMETHEUS_TOKEN, if it is set
  std::string ca_file;        // certificates to trust; "": the system's
  std::chrono::milliseconds timeout{10'000};
};

// Rejects invalid URLs and files that cannot be read.
Status check(const Access& access);

class Curl {
 public:
  explicit Curl(Access access) : access_(std::move(access)) {}

  using Parameters = std::vector<std::pair<std::string, std::string>>;
  // Waits at most for the timeout. Files with secrets are read each time, because tokens are renewed.
  Result<std::string> get(const std::string& path, const Parameters& parameters);
  // Thread-safe: the pending request and all later ones fail with an error.
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

#include "gputop/exporter/exporter.hpp"

#include <csignal>
#include <optional>

#include "exporter/http_server.hpp"
#include "exporter/run_lines.hpp"
#include "exporter/textfile.hpp"
#include "gputop/base/output.hpp"
#include "gputop/report/open_metrics.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/one_reading.hpp"
#include "gputop/stream/stream_started.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kInterval = 5s;  // scrapes come every 15 s and more
constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kOpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

std::string page_of(std::initializer_list<std::string_view> parts, MetricFormat format) {
  MetricPage page;
  for (const auto part : parts) page.add(part);
  return page.text(format);
}

class Exporter {
 public:
  Exporter(std::unique_ptr<Source> gpus, std::chrono::milliseconds interval, const ExportOptions& options)
      : options_(options),
        interval_(interval),
        engine_(loop_, interval, std::move(gpus), make_host_source()),
        folder_(options.textfile),
        timer_(loop_.make_timer()),
        end_(loop_.make_timer()) {}

  Status listen() {
    const auto address = parse_listen(options_.listen);
    if (!address) return address.error();
    if (!address->loopback)
      complain("WARNING: " + address->text +
               " is not a loopback address: anyone who can reach this machine can read its GPUs, users and runs there, "
               "without "
               "a password");
    server_.emplace(loop_, [this](const HttpRequest& request, HttpServer::Reply reply) { answer(request, std::move(reply)); });
    const auto bound = server_->listen(*address);
    if (!bound) return bound.error();
    complain("metrics at http://" + *bound + "/metrics");
    return success();
  }

  int run(const std::optional<std::chrono::milliseconds>& duration) {
    loop_.on_signals({SIGINT, SIGTERM, SIGHUP}, [this](int) { loop_.stop(); });
    if (duration) end_->at(loop_.now() + *duration, [this] { loop_.stop(); });
    const auto subscription = engine_.listen([](const Event& event, const Model&) { heard(event); });
    engine_.publish(stream_started(interval_));
    engine_.start();
    if (!options_.textfile.empty()) write_again();
    loop_.run();
    if (!options_.textfile.empty()) folder_.remove();
    return code_;
  }

 private:
  static void heard(const Event& event) {
    const auto* status = std::get_if<SourceStatus>(&event.payload);
    if (status != nullptr && status->state == SourceStatus::State::kUnavailable && status->source != "host")
      complain("no GPU: " + status->message);
  }

  void answer(const HttpRequest& request, HttpServer::Reply reply) {
    if (request.method != "GET" && request.method != "HEAD") return reply({.status = 405, .body = "GET /metrics\n"});
    if (request.path == "/")
      return reply({.type = "text/html; charset=utf-8", .body = "<a href=\"/metrics\">gputop's metrics</a>\n"});
    if (request.path != "/metrics") return reply({.status = 404, .body = "GET /metrics\n"});
    const bool open = request.accept.find("application/openmetrics-text") != std::string::npos;
    ask_runs(loop_, [this, open, reply = std::move(reply)](const std::string& runs) {
      const auto format = open ? MetricFormat::kOpenMetrics : MetricFormat::kText;
      reply({.type = std::string{open ? kOpenMetricsType : kTextType},
             .body = page_of({machine_metrics(engine_.model()), runs}, format)});
    });
  }

  // Writes the first file with the first complete reading.
  void write_again() {
    const bool early = !engine_.model().host.cpu && loop_.now() < Instant{} + 2 * kInterval;
    timer_->at(loop_.now() + (early ? Duration{100ms} : Duration{interval_}), [this] { write_again(); });
    if (early) return;
    ask_runs(loop_, [this](const std::string& runs) {
      const auto seconds = std::chrono::duration<double>(interval_).count();
      const bool was_taken = folder_.machine_is_taken();
      const auto written = folder_.write(page_of({machine_metrics(engine_.model())}, MetricFormat::kText),
                                         page_of({runs}, MetricFormat::kText), seconds);
      if (folder_.machine_is_taken() && !was_taken)
        complain("gputop.prom in " + options_.textfile + " is another user's: only the runs are written here");
      // A full disk may have room again later; report it only once.
      if (!written && last_problem_ != written.error().message) complain(last_problem_ = written.error().message);
      if (written) last_problem_.clear();
    });
  }

  ExportOptions options_;
  std::chrono::milliseconds interval_;
  Loop loop_;
  Engine engine_;
  TextfileFolder folder_;
  std::optional<HttpServer> server_;
  std::unique_ptr<Loop::Timer> timer_;
  std::unique_ptr<Loop::Timer> end_;
  std::string last_problem_;
  int code_ = 0;
};

int export_once(std::unique_ptr<Source> gpus, const ExportOptions& options) {
  std::string machine;
  with_one_reading(std::move(gpus), [&](const Model& model) { machine = machine_metrics(model); });
  std::string runs;
  Loop loop;
  ask_runs(loop, [&](std::string lines) {
    runs = std::move(lines);
    loop.stop();
  });
  loop.run();
  if (options.textfile.empty()) return print(page_of({machine, runs}, MetricFormat::kText));
  TextfileFolder folder{options.textfile};
  const auto written =
      folder.write(page_of({machine}, MetricFormat::kText), page_of({runs}, MetricFormat::kText), 0);
  if (folder.machine_is_taken())
    complain("gputop.prom in " + options.textfile + " is another user's: only the runs are written here");
  return written ? 0 : failed(written.error());
}

}  // namespace

int run_exporter(const WatchOptions& watch, const ExportOptions& options) {
  auto gpus = make_gpu_source(watch, options.once ? Pace::kOnce : Pace::kAgainAndAgain);
  if (!gpus) return usage_error(gpus.error());
  if (options.once) return export_once(*std::move(gpus), options);
  Exporter exporter{*std::move(gpus), watch.interval.value_or(kInterval), options};
  if (!options.listen.empty()) {
    if (const auto listening = exporter.listen(); !listening)
      return listening.error().kind == Error::Kind::kInvalid ? usage_error(listening.error()) : failed(listening.error());
  }
  return exporter.run(watch.duration);
}

}  // namespace gputop

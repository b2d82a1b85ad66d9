#include "gputop/viewer/fleet_screen.hpp"

#include <chrono>
#include <csignal>

#include "gputop/base/output.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/fleet/table.hpp"
#include "gputop/prometheus/fleet_feed.hpp"
#include "gputop/term/color_depth.hpp"
#include "gputop/ui/fleet_interface.hpp"
#include "gputop/viewer/interface_factory.hpp"
#include "gputop/viewer/preferences.hpp"
#include "gputop/viewer/screen.hpp"
#include "viewer/terminal_surface.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kFleetInterval = 15s;  // Prometheus itself scrapes no more often
constexpr std::chrono::seconds kChartSpan = 6h;
constexpr int kChartPoints = 240;

WallTime wall_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

class FleetScreen {
 public:
  FleetScreen(Loop& loop, Surface& surface, ui::FleetInterface interface, const WatchOptions& watch, const FleetOptions& options)
      : loop_(loop),
        surface_(surface),
        interface_(std::move(interface)),
        clock_(loop.make_timer()),
        feed_(loop, options.access, watch.interval.value_or(kFleetInterval),
              {.fleet =
                   [this](fleet::Fleet fleet) {
                     interface_.set_fleet(std::move(fleet));
                     ask_history();
                     draw();
                   },
               .failed =
                   [this](const Error& error) {
                     interface_.set_problem(error.message, wall_now());
                     draw();
                   },
               .history =
                   [this](std::uint64_t page, prometheus::HistorySpan span, std::vector<fleet::Series> series) {
                     interface_.set_history(page, span.from, span.to, std::move(series));
                     draw();
                   }}) {}

  void start() { tick(); }

  void key(const ftxui::Event& event) {
    using Wish = ui::FleetInterface::Wish;
    const auto wish = interface_.handle(event);
    if (wish == Wish::kQuit) return loop_.stop();
    if (wish == Wish::kRefresh) feed_.refresh();
    if (wish == Wish::kHistory) ask_history();
    draw();
  }
  void resize(int width, int height) {
    width_ = width;
    height_ = height;
    draw();
  }

 private:
  // "3 s ago" advances without an answer.
  void tick() {
    draw();
    clock_->at(loop_.now() + 1s, [this] { tick(); });
  }

  void ask_history() {
    std::vector<prometheus::HistoryQuery> queries;
    for (const auto& chart : interface_.charts()) queries.push_back({chart.query, chart.factor});
    if (!queries.empty()) feed_.ask_history(interface_.page(), std::move(queries), kChartSpan, kChartPoints);
  }

  void draw() {
    if (width_ <= 0 || height_ <= 0) return;
    term::Frame frame{ftxui::Screen{width_, height_}, std::nullopt, {}};
    interface_.render(frame.cells, wall_now());
    surface_.show(std::move(frame));
  }

  Loop& loop_;
  Surface& surface_;
  ui::FleetInterface interface_;
  std::unique_ptr<Loop::Timer> clock_;
  int width_ = 0;
  int height_ = 0;
  prometheus::FleetFeed feed_;  // last, so it stops before anything it notifies is gone
};

int print_fleet(const FleetOptions& options) {
  prometheus::Curl curl{options.access};
  const auto fleet = prometheus::read_fleet(curl);
  if (!fleet) return failed(fleet.error());
  return print(options.json ? fleet::fleet_json(*fleet, options.price) : fleet::fleet_text(*fleet, options.price));
}

}  // namespace

int run_fleet(const WatchOptions& watch, const FleetOptions& options) {
  if (const auto checked = prometheus::check(options.access); !checked) return usage_error(checked.error());
  if (options.json || !wants_screen(watch)) return print_fleet(options);
  const auto preferences = load_preferences(watch);
  Loop loop;
  auto surface = TerminalSurface::open(loop, preferences.settings.mouse);
  if (!surface) return failed(surface.error());
  const auto environment = process_environment();
  const auto traits = term::detect_traits(environment);
  FleetScreen screen{loop, **surface,
                     ui::FleetInterface{preferences.theme,
                                        {.depth = traits.depth,
                                         .glyphs = glyphs_of(traits.utf8, environment("TERM") == "linux"),
                                         .price = options.price,
                                         .url = options.access.url}},
                     watch, options};
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
  auto end = loop.make_timer();
  if (watch.duration) end->at(loop.now() + *watch.duration, [&] { loop.stop(); });
  (*surface)->start({.key = [&](const ftxui::Event& event) { screen.key(event); },
                     .paste = [](const std::string&) {},
                     .resized = [&](int width, int height) { screen.resize(width, height); },
                     .gone = [&] { loop.stop(); }});
  screen.start();
  loop.run();
  return 0;
}

}  // namespace gputop

#include "engine/settings_feed.hpp"

#include "gputop/patch/settings_written.hpp"

namespace gputop {

SettingsFeed::SettingsFeed(Loop& loop, Engine& engine) : loop_(loop), engine_(engine), reading_(loop) {}

void SettingsFeed::heard(const Event& event) {
  const auto* started = std::get_if<RunStarted>(&event.payload);
  if (!started) return;
  reading_.ask([run = *started] { return patch::settings_written(run); },
               [this](SettingsRead read) {
                 if (!read.settings.empty()) engine_.publish({loop_.now(), std::move(read)});
               });
}

}  // namespace gputop

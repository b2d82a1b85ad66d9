#include "engine/run_output.hpp"

#include <algorithm>

#include "engine/run_history.hpp"

namespace gputop {
namespace {

constexpr std::uint64_t kLastWords = 30;  // lines

}  // namespace

void RunOutput::open(int scrollback) {
  scrollback_ = static_cast<std::size_t>(scrollback);
  terminal_.emplace(term::Emulator::Options{.scrollback = scrollback_});
}

void RunOutput::heard(const Event& event) {
  const auto* output = std::get_if<OutputWritten>(&event.payload);
  if (!output || !terminal_ || output->stream != 0 || output->unread) return;
  terminal_->feed(output->bytes);
  if (awaits_past_) add_recent(recent_, output->bytes);
}

void RunOutput::set_scrollback(int lines) {
  scrollback_ = static_cast<std::size_t>(lines);
  if (terminal_) terminal_->set_scrollback(scrollback_);
}

void RunOutput::resize(int columns, int rows) {
  if (terminal_) terminal_->resize(columns, rows);
}

void RunOutput::remember(std::string_view past) {
  awaits_past_ = false;
  if (terminal_) {
    term::Emulator whole{{.columns = terminal_->columns(), .rows = terminal_->rows(), .scrollback = scrollback_}};
    whole.feed(past);
    whole.feed(recent_);
    *terminal_ = std::move(whole);
  }
  recent_ = {};
}

std::string RunOutput::last_words() const {
  if (!terminal_) return {};
  const auto end = terminal_->end_line();
  auto text = terminal_->text(end - std::min<std::uint64_t>(end - terminal_->first_line(), kLastWords), end);
  while (text.ends_with("\n\n")) text.pop_back();
  return text == "\n" ? "" : text;
}

}  // namespace gputop

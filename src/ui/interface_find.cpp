// Looking for text and for errors: first on the lines that are at hand, then in the run's recording.
#include "gputop/core/format.hpp"
#include "ui/interface_body.hpp"
#include "gputop/ui/output_lines.hpp"

namespace gputop::ui {
namespace {

using What = LookBack::What;

constexpr std::size_t kLongestFind = 256;

}  // namespace

void Interface::Body::type_find(const ftxui::Event& event) {
  auto& text = view_.output.find_text;
  if (event == ftxui::Event::Return) {
    view_.overlay = Overlay::kNone;
    if (text.empty()) text = find_before_;
    leave_past();
    view_.output.found.reset();
    // The newest match first: what was printed last is what people look for.
    find(-1);
  } else if (event == ftxui::Event::Escape || event == ftxui::Event::CtrlC) {
    text = find_before_;
    view_.overlay = Overlay::kNone;
  } else if (event == ftxui::Event::CtrlU) {
    text.clear();
    input_cursor_ = 0;
  } else if (!event.is_character() || text.size() < kLongestFind) {
    find_input_->OnEvent(event);
  }
}

void Interface::Body::jump_to(std::uint64_t line) {
  auto& view = view_.output;
  view.found = line;
  const auto top = view.top.value_or(live_top(shown_output(), view.page));
  if (line >= top && line < top + static_cast<std::uint64_t>(view.page)) {
    view.top = top;
  } else {
    const auto third = static_cast<std::uint64_t>(view.page / 3);
    view.top = line - std::min(line, third);  // settled when it is painted
  }
  count_matches();
}

// "3 of 11", of the lines at hand.
void Interface::Body::count_matches() {
  auto& view = view_.output;
  view.match = view.matches = 0;
  if (view.find_text.empty()) return;
  const auto& output = shown_output();
  for (auto number = output.first_line(); number < output.end_line(); ++number) {
    if (matches_in(output.line(number).text, view.find_text).empty()) continue;
    ++view.matches;
    if (view.found && number <= *view.found) ++view.match;
  }
}

void Interface::Body::find(int step) {
  if (view_.output.find_text.empty()) {
    view_.notice = "nothing to search for: / starts a search";
    return;
  }
  seek(What::kText, step);
}

void Interface::Body::next_error() {
  view_.output.find_text.clear();
  seek(What::kError, 1);
}

// Of the lines at hand: the next one from where the last jump led to, or from the end that is farthest away.
std::optional<std::uint64_t> Interface::Body::nearest(What what, int step, bool from_the_end) const {
  const auto& view = view_.output;
  const auto& output = shown_output();
  const LineRange range =
      past_ ? LineRange{past_->from_line, past_->to_line} : LineRange{output.first_line(), output.end_line()};
  const auto from = from_the_end ? std::nullopt : view.found;
  return what == What::kError ? find_error(output, range, from) : find_line(output, view.find_text, range, from, step);
}

void Interface::Body::seek(What what, int step) {
  // The first error of all may be older than what is at hand.
  const bool first_of_all = what == What::kError && !past_ && !view_.output.found && recorded_;
  if (!first_of_all) {
    if (const auto line = nearest(what, step, false)) return jump_to(*line);
  }
  look_further(what, step);
}

// Beyond what is at hand; behind its newest line that is the beginning.
void Interface::Body::look_further(What what, int step) {
  const bool page = what == What::kPage;
  if (past_)
    return look_back(what, step,
                     step < 0 ? (page ? past_->shown_begin : past_->begin) : (page ? past_->shown_end : past_->end));
  look_back(what, step, step < 0 ? std::nullopt : std::optional<std::uint64_t>{0});
}

void Interface::Body::look_back(What what, int step, std::optional<std::uint64_t> from) {
  if (!recorded_) return nothing_there(what, step, "");
  if (looking_ && what == What::kPage) return;  // a key that is held down
  LookBack ask{.what = what,
               .text = what == What::kText ? view_.output.find_text : "",
               .older = step < 0,
               .from = from,
               .frame = past_ && from != 0 ? std::optional{past_->frame} : std::nullopt,
               .request = ++last_request_};
  if (what != What::kPage) view_.notice = "searching the recording — Esc stops";
  looking_ = asked_ = std::move(ask);
}

void Interface::Body::looked_back(std::uint64_t request, int percent) {
  if (!looking_ || looking_->request != request || looking_->what == What::kPage) return;
  view_.notice = "searching the recording: " + std::to_string(percent) + " % — Esc stops";
  touch();
}

void Interface::Body::answer(PastAnswer answer) {
  if (!looking_ || looking_->request != answer.request) return;  // nobody waits for it any more
  const auto asked = *std::exchange(looking_, std::nullopt);
  touch();
  view_.notice.clear();
  const int step = asked.older ? -1 : 1;
  if (!answer.past || output_ == nullptr) return nothing_there(asked.what, step, answer.problem);
  past_ = std::move(answer.past);
  auto& view = view_.output;
  view.mark.reset();
  view.found = past_->found;
  const auto page = static_cast<std::uint64_t>(view.page);
  if (view.found) {
    view.top = *view.found - std::min(*view.found, page / 3);
  } else {
    view.top = asked.older ? past_->to_line - std::min(past_->to_line, page) : past_->from_line;
  }
}

// The recording has no more in that direction: round the end, to what the run's terminal holds.
void Interface::Body::nothing_there(What what, int step, const std::string& problem) {
  auto& view = view_.output;
  const std::string because = problem.empty() ? "" : " (" + printable(problem) + ")";
  if (what == What::kPage) {
    if (step > 0) {
      leave_past();
      view.top = output_->first_line();
    } else {
      view_.notice = "the output begins here" + because;
    }
    return;
  }
  auto past = std::exchange(past_, nullptr);
  const auto found = std::exchange(view.found, std::nullopt);
  if (const auto line = nearest(what, step, true)) {
    if (past) view.top.reset();
    return jump_to(*line);
  }
  past_ = std::move(past);
  view.found = found;
  if (past_) {
    view_.notice = "there is no other" + because;
  } else {
    view_.notice = (what == What::kError ? "no line of the output looks like an error"
                                         : "not in the output: " + printable(view.find_text)) +
                   because;
  }
}

void Interface::Body::stop_looking() {
  if (!looking_) return;
  looking_.reset();
  asked_ = LookBack{};
  view_.notice = "the search was stopped";
}

void Interface::Body::leave_past() {
  looking_.reset();
  if (!past_) return;
  past_.reset();
  auto& view = view_.output;
  view.top.reset();
  view.found.reset();
  view.mark.reset();
}

}  // namespace gputop::ui

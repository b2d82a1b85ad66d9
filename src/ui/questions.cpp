#include "ui/questions.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

std::string name_of(const Model& model) {
  return model.run ? printable(model.run->started.name) : "the run";
}

}  // namespace

Question signal_question(const SignalTarget& target) {
  const auto& signal = kSignals[target.signal];
  Question question{"Sure?",
                    {{"Send " + std::string{signal.name} + " to process " + std::to_string(target.pid) + "? (y/n)",
                      Role::kWarning},
                     {}}};
  auto lines = wrapped(target.command, 56);
  lines.resize(std::min<std::size_t>(3, lines.size()));
  for (auto& line : lines) question.lines.push_back({std::move(line)});
  return question;
}

Question interrupt_question(const Model& model) {
  return {"Sure?", {{"Interrupt the run, as Ctrl-C does? (y/n)", Role::kWarning}, {}, {name_of(model)}}};
}

Question deaf_question(const Model& model) {
  return {"The run does not end",
          {{name_of(model) + " is waiting to be restarted.", Role::kWarning},
           {},
           {"k    kill it (SIGKILL, nothing is saved); then it starts again"},
           {"s    only stop it: SIGTERM once more, it does not start again"},
           {"Esc  give it more time"}}};
}

Question end_question(const Model& model, bool stop_was_asked) {
  Question question{"Detach or stop?",
                    {{name_of(model) + " is running."},
                     {},
                     {"d    detach: it goes on; gputop attach brings it back"},
                     {stop_was_asked ? "s    stop it: SIGTERM once more" : "s    stop it: SIGTERM, it may clean up"},
                     {"Esc  stay"}}};
  if (stop_was_asked) question.lines.push_back({"k    it did not stop when asked: SIGKILL, nothing is saved"});
  return question;
}

Question offer_question(const Model& model, int width) {
  const auto& offer = model.changes.offer;
  if (!offer) return {"Another screen has answered it", {}};
  const bool waiting = offer->what.stage == ChangeReported::Stage::kWaiting;
  const bool over = model.run && model.run->end;
  Question question{waiting                    ? "Measuring the run as it is"
                    : model.changes.can_undo() ? "The change did not work out"
                                               : "The run has failed",
                    {}};
  for (auto& line : wrapped(printable(offer->what.text), std::max(10, width))) {
    question.lines.push_back({std::move(line), question.lines.empty() ? Role::kWarning : Role::kText});
  }
  question.lines.push_back({});
  if (const auto& countdown = offer->what.countdown) {
    const auto left = std::max(Duration{}, offer->at + *countdown - model.now);
    const auto by_itself = "by itself in " + format_number(to_seconds(left), 0) + " s";
    question.lines.push_back({(waiting ? "y: make the change at once   n: not at all   " : "y: yes   n: no   ") + by_itself});
  } else {
    question.lines.push_back({waiting ? "y: make the change at once   n: not at all"
                              : over  ? "y: yes   n: no, the run ends here"
                                      : "y: yes   n: no, the run stays as it is"});
  }
  return question;
}

Question change_question(const ChangeQuestion& asked, int width) {
  Question question{asked.title, {}};
  for (const auto& line : asked.lines) {
    const bool diff = !line.empty() && std::string_view{"+- @"}.find(line[0]) != std::string_view::npos;
    auto parts = diff ? cut(line, std::max(10, width)) : wrapped(line, std::max(10, width));
    if (parts.empty()) parts.emplace_back();
    const Role role = line.starts_with('+') ? Role::kGood : line.starts_with('-') ? Role::kBad : Role::kText;
    for (auto& part : parts) question.lines.push_back({std::move(part), role});
  }
  return question;
}

}  // namespace gputop::ui

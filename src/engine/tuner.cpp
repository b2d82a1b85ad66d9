#include "engine/tuner.hpp"

#include "engine/run_feed.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;
using Follow = run::RunChannel::Follow;

constexpr Duration kLook = 1s;

std::string answer_in_words(MakeChange::How how) {
  switch (how) {
    case MakeChange::How::kNow: return "yes";
    case MakeChange::How::kNextEpoch: return "yes, from the next epoch on";
    case MakeChange::How::kNextLaunch: return "yes, at the next launch";
  }
  return "yes";
}

// The user's answer, as recorded; "" if nobody answered.
std::string answer_in_words(const tuning::Input& input) {
  if (const auto* confirmed = std::get_if<tuning::Confirmed>(&input)) return answer_in_words(confirmed->how);
  if (std::holds_alternative<tuning::Refused>(input)) return "no";
  const auto* answered = std::get_if<tuning::Answered>(&input);
  if (answered == nullptr || !answered->by_user) return {};
  return answered->yes ? "yes" : "no";
}

}  // namespace

struct Tuner::Performer {
  Tuner& tuner;

  void operator()(const tuning::ReadProject& wanted) const {
    tuner.work_.read(wanted, tuner.state_.launch, tuner.model());
  }
  void operator()(const tuning::WriteFiles& wanted) const {
    tuner.work_.write(wanted, tuner.state_.launch, tuner.model());
  }
  void operator()(const tuning::TakeBack& wanted) const {
    tuner.work_.take_back(wanted, tuner.state_.launch, tuner.model());
  }
  void operator()(const tuning::TellLens& told) const {
    bool heard = true;
    for (const auto& command : told.commands) heard = heard && tuner.needs_.lens.send(command).processes > 0;
    tuner.happened(tuning::LensTold{told.making, heard});
  }
  void operator()(const tuning::Relaunch& wanted) const {
    const auto& launch = tuner.state_.launch;
    const bool over = tuner.model().run->end.has_value();
    const auto done = over ? tuner.relaunch_.order_held(launch.argv, launch.environment())
                           : tuner.relaunch_.order(launch.argv, launch.environment());
    tuner.happened(tuning::RelaunchOrdered{wanted.making, done});
  }
  void operator()(const tuning::CancelRelaunch&) const { tuner.relaunch_.cancel(); }
  void operator()(const tuning::ResumeRelaunch&) const { tuner.relaunch_.resume(); }
  void operator()(const tuning::RelaunchDone&) const { tuner.relaunch_.done(); }
  void operator()(const tuning::Hold& hold) const {
    tuner.needs_.channel.follow(hold.on ? Follow::kHold : Follow::kNothing);
  }
  void operator()(const tuning::NoteLaunch&) const {
    auto& channel = tuner.needs_.channel;
    channel.note_relaunch();
    tuner.needs_.record = channel.record();
    tuner.needs_.engine.publish(run_started_of(channel));
  }
  void operator()(const tuning::KeepFigures&) const { tuner.measure_.set_before(tuner.model()); }
  void operator()(const tuning::Report& report) const { publish(report.event); }
  void operator()(const tuning::Ask& ask) const {
    auto* screen = tuner.needs_.screen(ask.screen);
    if (screen == nullptr) return;
    if (!ask.question.only_show) {
      // Without the diff: the recording does not store the contents of the user's files.
      QuestionAsked asked{.title = ask.question.title};
      for (const auto& change : ask.question.plan.changes) asked.changes.push_back({change.knob, change.from, change.to});
      publish(std::move(asked));
    }
    screen->ask(ask.question);
  }
  void operator()(const tuning::Notify& notify) const {
    auto* screen = tuner.needs_.screen(notify.screen);
    if (screen == nullptr) return;
    notify.refused ? screen->not_made(notify.text) : screen->notify(notify.text);
  }
  void operator()(const tuning::AwaitAnswer& await) const {
    tuner.answer_timer_->at(tuner.needs_.loop.now() + await.patience, [&it = tuner, yes = await.by_default] {
      it.happened(tuning::Answered{yes, false});
    });
  }

  void publish(Payload payload) const {
    tuner.needs_.engine.publish({tuner.needs_.loop.now(), std::move(payload)});
  }
};

Tuner::Tuner(const Dependencies& needs, std::optional<AutoLimits> automatic)
    : needs_(needs),
      relaunch_(needs.loop, needs.channel, [this] { happened(tuning::RelaunchInVain{}); }),
      work_(needs.loop, needs.record.cwd, [this](const tuning::Input& input) { happened(input); }),
      answer_timer_(needs.loop.make_timer()) {
  state_.launch.argv = needs.channel.argv().value_or(needs.record.argv);
  if (automatic) state_.pilot.emplace(*std::move(automatic));
}

void Tuner::happened(const tuning::Input& input) {
  if (auto answer = answer_in_words(input); !answer.empty())
    Performer{*this}.publish(QuestionAnswered{std::move(answer)});
  const auto effects = tuning::step(state_, input,
                                    {.now = needs_.loop.now(),
                                     .model = model(),
                                     .measure = measure_,
                                     .headless = needs_.headless,
                                     .watched = needs_.watched && needs_.watched(),
                                     .can_relaunch = needs_.channel.argv().has_value(),
                                     .told_to_stop = told_to_stop()});
  for (const auto& effect : effects) std::visit(Performer{*this}, effect);
}

// However long it takes and however it ends, nothing restarts it. Ctrl-C is different: many runs save their work then
// and continue.
bool Tuner::told_to_stop() const {
  const auto asker = needs_.channel.status().end_asker;
  return asker == run::EndAsker::kStopCommand || asker == run::EndAsker::kScreen || asker == run::EndAsker::kDemo;
}

void Tuner::heard(const Event& event, const Model& model) {
  if (const auto* lens = std::get_if<LensReported>(&event.payload)) {
    const auto& message = lens->message;
    if (!std::holds_alternative<LensAck>(message) && !std::holds_alternative<LensApplied>(message)) return;
    needs_.loop.post([this, message] { happened(tuning::LensSaid{message}); });  // not from within the event
  }
  measure_.heard(event, model);
  const bool reading =
      std::holds_alternative<HostSampled>(event.payload) || std::holds_alternative<GpusSampled>(event.payload);
  if (!reading || state_.restoring) return;
  if (model.now - state_.looked < kLook || !model.run || model.run->end) return;
  state_.looked = model.now;
  needs_.loop.post([this] { happened(tuning::Looked{}); });
}

void Tuner::restore(ChangeMeasure measure) {
  measure_ = std::move(measure);
  const auto status = needs_.channel.status();
  const auto file_text = [](const std::string& path) -> std::optional<std::string> {
    auto text = read_text_file(path, knobs::kLargestDocument);
    return text ? std::optional{*std::move(text)} : std::nullopt;
  };
  happened(tuning::Restored{
      .past = tuning::read_state(model().changes.memory, file_text),
      .relaunch_ordered =
          !status.held && !status.ended_already() && status.end_asker == run::EndAsker::kRelaunch});
}

}  // namespace gputop

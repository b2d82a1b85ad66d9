#include "engine/run_effects.hpp"

#include <csignal>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

using Target = run::ControlMessage::Target;

struct RunPerformer {
  const RunEffects& world;

  void detach() const {
    const auto& record = world.record;
    world.leave({Farewell::Kind::kDetached, 0,
                 "gputop: detached; " + printable(record.name) + " goes on (gputop attach " + record.id + ")"});
  }
  void end(run::EndAsker asker, int signal, Target target, const char* done) const {
    const bool sent = world.channel.end(asker, signal, target);
    world.interface.notify(sent ? done : "the run's keeper does not answer: try again");
  }

  void operator()(const Quit&) const {
    if (world.demo) {
      world.tuner.happened(tuning::EndAsked{});
      world.channel.end(run::EndAsker::kDemo, SIGINT, Target::kProcess);
    } else {
      detach();
    }
  }
  void operator()(const Detach&) const { detach(); }
  void operator()(const TypeIntoRun& typed) const {
    if (!world.channel.type(typed.bytes)) world.interface.notify("the run does not accept input right now");
  }
  void operator()(const PlanChange& wanted) const { world.tuner.happened(tuning::Asked{wanted, world.screen}); }
  void operator()(const MakeChange& wanted) const {
    world.tuner.happened(tuning::Confirmed{wanted.how, world.screen});
  }
  void operator()(const RefuseChange&) const { world.tuner.happened(tuning::Refused{world.screen}); }
  void operator()(const AnswerOffer& answer) const { world.tuner.happened(tuning::Answered{answer.yes}); }
  void operator()(const InterruptRun&) const {
    world.tuner.happened(tuning::EndAsked{});
    end(run::EndAsker::kScreenInterrupt, SIGINT, Target::kForeground, "SIGINT sent to the run");
  }
  void operator()(const StopRun& stop) const {
    const bool kill = stop.signal == SIGKILL;
    if (!kill) world.tuner.happened(tuning::EndAsked{});  // otherwise it may be what a relaunch needs
    end(run::EndAsker::kScreen, stop.signal, kill ? Target::kTree : Target::kGroup,
        kill ? "SIGKILL sent to the run" : "the run was asked to end");
  }
  template <class Other>
  void operator()(const Other&) const {}  // not about the run
};

}  // namespace

bool changes_something(const Effect& effect) {
  return std::holds_alternative<TypeIntoRun>(effect) || std::holds_alternative<InterruptRun>(effect) ||
         std::holds_alternative<StopRun>(effect) || std::holds_alternative<SendSignal>(effect) ||
         std::holds_alternative<MakeChange>(effect) || std::holds_alternative<AnswerOffer>(effect);
}

void RunEffects::perform(const Effect& effect) const {
  std::visit(RunPerformer{*this}, effect);
}

}  // namespace gputop

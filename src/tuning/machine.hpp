// One step of the closed loop: the state, what it sees, and the effects it produces. Used by step.cpp and recovery.cpp.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gputop/tuning/step.hpp"

namespace gputop::tuning {

// A step is more or less work than before.
[[nodiscard]] bool changes_batch(const std::vector<Change>& changes);

struct Machine {
  using Stage = ChangeReported::Stage;
  using How = MakeChange::How;

  State& state;
  const Seen& seen;
  Effects effects{};

  void on(const Asked& asked);
  void on(const Confirmed& confirmed);
  void on(const Refused& refused);
  void on(const Answered& answered) { answer(answered.yes, answered.by_user); }
  void on(const EndAsked&);
  void on(const RunBegan&);
  void on(const RunRelaunched&);
  void on(const RunHeld&);
  void on(const RunOver& over);
  void on(const RelaunchInVain&);
  void on(const LensSaid& said);
  void on(const Looked&);
  void on(const Restored& restored);
  void on(const ProjectRead& read);
  void on(const Wrote& wrote);
  void on(const TookBack& took);
  void on(const LensTold& told);
  void on(const RelaunchOrdered& ordered);

 private:
  template <class P>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<P>(state.phase);
  }
  template <class P>
  [[nodiscard]] const P* get() const {
    return std::get_if<P>(&state.phase);
  }
  template <class P>
  [[nodiscard]] P* get() {
    return std::get_if<P>(&state.phase);
  }

  void report(Stage stage,
              const std::string& what,
              const ChangeEffect* effect = nullptr,
              Reading<Duration> countdown = {});
  void report(const std::vector<Change>& changes,
              Stage stage,
              const std::string& what,
              const ChangeEffect* effect = nullptr,
              Reading<Duration> countdown = {});
  void fail(const Making& making, const std::string& why);

  void read_project(Purpose purpose);
  void use(const ForQuestion& asked, const ProjectRead& read);
  void use(const ForPilot& pilot, const ProjectRead& read);
  void use(const ForOffer& agreed, const ProjectRead& read);
  void use(const ForSmallerBatch& wanted, const ProjectRead& read);
  [[nodiscard]] RelaunchCost cost(const ProjectRead& read) const;
  [[nodiscard]] Background background() const;
  void back_to(const Background& behind);
  void set_background(Background behind);

  void make(const Making& making);
  void write(const Making& making);
  void take_back(const Making& making);
  void bring_into_force(const Making& making);
  void hold();

  [[nodiscard]] Measuring* measured();
  void measure();
  void end_measuring();
  [[nodiscard]] std::string energy_in_words() const;

  [[nodiscard]] bool must_wait(const Plan& plan, How how) const;
  void wait_longer();
  void stop_waiting(bool make_it);
  void forget_waiting(const std::string& why);
  void report_waiting(Stage stage, const std::string& what, Reading<Duration> countdown = {});

  [[nodiscard]] const Offer* offer() const;
  void offer(Offer made, const std::string& text);
  void await_answer();
  [[nodiscard]] Duration patience() const;
  void answer(bool yes, bool by_user);
  [[nodiscard]] bool is_to_blame(const EndFacts& end) const;
  [[nodiscard]] std::optional<SafeBatch> next_batch(const EndFacts& end) const;
  void go_on_or_end();
  bool go_on_by_itself();
};

}  // namespace gputop::tuning

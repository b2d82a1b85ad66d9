#include "engine/run_memory.hpp"

#include "gputop/app/gather_facts.hpp"
#include "gputop/stream/input_file.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kNoGpu = 5s;  // after this time we assume there is none

std::optional<RunLedger> ledger_beside_recordings() {
  const auto folder = default_recordings_folder();
  if (!folder) return std::nullopt;
  return RunLedger{std::filesystem::path{*folder}.parent_path() / "earlier_runs.jsonl"};
}

JobKey key_of(const Model& model) {
  const auto& started = model.run->started;
  JobKey key{
      .directory = started.directory, .script = script_of(started.argv), .gpu = {}, .simulated = model.simulated};
  if (!model.gpus.empty()) key.gpu = model.gpus.front().now.name;
  return key;
}

}  // namespace

RunMemory::RunMemory(Loop& loop, Engine& engine) : loop_(loop), engine_(engine), ledger_(ledger_beside_recordings()) {}

void RunMemory::heard(const Event& event, const Model& model) {
  if (!ledger_ || !model.run) return;
  if (std::holds_alternative<RunStarted>(event.payload)) told_ = false;
  // Only runs on the same GPU are the same job, so the GPU must be known first.
  if (!told_ && (!model.gpus.empty() || model.run->age(model.now) > kNoGpu)) tell(model);
  if (std::holds_alternative<RunEnded>(event.payload)) remember(model);
}

void RunMemory::tell(const Model& model) {
  told_ = true;
  auto points = ledger_->points(key_of(model));
  if (points.empty()) return;
  loop_.post([this, points = std::move(points)] { engine_.publish({loop_.now(), EarlierRuns{points}}); });
}

void RunMemory::remember(const Model& model) {
  const auto facts = gather_facts(model);
  const auto point = run_point(facts);
  if (!point) return;
  auto key = key_of(model);
  if (facts.settings.parameters) key.parameters = facts.settings.parameters->value;
  if (const auto added = ledger_->add(key, *point); !added) {
    loop_.post([this, text = added.error().message] {
      engine_.publish({loop_.now(), Noted{Noted::Severity::kInfo, "the results of this run are not saved: " + text}});
    });
  }
}

}  // namespace gputop

#include "run/record.hpp"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "gputop/run/process.hpp"
#include "gputop/base/files.hpp"
#include "run/run_files.hpp"

namespace gputop::run {
namespace {

using Json = nlohmann::json;
constexpr const char* kSchema = "gputop.run/2";

Json to_object(const ProcessId& process) {
  return {{"pid", process.pid}, {"start_ticks", process.start_ticks}};
}

ProcessId to_process(const Json& object) {
  return {object.at("pid").get<pid_t>(), object.at("start_ticks").get<std::uint64_t>()};
}

// With all missing parent folders.
void make_private(const std::filesystem::path& directory) {
  if (::mkdir(directory.c_str(), 0700) == 0 || errno != ENOENT || !directory.has_relative_path()) return;
  make_private(directory.parent_path());
  ::mkdir(directory.c_str(), 0700);
}

}  // namespace

std::string to_json(const RunRecord& record) {
  const Json json{{"schema", kSchema},
                  {"id", record.id},
                  {"name", record.name},
                  {"cwd", record.cwd},
                  {"argv", record.argv},
                  {"engine_arguments", record.engine_arguments},
                  {"gputop_version", record.gputop_version},
                  {"started_ms", record.started.time_since_epoch().count()},
                  {"mode", record.mode == Mode::kPty ? "pty" : "pipes"},
                  {"holder", to_object(record.holder)},
                  {"spare", to_object(record.spare)},
                  {"keeper", to_object(record.keeper)},
                  {"engine", to_object(record.engine)},
                  {"job", to_object(record.job)},
                  {"ended_by", record.ended_by}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // argv need not be UTF-8
}

Result<RunRecord> parse_record(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema").get<std::string>() != kSchema) {
      return Error{Error::Kind::kMismatch, std::string{kRecordName} + ": made by another version of gputop (" +
                                               json.at("schema").get<std::string>() + ")"};
    }
    RunRecord record;
    record.id = json.at("id").get<std::string>();
    record.name = json.at("name").get<std::string>();
    record.cwd = json.at("cwd").get<std::string>();
    record.argv = json.at("argv").get<std::vector<std::string>>();
    record.engine_arguments = json.at("engine_arguments").get<std::vector<std::string>>();
    record.gputop_version = json.at("gputop_version").get<std::string>();
    record.started = WallTime{std::chrono::milliseconds{json.at("started_ms").get<std::int64_t>()}};
    record.mode = json.at("mode").get<std::string>() == "pty" ? Mode::kPty : Mode::kPipes;
    record.holder = to_process(json.at("holder"));
    record.spare = to_process(json.at("spare"));
    record.keeper = to_process(json.at("keeper"));
    record.engine = to_process(json.at("engine"));
    record.job = to_process(json.at("job"));
    record.ended_by = json.value("ended_by", "");
    return record;
  } catch (const Json::exception& failure) {
    return Error{Error::Kind::kCorrupt, std::string{kRecordName} + ": " + failure.what()};
  }
}

RunRecord current_record(const SharedRun& shared) {
  auto parsed = parse_record(shared.record.data());
  RunRecord record = parsed ? std::move(*parsed) : RunRecord{};
  const auto identify = [](const SharedProcess& process) { return ProcessId{process.pid, process.ticks}; };
  record.started = WallTime{std::chrono::milliseconds{shared.started_wall_ms}};
  record.holder = identify(shared.holder);
  record.spare = identify(shared.spare);
  record.keeper = identify(shared.keeper);
  record.engine = identify(shared.engine);
  record.job = {shared.job_pid, shared.job_start_ticks};
  record.ended_by = to_string(shared.end_asker.load());
  return record;
}

void store_record(RunRecord record, SharedRun& shared) {
  std::string text = to_json(record);
  while (text.size() >= shared.record.size() && !record.argv.empty()) {
    record.argv.resize(record.argv.size() / 2);
    if (!record.argv.empty()) record.argv.back() = "…";
    text = to_json(record);
  }
  text.resize(std::min(text.size(), shared.record.size() - 1));
  std::copy(text.begin(), text.end(), shared.record.begin());
  shared.record[text.size()] = '\0';
}

Status write_record(const RunRecord& record, const std::filesystem::path& directory) {
  make_private(directory);
  return replace_file((directory / kRecordName).string(), to_json(record), {.temporary = (directory / kDraftName).string()});
}

}  // namespace gputop::run

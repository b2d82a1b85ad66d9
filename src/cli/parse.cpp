// The only translation unit that uses CLI11.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/describe.hpp"
#include "cli/raw_options.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/estimator/request.hpp"

namespace gputop::cli {
namespace {

constexpr const char* kReportedOn =
    "a recording, a run that goes on, a job (its id, a folder or a pattern of recordings), or a log: of nvidia-smi (its table, CSV, dmon, -q, -q -x), gpustat, dcgmi dmon, "
    "dcgm-exporter or tegrastats";

class HelpText final : public CLI::Formatter {
 public:
  HelpText() { column_width(26); }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_parent() != nullptr) return CLI::Formatter::make_usage(app, "gputop " + name);
    return "Usage: gputop [OPTIONS]                      monitor this machine\n"
           "       gputop [OPTIONS] -- CMD [ARG…]        run CMD and monitor it\n"
           "       gputop COMMAND [OPTIONS]\n";
  }

 private:
  // "RECORDINGS(2x)" is CLI11's way to say that there must be two.
  std::string make_option_usage(const CLI::Option* option) const override {
    auto usage = CLI::Formatter::make_option_usage(option);
    if (const auto count = usage.find("(2x)"); count != std::string::npos) usage.replace(count, 4, "…");
    return usage;
  }

  // " NAME", and " ..." if it may be given again. CLI11 would add its own names of types, ranges and dependencies;
  // the descriptions say these in words.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    const auto name = option->get_type_name();
    const bool positional = option->get_positional() && option->get_lnames().empty();
    const bool again = option->get_expected_max() == CLI::detail::expected_max_vector_size;
    return (positional ? "" : " " + name.substr(0, name.find_first_of(": "))) + (again ? " ..." : "");
  }
};

void add_common(CLI::App& app, RawOptions& raw, Options& options) {
  app.add_option("--source", options.source, "auto, nvml, sim[:SCENARIO] or replay:FILE")->type_name("SOURCE");
  app.add_flag("--demo", options.demo, "simulated GPUs and the bundled example run: needs no GPU and no PyTorch");
  app.add_option("--interval", raw.interval, "time between readings, 100ms … 1m (default 1s)")->type_name("TIME");
  app.add_option("--duration", raw.duration, "stop after this time")->type_name("TIME");
  app.add_option("--record", options.record, "record all events to FILE")->type_name("FILE");
  app.add_flag("--csv", options.csv, "no screen: a CSV header, then one line per GPU and reading on stdout");
  app.add_flag("--headless", options.headless, "no screen: one line per GPU and reading on stdout");
  app.add_flag_callback(
      "--no-lens", [&options] { options.lens = false; },
      "do not load the lens into the run's Python (same as GPUTOP_LENS=0)");
  app.add_flag("--readonly", options.readonly, "change nothing: no signals, no settings");
  auto* automatic = app.add_flag("--auto", options.automatic.on,
                                 "make the advised changes, measure them, take back those that do not help");
  app.add_option("--max-changes", options.automatic.max_changes, "of --auto: 1 to 100 (default 3)")
      ->type_name("N")
      ->check(CLI::Range(1, 100))
      ->needs(automatic);
  app.add_option("--allow", options.automatic.allow,
                 "knobs that --auto may change, for example workers,batch_size (default: all)")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false)
      ->needs(automatic);
  app.add_option("--peak", raw.peak, "peak TFLOP/s of one GPU, for MFU (default: from the card and precision)")
      ->type_name("TFLOPS");
  app.add_option("--price", raw.price, "price of energy (0.30/kWh) or of a GPU (2.50/h), for the run's cost")
      ->type_name("PRICE");
  app.add_option("--gpu", raw.gpus, "only these GPUs, for example 0,2")->type_name("LIST");
  app.add_option("--theme", options.theme, "a theme's name, or a YAML file of your own")->type_name("NAME");
  app.add_option("--name", options.name, "name of the run (default: the script of CMD)")->type_name("NAME");
  app.add_option("--config", options.config, "settings file (default: the XDG one)")->type_name("FILE");
}

// `estimate` and `show`: every key of a request is a flag; invalid values are reported when the request is read.
void add_estimate(CLI::App& command, RawOptions& raw, Options& options) {
  command
      .add_option("--config", options.apply.configs,
                  "a training configuration to read, or a folder of them (may be given again); flags win")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_flag("--json", options.json, "as JSON (schema gputop.estimate/1); unknown is null");
  for (const auto& key : request_keys()) {
    command.add_option("--" + std::string{key.name}, raw.estimate[std::string{key.name}], std::string{key.help})
        ->type_name(std::string{key.type});
  }
  command.footer(
      "Sizes: GB is GiB (1024³ bytes), as nvidia-smi and PyTorch count. Each flag is also a key of the same name\n"
      "under \"estimate:\" in the file given by --config. Without --gpu and --gpu-memory: a GPU of this machine.\n");
}

// `estimate -- CMD` runs CMD with a pretended GPU.
void add_rehearsal(CLI::App& estimate, RehearsalOptions& options) {
  estimate.add_option("--steps", options.steps, "of -- CMD: optimizer steps to rehearse (default: 3)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1000U));
  estimate.add_option("--timeout", options.timeout_seconds, "of -- CMD: seconds a rehearsal may take (default: 120)")
      ->type_name("S")
      ->check(CLI::Range(1.0, 86400.0));
  estimate.add_flag("--what-if", options.what_if, "of -- CMD: also rehearse it with checkpointing, bf16 and SGD");
  estimate.add_flag("--profile", options.profile, "of -- CMD: run the steps for real on the GPU here, and measure them");
  estimate.add_flag("--no-rehearsal", options.off, "of -- CMD: do not run it, only read its files");
}

void add_calibrate(CLI::App& command, Options& options) {
  command.add_flag("--show", options.calibrate.show, "show earlier results without measuring");
  command.add_flag("--yes", options.calibrate.yes, "measure even if the GPU is in use");
  command.add_flag("--json", options.json, "as JSON (schema gputop.calibration/1); unknown is null");
  command
      .add_option("--timeout", options.calibrate.timeout_seconds, "timeout of one CUDA call in seconds (default: 20)")
      ->type_name("S")
      ->check(CLI::Range(0.5, 3600.0));
  command.footer("It takes seconds and uses libcudart and libcublas as found on this machine; with -- CMD those of CMD's PyTorch.\n");
}

CLI::App* add_apply(CLI::App& app, ApplyOptions& options) {
  auto* apply =
      app.add_subcommand("apply", "change a setting where it is set: a flag, a YAML, JSON, TOML or Python file");
  apply->add_option("RECORDING", options.recording,
                    "of the run, or a run by its id or name; or name a file with --config, or the command behind --");
  apply->add_option("--config", options.configs, "a configuration file, or a folder of them (may be given again)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  apply->add_option("--change", options.changes, "KNOB=VALUE, for example batch_size=48; none: list the settings found")
      ->type_name("KNOB=VALUE")
      ->allow_extra_args(false);
  apply->add_flag("--dry-run", options.dry_run, "show the difference, change nothing");
  apply->add_flag("--yes", options.yes, "do not ask");
  apply->add_flag("--scale", options.scale, "let the effective batch change, and the learning rate with it");
  apply->add_option("--at", options.at, "the place to change, of several")->type_name("PLACE")->allow_extra_args(false);
  apply->add_option("--world", options.world, "GPUs that train together, if neither the command nor its files say so")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  apply->add_flag("--all", options.everywhere, "every place with the same value");
  apply->add_flag("--shared", options.shared, "also values that are shared through a YAML anchor");
  apply->add_flag("--remember", options.remember, "write the choice of place to the project's .gputop.yaml");
  apply->add_flag("--follow-links", options.follow_links, "follow symbolic links");
  apply->add_flag("--foreign", options.foreign, "change files of other users");
  apply->add_flag("--outside", options.outside, "also change files outside the project (--yes alone does not)");
  return apply;
}

void add_report(CLI::App& command, RawOptions& raw, ReportOptions& options, const char* formats) {
  command.add_option("--format", raw.format, formats)->type_name("FORMAT");
  command.add_option("-o,--output", options.output, "write to FILE instead of stdout")->type_name("FILE");
  command.add_option("--columns", options.columns, "the columns given to --query-gpu=, for a log without a header")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
}

CLI::App* add_export(CLI::App& app, ExportOptions& options) {
  auto* command = app.add_subcommand("export", "this machine and your runs as metrics for Prometheus (stdout: once)");
  command->add_option("--textfile", options.textfile, "write .prom files for node_exporter's textfile collector to DIR")
      ->type_name("DIR");
  command->add_option("--listen", options.listen, "answer GET /metrics there, for example 127.0.0.1:9835")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--once", options.once, "a single reading; otherwise one every --interval (default 5s)");
  command->footer("Dashboards and alert rules for these metrics are in configs/grafana and configs/prometheus.\n");
  return command;
}

CLI::App* add_fleet(CLI::App& app, RawOptions& raw, FleetOptions& options) {
  auto* command = app.add_subcommand("fleet", "many machines, read from an existing Prometheus: troubles, nodes, GPUs, jobs, users");
  command->add_option("--prometheus", options.access.url, "its address, for example http://localhost:9090")
      ->type_name("URL")
      ->required();
  command->add_option("--price", raw.price, "price of a GPU hour, for example 2.50: what idle but held GPUs cost")
      ->type_name("PRICE");
  command->add_flag("--json", options.json, "as JSON (schema gputop.fleet/1); unknown is null");
  command->add_option("--user", options.access.user, "for basic authentication")->type_name("NAME");
  command->add_option("--password-file", options.access.password_file, "its password (default: $GPUTOP_PROMETHEUS_PASSWORD)")
      ->type_name("FILE");
  command->add_option("--token-file", options.access.token_file, "for bearer authentication (default: $GPUTOP_PROMETHEUS_TOKEN)")
      ->type_name("FILE");
  command->add_option("--ca-file", options.access.ca_file, "certificates to trust (default: the system's)")->type_name("FILE");
  command->add_option("--timeout", raw.timeout, "of a query, 100ms … 10m (default 10s)")->type_name("TIME");
  command->footer("Reads the metrics of gputop export, dcgm-exporter, nvidia_gpu_exporter and node_exporter. --interval is how often\n"
                  "(default 15s). Without a terminal: tables on stdout, once. Needs curl.\n");
  return command;
}

std::vector<std::string> words_of(const CLI::App& app, bool options) {
  std::vector<std::string> words;
  if (options) {
    for (const auto* option : app.get_options()) {
      for (const auto& name : option->get_lnames()) words.push_back("--" + name);
    }
    if (const auto* parent = app.get_parent()) {
      for (auto& word : words_of(*parent, true)) words.push_back(std::move(word));
    }
  } else {
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (!command->get_group().empty()) words.push_back(command->get_name());
    }
  }
  return words;
}

// "unknown command 'snapsot' (did you mean 'snapshot'?)"
std::string unknown_word(const CLI::App& app, const std::string& word) {
  const bool option = word.starts_with("-");
  const bool takes_command = !option && app.get_parent() == nullptr;
  std::string text = option ? "unknown option '" : takes_command ? "unknown command '" : "unexpected argument '";
  text += word + "'";
  const auto words = words_of(app, option);
  const std::vector<std::string_view> known{words.begin(), words.end()};
  if (const auto closest = closest_word(word.substr(0, word.find('=')), known)) {
    text += " (did you mean '" + std::string{*closest} + "'?)";
  }
  return text;
}

const CLI::App& chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string with_hint(const CLI::App& command, const std::string& message) {
  const std::string name = command.get_parent() == nullptr ? "gputop" : "gputop " + command.get_name();
  return message + "\ntry '" + name + " --help'";
}

}  // namespace

Result<std::variant<Options, Answer>> parse(int argc, char** argv) {
  auto parsed = parse_words({argv + 1, argv + argc});
  // Not in parse_words: an engine gets these words without the job.
  if (const auto* options = parsed ? std::get_if<Options>(&*parsed) : nullptr;
      options != nullptr && options->automatic.on && options->command != Command::kRun && !options->demo) {
    return usage("--auto is for runs (try: gputop --auto -- python train.py)");
  }
  return parsed;
}

namespace {

// gputop apply -- CMD --change batch_size=48: such options at the end of the command are gputop's own and are moved in
// front of it. Everything before them, including a --config, belongs to the command.
std::vector<std::string> own_options_in_front(const std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const bool applies = std::find(words.begin(), dashes, "apply") != dashes;
  if (dashes == words.end() || !applies) return words;
  const auto is_change = [&](std::vector<std::string>::const_iterator word) {
    if (word->starts_with("--change=")) return true;
    return *word == "--change" && word + 1 != words.end() && (word + 1)->find('=') != std::string::npos;
  };
  for (auto begin = dashes + 1; begin != words.end(); ++begin) {
    if (!is_change(begin)) continue;
    for (auto word = begin; word != words.end(); ++word) {
      constexpr std::array<std::string_view, 9> kSwitches{"--dry-run", "--yes",     "--scale",   "--all",    "--shared",
                                                          "--remember", "--follow-links", "--foreign", "--outside"};
      const bool with_value = *word == "--change" || *word == "--at" || *word == "--world";
      const bool own = with_value || word->starts_with("--change=") || word->starts_with("--at=") ||
                       word->starts_with("--world=") ||
                       std::find(kSwitches.begin(), kSwitches.end(), *word) != kSwitches.end();
      if (!own) return words;
      if (with_value && ++word == words.end()) return words;
    }
    std::vector<std::string> moved{words.begin(), dashes};
    moved.insert(moved.end(), begin, words.end());
    moved.insert(moved.end(), dashes, begin);
    return moved;
  }
  return words;
}

}  // namespace

Result<std::variant<Options, Answer>> parse_words(const std::vector<std::string>& given_words) {
  const auto all_words = own_options_in_front(given_words);
  // Everything after "--" belongs to the job; CLI11 must not see it. The example also has its own options.
  const auto dashes = std::find(all_words.begin(), all_words.end(), "--");
  std::vector<std::string> words{all_words.begin(), dashes};
  std::reverse(words.begin(), words.end());  // the order that CLI11 expects
  Options options;
  if (dashes != all_words.end()) options.job.assign(dashes + 1, all_words.end());
  RawOptions raw;
  CLI::App app{
      "gputop: monitor the GPUs of this machine and the training run that uses them, and find out what slows it down.",
      "gputop"};
  app.set_version_flag("--version", "gputop " GPUTOP_VERSION);
  app.set_help_flag("-h,--help", "this text; each command has its own");
  app.formatter(std::make_shared<HelpText>());
  app.require_subcommand(0, 1);
  add_common(app, raw, options);

  auto* snapshot = app.add_subcommand("snapshot", "one reading, for scripts");
  auto* json = snapshot->add_flag("--json", raw.json, "as JSON (schema gputop.snapshot/1); unknown is null");
  snapshot->add_flag("--csv", raw.csv, "as CSV: a header and one line per GPU; unknown is empty")->excludes(json);

  auto* attach = app.add_subcommand("attach", "return to a run in the background");
  attach->add_option("RUN|JOB", options.run,
                     "its id or name (default: the only one); or a job on many nodes: a Slurm job id, a torchrun id, a folder or a "
                     "pattern of recordings");
  auto* via = attach->add_option("--via", options.via, "how to reach the nodes of a job, for example 'ssh {host}' or 'kubectl exec {pod} --'")
                  ->type_name("COMMAND");
  attach->add_option("--on", options.on, "the nodes, pods or containers that --via leads to")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false)
      ->needs(via);
  auto* stream_events = app.add_subcommand("stream", "the events of a job's runs on this node, as lines on stdout: what attach runs elsewhere");
  stream_events->add_option("JOB", options.recording, "a Slurm job id, a torchrun id, a folder or a pattern of recordings")->required();
  auto* list = app.add_subcommand("ls", "list runs: id, name, state, age, directory, command");
  list->add_flag("--all", options.all, "also finished runs, from their recordings: the last 50");
  list->add_flag("--json", options.json, "as JSON (schema gputop.runs/1)");
  auto* stop = app.add_subcommand("stop", "end a run: SIGTERM, and wait for it");
  stop->add_option("RUN", options.run, "its id or name (default: the only one)");
  stop->add_option("--duration", raw.duration, "how long to wait for its end (default 10s)")->type_name("TIME");
  stop->add_flag("--kill", options.kill, "SIGKILL: for a run that ignores SIGTERM");

  auto* replay = app.add_subcommand("replay", "show a recording, or all of a job's, as it happened");
  replay->add_option("RECORDING|RUN|JOB", options.recording,
                     "a file written by --record, a run by its id or name, or a job: its id, a folder or a pattern of recordings")
      ->required();
  replay->add_option("--speed", raw.speed, "1, 10, 0.5 or max (default: 1 on a screen, max without)")->type_name("SPEED");

  auto* advise = app.add_subcommand(
      "advise", "what slows a run down and what to change, from its recording, a live run, or a GPU log");
  advise->add_option("RECORDING|RUN|LOG", options.recording, kReportedOn)->required();
  advise->add_flag("--json", options.json, "as JSON (schema gputop.advice/1); unknown is null");
  advise->add_option("--columns", options.columns, "the columns given to --query-gpu=, for a log without a header")
      ->delimiter(',')
      ->type_name("LIST");

  auto* estimate = app.add_subcommand("estimate", "memory of a training configuration, the largest batch that fits");
  estimate->add_option("RECORDING", options.recording, "a recorded or live run whose memory is known, instead of a configuration");
  estimate->add_option("--html", options.page, "also write the answer as a page, with a chart of memory over time")->type_name("FILE");
  add_estimate(*estimate, raw, options);
  estimate->add_flag("--apply", options.apply.best,
                     "write the batch that was found to the file of --config (asks first)");
  estimate->add_flag("--dry-run", options.apply.dry_run, "with --apply: show the difference, change nothing");
  estimate->add_flag("--yes", options.apply.yes, "with --apply: do not ask");
  estimate->add_flag("--outside", options.apply.outside, "with --apply: also change files outside the project");
  add_rehearsal(*estimate, options.rehearsal);
  auto* show =
      app.add_subcommand("show", "a training configuration: its settings, where each is set, memory per stage");
  add_estimate(*show, raw, options);

  auto* apply = add_apply(app, options.apply);
  auto* undo = app.add_subcommand("undo", "list or revert what apply wrote");
  undo->add_option("N", options.apply.number, "which change, the newest is 1 (default)")->check(CLI::PositiveNumber);
  undo->add_flag("--list", options.apply.list_only, "list the changes, revert nothing");
  undo->add_flag("--dry-run", options.apply.dry_run, "show the change, revert nothing");
  undo->add_flag("--yes", options.apply.yes, "do not ask");
  undo->add_flag("--follow-links", options.apply.follow_links, "follow symbolic links");
  undo->add_flag("--foreign", options.apply.foreign, "change files of other users");
  auto* report =
      app.add_subcommand("report", "findings with plots: what was measured, what slows it down, what to change");
  report
      ->add_option("RECORDING|RUN|LOG", options.report.inputs,
                   std::string{kReportedOn} + "; or a snapshot of torch.cuda.memory (default: the newest recording)")
      ->expected(1);
  report->add_flag("--brief", options.report.brief, "Markdown of at most 40 lines, for a pull request");
  add_report(*report, raw, options.report, "md (default), html, json, or csv: every reading at full resolution");
  auto* compare = app.add_subcommand(
      "compare", "two or more recordings, the same phase of each: what differs, and how sure that is");
  compare->add_option("RECORDINGS", options.report.inputs, "as for report; all are compared with the first")
      ->required()
      ->expected(2, 26);
  add_report(*compare, raw, options.report, "md (default), html or json");

  auto* exported = add_export(app, options.exported);
  auto* fleet = add_fleet(app, raw, options.fleet);

  auto* doctor = app.add_subcommand("doctor", "what on this machine slows training down, and how to fix it");
  doctor->add_flag("--json", options.json, "as JSON (schema gputop.doctor/1); unknown is null");
  doctor->add_option("--only", options.only, "only these checks, by id (see --json)")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
  doctor->add_option("--data", options.data, "the folder the run reads its data from")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
  doctor->footer("With -- CMD it also reads the run's settings and asks its PyTorch. The exit code is 1 when something is bad.\n");

  auto* calibrate = app.add_subcommand(
      "calibrate", "measure what this GPU can do: copies, latencies, matrix products, memory of a CUDA context");
  add_calibrate(*calibrate, options);

  auto* example = app.add_subcommand("example", "the bundled training run: simulated, needs no GPU and no PyTorch");
  example->prefix_command();
  example->set_help_flag();
  example->allow_extras();

  for (auto* command : {snapshot, replay, attach, stream_events, list, stop, estimate, show, apply, undo, advise, report, compare, exported, fleet, doctor, calibrate})
    command->fallthrough();

  if (words == std::vector<std::string>{"--dump-cli"}) return std::variant<Options, Answer>{Answer{describe(app)}};
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return std::variant<Options, Answer>{Answer{chosen(app).help()}};
  } catch (const CLI::CallForVersion&) {
    return std::variant<Options, Answer>{Answer{"gputop " GPUTOP_VERSION "\n"}};
  } catch (const CLI::ExtrasError&) {
    const auto& command = chosen(app);
    const auto rest = app.remaining(true);
    return usage(with_hint(command, unknown_word(command, rest.empty() ? "?" : rest.front())));
  } catch (const CLI::ParseError& error) {
    return usage(with_hint(chosen(app), error.what()));
  }

  if (attach->parsed()) options.command = Command::kAttach;
  if (list->parsed()) options.command = Command::kList;
  if (stream_events->parsed()) options.command = Command::kStream;
  if (stop->parsed()) options.command = Command::kStop;
  if (snapshot->parsed()) options.command = Command::kSnapshot;
  if (replay->parsed()) options.command = Command::kReplay;
  if (advise->parsed()) options.command = Command::kAdvise;
  if (estimate->parsed() || show->parsed()) {
    options.command = estimate->parsed() ? Command::kEstimate : Command::kShow;
    const auto* command = estimate->parsed() ? estimate : show;
    for (const auto& [key, value] : raw.estimate) {
      if (command->count("--" + key) > 0) options.estimate.emplace_back(key, value);
    }
  }
  if (report->parsed()) options.command = Command::kReport;
  if (compare->parsed()) options.command = Command::kCompare;
  if (example->parsed()) {
    options.command = Command::kExample;
    options.example_arguments = example->remaining();
  }
  if (exported->parsed()) options.command = Command::kExport;
  if (fleet->parsed()) options.command = Command::kFleet;
  if (doctor->parsed()) options.command = Command::kDoctor;
  if (calibrate->parsed()) options.command = Command::kCalibrate;
  if (undo->parsed()) options.command = Command::kUndo;
  if (apply->parsed()) options.command = Command::kApply;
  if (apply->parsed() || estimate->parsed() || show->parsed() || doctor->parsed() || calibrate->parsed()) {
    if (dashes != all_words.end() && options.job.empty())
      return usage(with_hint(chosen(app), "-- needs a command to examine (try: -- python train.py)"));
  } else if (dashes != all_words.end()) {
    if (!app.get_subcommands().empty()) return usage("a command and \"-- CMD\" exclude each other");
    if (options.job.empty()) return usage(with_hint(app, "-- needs a command to run (try: gputop -- python train.py)"));
    options.command = Command::kRun;
    if (!raw.duration.empty()) return usage("--duration is not for runs: gputop never ends a job you started");
    if (options.csv)
      return usage(
          "--csv is for monitoring: stdout is the run's own (gputop report RECORDING --format csv has its readings)");
    if (options.demo) return usage("--demo has its own run; leave out \"-- CMD\"");
  }
  if (options.automatic.on && options.readonly)
    return usage("--auto changes settings and --readonly forbids that: use only one of them");
  if (options.csv && options.demo)
    return usage("--csv is for monitoring, and --demo has its own run (try --csv --source sim)");
  if (auto converted = convert(raw, options); !converted) {
    return usage(with_hint(chosen(app), converted.error().message));
  }
  return std::variant<Options, Answer>{std::move(options)};
}

}  // namespace gputop::cli

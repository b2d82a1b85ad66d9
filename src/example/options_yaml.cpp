// The example's YAML configuration. The only file of the example that knows yaml-cpp.
#include <yaml-cpp/yaml.h>

#include <array>
#include <charconv>
#include <utility>

#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/example/example_options.hpp"

namespace gputop {
namespace {

using Setter = Status (*)(ExampleOptions&, const YAML::Node&);

Error not_a(std::string_view what, const YAML::Node& node) {
  const auto found = node.IsScalar() ? "\"" + printable(node.Scalar()) + "\"" : "a list or a mapping";
  return {Error::Kind::kInvalid, found + " is not " + std::string{what}};
}

template <class Number>
Status number(Number& target, const YAML::Node& node, std::string_view what) {
  if (!node.IsScalar()) return not_a(what, node);
  const auto& text = node.Scalar();
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return not_a(what, node);
  target = value;
  return success();
}

Status whole(unsigned& target, const YAML::Node& node) {
  return number(target, node, "a whole number");
}
Status real(double& target, const YAML::Node& node) {
  return number(target, node, "a number");
}

Status flag(bool& target, const YAML::Node& node) {
  if (!YAML::convert<bool>::decode(node, target)) return not_a("true or false", node);
  return success();
}

Status precision(ExampleOptions& options, const YAML::Node& node) {
  if (!node.IsScalar()) return not_a("a precision", node);
  const auto parsed = parse_sim_precision(node.Scalar());
  if (!parsed) return parsed.error();
  options.run.precision = *parsed;
  return success();
}

Status card(ExampleOptions& options, const YAML::Node& node) {
  if (!node.IsScalar()) return not_a("the name of a card", node);
  const auto found = find_sim_card(node.Scalar());
  if (!found) return found.error();
  options.card = found->name;
  return success();
}

Status optimizer(ExampleOptions& options, const YAML::Node& node) {
  if (!node.IsScalar()) return not_a("an optimizer", node);
  const auto& name = node.Scalar();
  if (name != "adamw" && name != "adam" && name != "sgd") return not_a("an optimizer (adamw, adam, sgd)", node);
  options.optimizer = name;
  options.run.workload.optimizer_bytes_per_parameter = name == "sgd" ? 0 : 8;
  return success();
}

constexpr std::array<std::pair<std::string_view, Setter>, 17> kKeys{{
    {"batch_size", [](auto& o, const auto& n) { return whole(o.run.batch_size, n); }},
    {"gradient_accumulation_steps", [](auto& o, const auto& n) { return whole(o.run.accumulation, n); }},
    {"optimizer", optimizer},
    {"learning_rate", [](auto& o, const auto& n) { return real(o.learning_rate, n); }},
    {"num_workers", [](auto& o, const auto& n) { return whole(o.run.workers, n); }},
    {"prefetch_factor", [](auto& o, const auto& n) { return whole(o.run.prefetch, n); }},
    {"pin_memory", [](auto& o, const auto& n) { return flag(o.run.pin_memory, n); }},
    {"persistent_workers", [](auto& o, const auto& n) { return flag(o.run.persistent_workers, n); }},
    {"precision", precision},
    {"gradient_checkpointing", [](auto& o, const auto& n) { return flag(o.run.checkpointing, n); }},
    {"epochs", [](auto& o, const auto& n) { return whole(o.epochs, n); }},
    {"steps_per_epoch", [](auto& o, const auto& n) { return whole(o.steps_per_epoch, n); }},
    {"card", card},
    {"cpu_cores", [](auto& o, const auto& n) { return whole(o.run.machine.cores, n); }},
    {"cpu_seconds_per_sample", [](auto& o, const auto& n) { return real(o.run.workload.cpu_per_sample, n); }},
    {"speed", [](auto& o, const auto& n) { return real(o.speed, n); }},
    {"seed", [](auto& o, const auto& n) { return number(o.seed, n, "a whole number"); }},
}};

Status set(ExampleOptions& options, const std::string& key, const YAML::Node& value) {
  std::array<std::string_view, kKeys.size()> names;
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    names[i] = kKeys[i].first;
    if (key != names[i]) continue;
    if (value.IsNull()) return Error{Error::Kind::kInvalid, "has no value"};
    if (const auto done = kKeys[i].second(options, value); !done) return done;
    return check(options);
  }
  const auto meant = closest_word(key, names);
  return Error{Error::Kind::kInvalid,
               "unknown key" + (meant ? " (did you mean " + std::string{*meant} + "?)" : std::string{})};
}

}  // namespace

Result<ExampleOptions> example_from_yaml(std::string_view text, std::string_view file, ExampleOptions base) {
  const auto at = [&](const YAML::Mark& mark) {
    return std::string{file} + ":" + std::to_string(mark.line + 1) + ": ";
  };
  try {
    const auto root = YAML::Load(std::string{text});
    if (root.IsNull()) return base;
    if (!root.IsMap()) return Error{Error::Kind::kInvalid, at(root.Mark()) + "not a list of \"key: value\""};
    for (const auto& entry : root) {
      const auto key = entry.first.IsScalar() ? entry.first.Scalar() : std::string{"?"};
      if (const auto done = set(base, key, entry.second); !done) {
        // check() names the setting itself.
        const auto& message = done.error().message;
        const auto prefix = message.starts_with(key + ":") ? "" : printable(key) + ": ";
        return Error{done.error().kind, at(entry.first.Mark()) + prefix + message};
      }
    }
    return base;
  } catch (const YAML::Exception& error) {
    return Error{Error::Kind::kInvalid, at(error.mark) + "not YAML: " + error.msg};
  }
}

}  // namespace gputop

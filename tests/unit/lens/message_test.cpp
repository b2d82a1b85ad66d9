#include <catch2/catch_test_macros.hpp>

#include "gputop/lens/message.hpp"

using namespace gputop;

namespace {

template <class T>
T said(std::string_view json) {
  const auto message = parse_lens_message(json);
  REQUIRE(message);
  REQUIRE(std::holds_alternative<T>(*message));
  return std::get<T>(*message);
}

}  // namespace

TEST_CASE("lens messages: a tick is read with its loaders, and what is null is unknown", "[lens]") {
  const auto tick = said<LensTick>(
      R"({"kind":"tick","steps":412,"backwards_per_step":null,"lr":[0.001,null],"loaders":[{"id":1,"batches":411,"wait":1.5,)"
      R"("user":0.5,"batch":64,"shapes":[{"size":[64,32],"type":"float32"}],"fetch_cpu":null}],"cuda":null,"dropped":2})");
  CHECK(tick.steps == 412);
  CHECK_FALSE(tick.backwards_per_step);
  REQUIRE(tick.learning_rates.size() == 2);
  CHECK(tick.learning_rates[0] == 0.001);
  CHECK_FALSE(tick.learning_rates[1]);
  REQUIRE(tick.loaders.size() == 1);
  CHECK(tick.loaders[0].wait == 1.5);
  CHECK(tick.loaders[0].batch == 64U);
  CHECK(tick.loaders[0].shapes.at(0).size == std::vector<std::uint64_t>{64, 32});
  CHECK_FALSE(tick.loaders[0].fetch_cpu);
  CHECK(tick.cuda.empty());
  CHECK(tick.dropped == 2);
}

TEST_CASE("lens messages: fields of the wrong type or size are unknown, the rest is kept", "[lens]") {
  const auto loader = said<LensLoader>(
      R"({"kind":"loader","id":-3,"site":17,"len":"many","batch_size":-1,"num_workers":99999999999,"pin_memory":1,"sampler":"S"})");
  CHECK(loader.id == 0);
  CHECK(loader.site.empty());
  CHECK_FALSE(loader.length);
  CHECK_FALSE(loader.batch_size);
  CHECK(loader.workers == 0);
  CHECK_FALSE(loader.pin_memory);
  CHECK(loader.sampler == "S");
}

TEST_CASE("lens messages: what is no message is nothing", "[lens]") {
  for (const auto* text :
       {"", "{", "[]", "12", "{}", R"({"kind":7})", R"({"kind":"from_the_future","x":1})", "\xff\xfe"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_lens_message(text));
  }
}

TEST_CASE("lens messages: a list without end and a text without end are cut", "[lens]") {
  std::string many = R"({"kind":"tick","lr":[0)";
  for (int i = 0; i < 10'000; ++i) many += ",0";
  CHECK(said<LensTick>(many + "]}").learning_rates.size() == 4096);
  CHECK(said<LensFault>(R"({"kind":"fault","text":")" + std::string(100'000, 'x') + "\"}").text.size() == 4096);
}

TEST_CASE("lens messages: every kind comes back as it was written", "[lens]") {
  const std::vector<LensMessage> all = {
      LensHello{1, 77, 1, "3.11.2", "1.13.1", "", "fork", 0U, 1U, 2U, 8U},
      LensLoader{.id = 2,
                 .site = "train.py:7",
                 .dataset = "D",
                 .length = 640,
                 .workers = 4,
                 .pin_memory = true,
                 .prefetch = 2U,
                 .applied = {{"num_workers", "0", "4"}},
                 .refused = {{"batch_size", "custom"}}},
      LensOptimizer{.id = 1,
                    .type = "torch.optim.adamw.AdamW",
                    .parameters = 10,
                    .bytes = Bytes{40},
                    .learning_rates = {0.1, std::nullopt}},
      LensModel{{LensModule{.type = "Net",
                            .wrappers = {"DistributedDataParallel"},
                            .kinds = {{"Linear", 2}},
                            .channels_last = false}},
                Bytes{80},
                1.5},
      LensEnvironment{
          .tf32_matmul = true, .autocast = {{"cuda", "bfloat16", true}}, .device = 0U, .device_uuid = "GPU-1"},
      LensMemory{.step = 3, .activations = Bytes{4096}, .batch = 16, .top = {{"AddmmBackward0", 4096}}, .cost_ms = 0.5},
      LensTick{.steps = 9,
               .loaders = {{.id = 1, .batches = 8, .wait = 0.25, .fetch_cpu = 0.5, .median = 0.02, .slowest = 0.03}},
               .cuda = {{.device = 0, .reserved = Bytes{7}}},
               .sync = {{.steps = 9, .waited = 1.5, .collecting = 0.25, .starved = 0.5, .first = 8, .own = {40.5, 41}, .input = {3, 2.25},
                         .exchange = {10, 0.5}, .cpu = {39, 40}, .items = {4096, 8192}}}},
      LensFramework{.name = "transformers.Trainer", .settings = {{"bf16", "true"}}},
      LensApplied{.what = "accum", .text = "every 4 steps"},
      LensAck{5, "tf32", true, 12, "on"},
      LensOom{7, "backward", {{{1, 2}, "float32"}}, "CUDA out of memory"},
      LensFault{3, "ZeroDivisionError"},
      LensBye{100, "KeyError"},
      LensFlops{.step = 6, .how = "counted", .flops = 1.5e12, .recomputed = 2e11, .operations = 840, .passes = 2, .batch = 8, .seconds = 0.2, .before = 0.15, .optimizer = 0.01, .cost_ms = 50.0,
                .copied = 38535168, .pageable = 38535168, .waited = 0},
      LensPhase{"exchange", 12, 4.5, "train.py:7"},
  };
  REQUIRE(all.size() == std::variant_size_v<LensMessage>);
  for (const auto& message : all) {
    CAPTURE(kind_of(message), fields_of(message));
    CHECK(read_lens_message(kind_of(message), fields_of(message)) == message);
  }
}

TEST_CASE("lens messages: a tick in gputop's own order is read as in any other", "[lens]") {
  LensTick tick;
  tick.steps = 412;
  tick.backwards_per_step = 1.5;
  tick.learning_rates = {0.001, std::nullopt, 1e-30};
  tick.loaders.resize(2);
  tick.loaders[1] = {.id = 7,
                     .batches = 3,
                     .wait = 0.1,
                     .user = 12345.678,
                     .batch = 64,
                     .shapes = {{{64, 3, 224}, "float32"}, {{}, "int64"}},
                     .fetch_cpu = 0.5};
  tick.cuda.push_back({.device = 1, .allocated = Bytes{5}, .ooms = 2});
  const auto fields = fields_of(LensMessage{tick});
  const auto ordered = "{\"of\":42," + fields.substr(1);
  const auto otherwise = fields.substr(0, fields.size() - 1) + ",\"of\":42}";
  CHECK(read_lens_message("tick", ordered) == LensMessage{tick});
  CHECK(read_lens_message("tick", otherwise) == LensMessage{tick});
  // What the short way cannot read goes the long one.
  for (const auto& [from, to] : {std::pair{"\"float32\"", "\"fl\\u006fat32\""},
                                 {"\"steps\":412", "\"steps\": 412"},
                                 {"\"dropped\":0", "\"dropped\":0,\"new\":[1]"}}) {
    CAPTURE(from);
    auto odd = ordered;
    odd.replace(odd.find(from), std::string_view{from}.size(), to);
    CHECK(read_lens_message("tick", odd) == LensMessage{tick});
  }
  CHECK_FALSE(read_lens_message("tick", ordered.substr(0, ordered.size() - 1)));
  CHECK_FALSE(read_lens_message("tick", ordered + "}"));
}

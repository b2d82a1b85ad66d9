#include "gputop/knobs/document.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::knobs {
namespace {

using Whole = std::int64_t;

// The text after the value at `key` was changed, or why it was not.
std::string changed(Format format,
                    std::string_view text,
                    std::string_view key,
                    const Value& value,
                    bool shared = false) {
  const auto document = read_document(format, text);
  if (!document) return "unreadable: " + document.error().message;
  for (std::size_t i = 0; i < document->entries.size(); ++i) {
    if (joined(document->entries[i].path) != key) continue;
    auto edited = change_value(text, *document, i, value, shared);
    return edited ? *edited : "refused: " + edited.error().message;
  }
  std::string keys = "no such key; there are:";
  for (const auto& entry : document->entries) keys += " " + joined(entry.path);
  return keys;
}
std::string yaml(std::string_view text, std::string_view key, const Value& value = Whole{48}, bool shared = false) {
  return changed(Format::kYaml, text, key, value, shared);
}
std::string json(std::string_view text, std::string_view key, const Value& value = Whole{48}) {
  return changed(Format::kJson, text, key, value);
}
std::string toml(std::string_view text, std::string_view key, const Value& value = Whole{48}) {
  return changed(Format::kToml, text, key, value);
}
std::string python(std::string_view text, std::string_view key, const Value& value = Whole{48}) {
  return changed(Format::kPython, text, key, value);
}
bool refused(const std::string& result, std::string_view why) {
  return result.starts_with("refused: ") && result.find(why) != std::string::npos;
}
bool unreadable(const std::string& result, std::string_view why) {
  return result.starts_with("unreadable: ") && result.find(why) != std::string::npos;
}

TEST_CASE("format_of: by the end of the name", "[knobs]") {
  CHECK(format_of("a/b.yml") == Format::kYaml);
  CHECK(format_of("ds_config.json") == Format::kJson);
  CHECK(format_of("pyproject.toml") == Format::kToml);
  CHECK(format_of("config.py") == Format::kPython);
  CHECK(format_of("scripts/train.sh") == Format::kShell);
  CHECK_FALSE(format_of("train.txt"));
  CHECK_FALSE(format_of("yaml"));
  CHECK_FALSE(format_of("a.yaml/b"));
  CHECK_FALSE(format_of("x.ya"));
}

TEST_CASE("YAML: only the value's bytes change", "[knobs]") {
  CHECK(yaml("batch_size: 8", "batch_size") == "batch_size: 48");
  CHECK(yaml("# top\nbatch_size:   8   # small\n\nlr: 1e-3\n", "batch_size") ==
        "# top\nbatch_size:   48   # small\n\nlr: 1e-3\n");
  CHECK(yaml("a:\n  b:\n    - batch_size: 8\n    - batch_size: 16\n", "a.b[1].batch_size") ==
        "a:\n  b:\n    - batch_size: 8\n    - batch_size: 48\n");
  CHECK(yaml("\xEF\xBB\xBF"
             "batch_size: 8\r\nlr: 1\r\n",
             "batch_size") ==
        "\xEF\xBB\xBF"
        "batch_size: 48\r\nlr: 1\r\n");
  CHECK(yaml("batch_size: '8'\n", "batch_size") == "batch_size: '48'\n");
  CHECK(yaml("batch_size: \"8\"  # text\n", "batch_size") == "batch_size: \"48\"  # text\n");
  CHECK(yaml("\"batch_size\": 8\n", "batch_size") == "\"batch_size\": 48\n");
  CHECK(yaml("? batch_size\n: 8\n", "batch_size") == "? batch_size\n: 48\n");
  CHECK(yaml("batch_size:\n  8\n", "batch_size") == "batch_size:\n  48\n");
  CHECK(yaml("batch_size: 1_000\n", "batch_size") == "batch_size: 48\n");
  CHECK(yaml("lr: 1e-3 # note\n", "lr", 2e-3) == "lr: 2e-3 # note\n");
  CHECK(yaml("batch_size: null\n", "batch_size") == "batch_size: 48\n");
  CHECK(yaml("batch_size: ~\n", "batch_size") == "batch_size: 48\n");
  CHECK(yaml("größe: ü # ä\nbatch_size: 8\n", "batch_size") == "größe: ü # ä\nbatch_size: 48\n");
}

TEST_CASE("YAML: flow style", "[knobs]") {
  CHECK(yaml("train: {batch_size: 8, lr: 0.1}\n", "train.batch_size") == "train: {batch_size: 48, lr: 0.1}\n");
  CHECK(yaml("train: {batch_size: 8}\n", "train.batch_size") == "train: {batch_size: 48}\n");
  CHECK(yaml("{train: {lr: 0.1, batch_size:  8 }}", "train.batch_size") == "{train: {lr: 0.1, batch_size:  48 }}");
  CHECK(yaml("sizes: [8, 16, 32]\n", "sizes[1]") == "sizes: [8, 48, 32]\n");
  CHECK(yaml("a: {b: [\n  1, # one\n  2 ]}\n", "a.b[1]") == "a: {b: [\n  1, # one\n  48 ]}\n");
}

TEST_CASE("YAML: several documents are told apart", "[knobs]") {
  CHECK(yaml("batch_size: 8\n---\nbatch_size: 16\n", "document2.batch_size") == "batch_size: 8\n---\nbatch_size: 48\n");
  CHECK(yaml("--- # first\nbatch_size: 8\n...\n---\nbatch_size: 16\n", "batch_size") ==
        "--- # first\nbatch_size: 48\n...\n---\nbatch_size: 16\n");
}

TEST_CASE("YAML: an anchor nobody uses stays where it is", "[knobs]") {
  CHECK(yaml("batch_size: &bs 8\n", "batch_size") == "batch_size: &bs 48\n");
  CHECK(yaml("batch_size: !!int 8\n", "batch_size") == "batch_size: !!int 48\n");
  CHECK(yaml("batch_size: !mine 8\n", "batch_size").starts_with("refused"));
}

TEST_CASE("YAML: what others share is changed only when told", "[knobs]") {
  const std::string_view text = "base: &bs 8\ntrain:\n  batch_size: *bs\n";
  CHECK(refused(yaml(text, "base"), "shared through &bs by train.batch_size"));
  CHECK(yaml(text, "base", Whole{48}, true) == "base: &bs 48\ntrain:\n  batch_size: *bs\n");
  CHECK(refused(yaml(text, "train.batch_size", Whole{48}, true), "an alias: the value stands at &bs in line 1"));
}

TEST_CASE("YAML: a template is its only user's own, and nobody's with two", "[knobs]") {
  CHECK(yaml("base: &b\n  batch_size: 8\ntrain:\n  <<: *b\n", "base.batch_size") ==
        "base: &b\n  batch_size: 48\ntrain:\n  <<: *b\n");
  CHECK(refused(yaml("base: &b\n  batch_size: 8\ntrain:\n  <<: *b\nfinetune:\n  <<: *b\n", "base.batch_size"),
                "shared through &b by train, finetune"));
  CHECK(yaml("base: &b\n  batch_size: 8\ntrain:\n  <<: *b\n  batch_size: 16\n", "train.batch_size") ==
        "base: &b\n  batch_size: 8\ntrain:\n  <<: *b\n  batch_size: 48\n");
}

TEST_CASE("YAML: a key without a value gets one behind its colon", "[knobs]") {
  CHECK(yaml("batch_size:\nlr: 1\n", "batch_size") == "batch_size: 48\nlr: 1\n");
  CHECK(yaml("a:\n  batch_size:   # not yet\n  b: 1\n", "a.batch_size") == "a:\n  batch_size: 48   # not yet\n  b: 1\n");
  CHECK(yaml("batch_size:", "batch_size") == "batch_size: 48");
  CHECK(yaml("\"batch_size\" :\nb: 1\n", "batch_size") == "\"batch_size\" : 48\nb: 1\n");
  CHECK(refused(yaml("batch_size: &none\nb: *none\n", "batch_size"), "has no value"));
}

TEST_CASE("YAML: refuses with the reason what has no bytes of its own", "[knobs]") {
  CHECK(refused(yaml("batch_size: |\n  8\n", "batch_size"), "block of text"));
  CHECK(refused(yaml("batch_size: >-\n  8\n", "batch_size"), "block of text"));
  CHECK(refused(yaml("a: 1\n  2\n", "a"), "several lines"));
  CHECK(refused(yaml("a: \"1\\x32\"\n", "a"), "escapes"));
  CHECK(refused(yaml("batch_size: ${data.size}\n", "batch_size"), "interpolation"));
  CHECK(refused(yaml("batch_size: 8\nlr: 1\nbatch_size: 16\n", "batch_size"),
                "comes 2 times (first in line 1, last in line 3)"));
  CHECK(refused(yaml("batch_size: 017\n", "batch_size"), "octal"));
  CHECK(refused(yaml("train:\n  batch_size: 8\ntrain:\n  lr: 1\n", "train.batch_size"),
                "the key train comes more than once"));
  CHECK(yaml("a: {x: 1}\nb: {x: 8}\n", "b.x") == "a: {x: 1}\nb: {x: 48}\n");
}

TEST_CASE("YAML: a text that is none is named with its line", "[knobs]") {
  CHECK(unreadable(yaml("a: 1\nb: [1, 2\n", "a"), "line "));
  CHECK(unreadable(yaml("a: 1\n\tb: 2\n", "a"), "line "));
  CHECK(unreadable(yaml(std::string(200, '['), "a"), "too deep"));
  CHECK(unreadable(yaml(std::string_view{"a: 1\0b", 6}, "a"), "not text"));
}

TEST_CASE("JSON: only the value's bytes change", "[knobs]") {
  CHECK(json("{\"batch_size\": 8}", "batch_size") == "{\"batch_size\": 48}");
  CHECK(json("{\n\t\"a\" : { \"b\":[1,{\"batch_size\":8 }]}\r\n}\r\n", "a.b[1].batch_size") ==
        "{\n\t\"a\" : { \"b\":[1,{\"batch_size\":48 }]}\r\n}\r\n");
  CHECK(json("{\"lr\": 5e-05, \"b\": true}", "lr", 1e-4) == "{\"lr\": 1e-04, \"b\": true}");
  CHECK(json("{\"fp16\": false}", "fp16", true) == "{\"fp16\": true}");
  CHECK(json("{\"p\": \"fp32\"}", "p", std::string{"bf16"}) == "{\"p\": \"bf16\"}");
  CHECK(json("// ours\n{ /* a */ \"b\": 8, // c\n \"d\": 1 }", "b") ==
        "// ours\n{ /* a */ \"b\": 48, // c\n \"d\": 1 }");
  CHECK(json("\xEF\xBB\xBF{\"b\": 8}", "b") == "\xEF\xBB\xBF{\"b\": 48}");
}

TEST_CASE("JSON: what JSON5 allows besides", "[knobs]") {
  CHECK(json("// x\n{b: 8, 'c': 'it', d: [1, 2,],}\n", "b") == "// x\n{b: 48, 'c': 'it', d: [1, 2,],}\n");
  CHECK(json("{'b': 8, /* c */}", "b") == "{'b': 48, /* c */}");
  CHECK(json("{p: 'fp32',}", "p", std::string{"bf16"}) == "{p: 'bf16',}");
  CHECK(json("{\"a\": {b: 1,\n},\n \"c\": 8,\n}", "c") == "{\"a\": {b: 1,\n},\n \"c\": 48,\n}");
  CHECK(json("{b: 8, inf: Infinity, n: -NaN, p: +1, h: .5, t: 5., x: 0xF}", "b") ==
        "{b: 48, inf: Infinity, n: -NaN, p: +1, h: .5, t: 5., x: 0xF}");
  CHECK(refused(json("{b: 0xF}", "b"), "as only JSON5 writes it"));
}

TEST_CASE("JSON: refuses what is not JSON, with the line", "[knobs]") {
  CHECK(unreadable(json("{\"a\": 1,,\n}", "a"), "line 1"));
  CHECK(unreadable(json("{,}", "a"), "a string"));
  CHECK(unreadable(json("[,]", "a"), "a value"));
  CHECK(unreadable(json("{\"a\": 01}", "a"), "line 1"));
  CHECK(unreadable(json("{\"a\": yes}", "a"), "a value"));
  CHECK(unreadable(json("{a-b: 1}", "a"), "\":\""));
  CHECK(unreadable(json("{'a': 1\"}", "a"), "line 1"));
  CHECK(unreadable(json("{\"a\": 1} x", "a"), "the end of the text"));
  CHECK(unreadable(json("{\"a\": \"x\n\"}", "a"), "string"));
  CHECK(unreadable(json("", "a"), "ends where a value"));
  CHECK(refused(json("{\"b\": 1, \"b\": 2}", "b"), "comes 2 times"));
  CHECK(refused(json("{\"t\": {\"b\": 1}, \"t\": {\"c\": 2}}", "t.b"), "the key t comes more than once"));
}

TEST_CASE("TOML: only the value's bytes change", "[knobs]") {
  CHECK(toml("batch_size = 8 # small\n", "batch_size") == "batch_size = 48 # small\n");
  CHECK(toml("[train]\nbatch_size=8\r\n[other]\nbatch_size = 1\r\n", "train.batch_size") ==
        "[train]\nbatch_size=48\r\n[other]\nbatch_size = 1\r\n");
  CHECK(toml("[a.b]\n\"batch size\".x = 8\n", "a.b.batch size.x") == "[a.b]\n\"batch size\".x = 48\n");
  CHECK(toml("[[stages]]\nb = 1\n[[stages]]\nb = 8\n[stages.opt]\nlr = 0.1\n", "stages[1].b") ==
        "[[stages]]\nb = 1\n[[stages]]\nb = 48\n[stages.opt]\nlr = 0.1\n");
  CHECK(toml("[[stages]]\nb = 1\n[[stages]]\n[stages.opt]\nlr = 0.1\n", "stages[1].opt.lr", 0.2) ==
        "[[stages]]\nb = 1\n[[stages]]\n[stages.opt]\nlr = 0.2\n");
  CHECK(toml("t = { a = 1, b = { batch_size = 8 } }\n", "t.b.batch_size") ==
        "t = { a = 1, b = { batch_size = 48 } }\n");
  CHECK(toml("l = [\n  1, # one\n  8,\n]\n", "l[1]") == "l = [\n  1, # one\n  48,\n]\n");
  CHECK(toml("p = 'fp32'\n", "p", std::string{"bf16"}) == "p = 'bf16'\n");
  CHECK(toml("b = 1_000\nd = 1979-05-27 07:32:00\ns = \"\"\"\nb = 3\n\"\"\"\n", "b") ==
        "b = 48\nd = 1979-05-27 07:32:00\ns = \"\"\"\nb = 3\n\"\"\"\n");
}

TEST_CASE("TOML: refuses dates, long strings, repeated keys and what is not TOML", "[knobs]") {
  CHECK(refused(toml("d = 1979-05-27\n", "d"), "a date"));
  CHECK(refused(toml("s = '''a'''\n", "s"), "several lines"));
  CHECK(refused(toml("b = 1\nb = 2\n", "b"), "comes 2 times"));
  CHECK(unreadable(toml("a = 1 b = 2\n", "a"), "the end of the line"));
  CHECK(unreadable(toml("a = yes\n", "a"), "a value"));
  CHECK(unreadable(toml("= 1\n", "a"), "a key"));
  CHECK(unreadable(toml("a = \"x\n", "a"), "string"));
}

TEST_CASE("Python: constants, dictionaries, classes, calls and defaults", "[knobs]") {
  CHECK(python("BATCH_SIZE = 32  # big\n", "BATCH_SIZE") == "BATCH_SIZE = 48  # big\n");
  CHECK(python("CONFIG_DEBUG = {\n    \"batch_size\": 32,\n    'lr': 1e-3,\n}\n", "CONFIG_DEBUG.batch_size") ==
        "CONFIG_DEBUG = {\n    \"batch_size\": 48,\n    'lr': 1e-3,\n}\n");
  CHECK(python("@dataclass\nclass Config:\n    batch_size: int = 32\n    lr: float = 1e-3\n", "Config.batch_size") ==
        "@dataclass\nclass Config:\n    batch_size: int = 48\n    lr: float = 1e-3\n");
  CHECK(python("class C:\n    b: int = field(default=32, metadata={})\n", "C.b") ==
        "class C:\n    b: int = field(default=48, metadata={})\n");
  CHECK(python("args = TrainingArguments(\n    out,\n    batch_size=32,\n)\n", "args.TrainingArguments().batch_size") ==
        "args = TrainingArguments(\n    out,\n    batch_size=48,\n)\n");
  CHECK(python("cfg = dict(train=dict(batch_size=32))\n", "cfg.train.batch_size") ==
        "cfg = dict(train=dict(batch_size=48))\n");
  CHECK(python("def main(batch_size: int = 32, lr=.1):\n    pass\n", "main.batch_size") ==
        "def main(batch_size: int = 48, lr=.1):\n    pass\n");
  CHECK(python("cfg.train.batch_size = 32\n", "cfg.train.batch_size") == "cfg.train.batch_size = 48\n");
  CHECK(python("cfg['batch_size'] = 32\n", "cfg.batch_size") == "cfg['batch_size'] = 48\n");
  CHECK(python("loader = DataLoader(ds, batch_size=32, shuffle=True)\n", "loader.DataLoader().batch_size") ==
        "loader = DataLoader(ds, batch_size=48, shuffle=True)\n");
  CHECK(python("for x in DataLoader(ds, batch_size=32):\n  pass\n", "DataLoader().batch_size") ==
        "for x in DataLoader(ds, batch_size=48):\n  pass\n");
  CHECK(python("p.add_argument('-b', '--batch-size', type=int, default=32, help='x')\n",
               "add_argument().--batch-size.default") ==
        "p.add_argument('-b', '--batch-size', type=int, default=48, help='x')\n");
  CHECK(python("PIN = True\r\nX = 1\r\n", "PIN", false) == "PIN = False\r\nX = 1\r\n");
  CHECK(python("P = u'fp32'\n", "P", std::string{"bf16"}) == "P = u'bf16'\n");
  CHECK(python("B = None\n", "B") == "B = 48\n");
  CHECK(python("B = -1\n", "B") == "B = 48\n");
  CHECK(python("x = 1; B = 32; y = 2\n", "B") == "x = 1; B = 48; y = 2\n");
}

TEST_CASE("Python: the same name twice is two entries", "[knobs]") {
  CHECK(python("B = 1\nif x:\n    B = 2\n", "B#2") == "B = 1\nif x:\n    B = 48\n");
}

TEST_CASE("Python: a product of numbers has a value, and stays an expression", "[knobs]") {
  const auto value = [](std::string_view text) { return to_text(read_document(Format::kPython, text)->entries.at(0).value); };
  CHECK(value("B = 5 * 8\n") == "40");
  CHECK(value("B = 2**5\n") == "32");
  CHECK(value("B = 0.01 / 64.0\n") == "0.00015625");
  CHECK(value("B = 7 // 2\n") == "3");
  for (const auto* text : {"B = 5 * n\n", "B = 1 / 0\n", "B = 2**3**2\n", "B = 5 - 8\n"}) {
    CAPTURE(text);
    CHECK(value(text) == to_text(Value{}));
  }
}

TEST_CASE("Python: expressions are refused, never guessed", "[knobs]") {
  for (const auto* text : {"B = 32 * 2\n", "B = 2**5\n", "B = int(32)\n", "B = a or 32\n", "B = 32 if x else 64\n",
                           "B = 1, 2\n", "B = (32)\n", "B = not True\n", "B = x.y\n", "B = 3j\n", "B = - 1\n"}) {
    CAPTURE(text);
    CHECK(refused(python(text, "B"), "an expression"));
  }
  CHECK(refused(python("B = f'32'\n", "B"), "prefix"));
  CHECK(refused(python("B = 'a\\n'\n", "B"), "escapes"));
}

TEST_CASE("Python: strings, comments and continuations hide nothing and break nothing", "[knobs]") {
  const std::string_view text =
      "\"\"\"batch_size = 1\nB = 2\n\"\"\"\n# B = 3\ns = 'B = 4 # \\' {'\nx = 1 + \\\n  2\nd = {'a': [1, {'b': (1,)}], "
      "'c': lambda q: {'B': 3}}\nB = 32\n";
  const auto edited = python(text, "B");
  CHECK(edited == std::string{text.substr(0, text.size() - 3)} + "48\n");
}

TEST_CASE("Python: what does not end is named with its line", "[knobs]") {
  CHECK(unreadable(python("a = 1\nb = 'x\n", "a"), "line 2"));
  CHECK(unreadable(python("a = (1\n", "a"), "not closed"));
  CHECK(unreadable(python("a = 1)\n", "a"), "closes nothing"));
  CHECK(unreadable(python("a = [1)\n", "a"), "closes nothing"));
  CHECK(unreadable(python("'''\n", "a"), "does not end"));
}

TEST_CASE("yaml: what yaml-cpp cannot step over is refused, not read for ever", "[knobs]") {
  for (const auto* text : {",", ",,", "]", "}", "a: 1\n,", "- a\n]"}) {
    INFO(text);
    CHECK_FALSE(read_document(Format::kYaml, text));
  }
}

}  // namespace
}  // namespace gputop::knobs

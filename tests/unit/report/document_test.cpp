#include <catch2/catch_test_macros.hpp>

#include "report/document.hpp"

namespace gputop {
namespace {

TimePlot plot() {
  TimePlot plot{.title = "GPU utilisation", .unit = "%", .from = {}, .to = at_seconds(100), .top = 100};
  plot.series.push_back({"GPU <0>", {TimePlot::Column{0, 50, 100}, std::nullopt, TimePlot::Column{90, 95, 100}}});
  plot.marks.push_back({at_seconds(50), "\"batch\" 8 → 32 <b>"});
  return plot;
}

TEST_CASE("markdown: nothing of the text can become markup", "[report]") {
  CHECK(escaped_markdown("a|b*c_d`e<f>[g]@h") == "a\\|b\\*c\\_d\\`e&lt;f&gt;\\[g\\]&#64;h");
  CHECK(escaped_markdown("two\nlines").find('\n') == std::string::npos);
  const auto text = to_markdown({"T", {{"S", {Table{{"a", "b"}, {{"x|y", "1"}}}}}}});
  CHECK(text == "# T\n\n## S\n\n| a    |   b |\n| ---- | --: |\n| x\\|y |   1 |\n");
}

TEST_CASE("markdown: a fence is longer than any inside", "[report]") {
  const auto text = to_markdown({"T", {{"S", {Code{"```\nrm -rf\n```"}}}}});
  CHECK(text.find("````text\n```\n") != std::string::npos);
}

TEST_CASE("html: everything is escaped, nothing is loaded", "[report]") {
  CHECK(escaped_html("<script>alert('x')</script>&\"") == "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;");
  const auto page = to_html(
      {"<img src=x>",
       {{"<b>", {Paragraph{"</main><script>1</script>"}, Items{{"<i>"}}, Table{{"<th>"}, {{"<td>"}}}, plot()}}}});
  for (const char* forbidden :
       {"<script", "<img", "<b>", "<i>", "<th><th>", "http://", "https://", "src=\"", "href=\""}) {
    CAPTURE(forbidden);
    CHECK(page.find(forbidden) == std::string::npos);
  }
  CHECK(page.find("prefers-color-scheme: dark") != std::string::npos);
}

TEST_CASE("svg: a gap breaks the line, a mark has its text", "[report]") {
  const auto svg = svg_plot(plot());
  std::size_t lines = 0;
  for (auto at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++lines;
  CHECK(lines == 2);
  CHECK(svg.find("&quot;batch&quot; 8 → 32 &lt;b&gt;") != std::string::npos);
  CHECK(svg.find("GPU &lt;0&gt;") != std::string::npos);
}

TEST_CASE("braille: as wide and high as asked, empty where nothing was read", "[report]") {
  const auto text = braille_plot(plot(), 30, 4);
  std::size_t rows = 0;
  for (const char c : text) rows += c == '\n';
  CHECK(rows == 1 + 4 + 2 + 1);  // title, dots, axis and its labels, events
  CHECK(text.find("⠀⠀⠀⠀⠀⠀⠀⠀") != std::string::npos);
  CHECK(text.find(" events:                1\n") != std::string::npos);  // in the middle
}

TEST_CASE("plots by batch: what was seen, the line, and what there is", "[report]") {
  const BatchPlot memory{.title = "Memory by batch size",
                         .unit = "MiB",
                         .seen = {{32, 7168}, {48, 7987}},
                         .line = {{1, 5000, 5500, 6000}, {96, 9000, 10000, 11000}},
                         .limit = 8192};
  const auto svg = svg_plot(memory);
  CHECK(svg.find("<circle") != std::string::npos);
  CHECK(svg.find("<polygon") != std::string::npos);
  CHECK(svg.find("batch 32: 7168 MiB") != std::string::npos);
  CHECK(braille_plot(memory).find("32: 7168, 48: 7987") != std::string::npos);
}

}  // namespace
}  // namespace gputop

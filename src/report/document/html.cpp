#include <algorithm>
#include <array>

#include "gputop/core/format.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"

namespace gputop {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --back: #ffffff; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa; --mark: #bc4c00;
  --s0: #0969da; --s1: #1a7f37; --s2: #8250df; --s3: #bf8700; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --soft: #151b23;
  --mark: #f0883e; --s0: #58a6ff; --s1: #3fb950; --s2: #bc8cff; --s3: #e3b341; } }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2rem; font-size: 1.25rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; margin: .8rem 0; } th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
th { background: var(--soft); } .figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; } pre { background: var(--soft); padding: .8rem; overflow-x: auto; }
svg { width: 100%; min-width: 34rem; height: auto; display: block; margin: 1rem 0; } svg text { fill: var(--dim); font-size: 11px; }
svg .title { fill: var(--text); font-size: 13px; font-weight: 600; } svg .grid { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke: var(--mark); stroke-dasharray: 3 3; } svg .marktext { fill: var(--mark); }
svg .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; } svg .band { opacity: .18; stroke: none; }
svg .limit { stroke: var(--mark); stroke-width: 1.2; }
.s0 { stroke: var(--s0); fill: var(--s0); } .s1 { stroke: var(--s1); fill: var(--s1); }
.s2 { stroke: var(--s2); fill: var(--s2); } .s3 { stroke: var(--s3); fill: var(--s3); }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
.tile { flex: 1 1 10rem; border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; background: var(--soft); }
.tile span, .tile small { display: block; color: var(--dim); } .tile b { display: block; font-size: 1.35rem; }
.shares { display: flex; height: 1.5rem; border-radius: .3rem; overflow: hidden; background: var(--soft); margin: 1rem 0 .4rem; }
.shares i { display: block; height: 100%; } .parts { color: var(--dim); } .parts span { margin-right: 1.2rem; white-space: nowrap; }
.parts i { display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; margin-right: .35rem; }
.p0 { background: #cf222e; } .p1 { background: var(--s3); } .p2 { background: var(--s1); } .p3 { background: var(--s2); }
.p4 { background: var(--s0); } .p5 { background: var(--dim); } .p6 { background: var(--line); }
.tone { border-left: .35rem solid var(--line); padding: .3rem .8rem; background: var(--soft); }
.good { border-color: var(--s1); } .info { border-color: var(--s0); } .warning { border-color: var(--s3); } .error { border-color: #cf222e; }
@media print { body { margin: 0; } }
)css";

struct HtmlWriter {
  std::string& out;

  void operator()(const Paragraph& paragraph) const {
    const auto text = escaped_html(paragraph.text);
    constexpr std::array kTones{"", " class=\"tone good\"", " class=\"tone info\"", " class=\"tone warning\"",
                                " class=\"tone error\""};
    out += "<p" + std::string{kTones[static_cast<std::size_t>(paragraph.tone)]} + ">" + (paragraph.strong ? "<strong>" + text + "</strong>" : text) + "</p>\n";
  }
  void operator()(const Items& list) const {
    out += list.numbered ? "<ol>\n" : "<ul>\n";
    for (const auto& item : list.items) out += "<li>" + escaped_html(item) + "</li>\n";
    out += list.numbered ? "</ol>\n" : "</ul>\n";
  }
  void operator()(const Table& table) const {
    out += "<div class=\"wide\"><table>\n<thead>";
    const auto right = right_aligned(table);
    row(table.header, "th", right);
    out += "</thead>\n<tbody>\n";
    for (const auto& cells : table.rows) {
      row(cells, "td", right);
      out += '\n';
    }
    out += "</tbody>\n</table></div>\n";
  }
  void operator()(const Tiles& tiles) const {
    out += "<div class=\"tiles\">\n";
    for (const auto& [label, value, note] : tiles.tiles) {
      out += "<div class=\"tile\"><span>" + escaped_html(label) + "</span><b>" + escaped_html(value) + "</b><small>" +
             escaped_html(note) + "</small></div>\n";
    }
    out += "</div>\n";
  }
  void operator()(const Shares& shares) const {
    std::string bar;
    std::string names;
    for (const auto& part : shares.parts) {
      const auto percent = report::figure(100 * part.share);
      const auto color = "<i class=\"p" + std::to_string(part.color % 7) + "\"";
      bar += color + " style=\"width:" + format_number(100 * part.share, 2) + "%\"></i>";
      names += "<span>" + color + "></i>" + escaped_html(part.name) + " " + percent + " %</span>";
    }
    out += "<div class=\"shares\">" + bar + "</div>\n<p class=\"parts\">" + names + "</p>\n";
  }
  void operator()(const Code& code) const { out += "<pre>" + escaped_html_lines(code.text) + "</pre>\n"; }
  void operator()(const TimePlot& plot) const { picture(svg_plot(plot)); }
  void operator()(const BatchPlot& plot) const { picture(svg_plot(plot)); }

 private:
  void picture(const std::string& svg) const { out += "<div class=\"wide\">" + svg + "</div>\n"; }
  void row(const std::vector<std::string>& cells, const std::string& tag, const std::vector<bool>& right) const {
    out += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out += "<" + tag + (right[i] ? " class=\"figure\">" : ">") + escaped_html(cells[i]) + "</" + tag + ">";
    }
    out += "</tr>";
  }
  static std::string escaped_html_lines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      lines += escaped_html(text.substr(0, end)) + "\n";
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
  }
};

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string to_html(const Document& document) {
  const auto title = escaped_html(document.title);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>" +
      title + "</title>\n<style>" + std::string{kStyle} + "</style>\n</head>\n<body>\n<main>\n<h1>" + title + "</h1>\n";
  for (const auto& section : document.sections) {
    out += "<section>\n<h2>" + escaped_html(section.title) + "</h2>\n";
    for (const auto& element : section.elements) std::visit(HtmlWriter{out}, element);
    out += "</section>\n";
  }
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace gputop

#include "gputop/yaml/events.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

namespace gputop::yaml {
namespace {

Mark mark_of(const YAML::Mark& mark) {
  return {static_cast<std::size_t>(std::max(mark.pos, 0)), mark.line + 1};
}

class Handler final : public YAML::EventHandler {
 public:
  explicit Handler(Listener& listener) : listener_(listener) {}

  // yaml-cpp does not step over what cannot begin a node ("," or "]" in block style): it would find empty documents
  // there for ever.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos == last_document_) throw YAML::ParserException(mark, "unexpected character");
    last_document_ = mark.pos;
    listener_.document_started();
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& /*mark*/, const std::string& name) override { listener_.anchor_named(name); }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { listener_.null(mark_of(mark), anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { listener_.alias(mark_of(mark), anchor); }
  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    listener_.scalar(mark_of(mark), tag, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& /*tag*/,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    listener_.sequence_started(mark_of(mark), anchor);
  }
  void OnSequenceEnd() override { listener_.sequence_ended(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& /*tag*/,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    listener_.map_started(mark_of(mark), anchor);
  }
  void OnMapEnd() override { listener_.map_ended(); }

 private:
  Listener& listener_;
  int last_document_ = -1;  // where it began
};

}  // namespace

std::optional<Failure> parse(std::string_view text, Listener& listener) {
  Handler handler{listener};
  try {
    std::istringstream stream{std::string{text}};
    YAML::Parser parser{stream};
    while (parser.HandleNextDocument(handler)) {
    }
  } catch (const YAML::Exception& error) {
    return Failure{error.mark.is_null() ? 1 : error.mark.line + 1, error.msg};
  }
  return std::nullopt;
}

}  // namespace gputop::yaml

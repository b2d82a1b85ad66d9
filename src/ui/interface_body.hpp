// The state behind Interface, shared by its painting (interface.cpp), its keys and its mouse.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include <ftxui/component/component_base.hpp>

#include "gputop/term/style_sheet.hpp"
#include "gputop/ui/interface.hpp"
#include "ui/keymap.hpp"
#include "ui/layout.hpp"
#include "ui/look.hpp"
#include "ui/questions.hpp"
#include "ui/scrolled_page.hpp"
#include "ui/setup_rows.hpp"

namespace gputop::ui {

class Interface::Body {
 public:
  Body(Settings settings, const Theme& theme, term::ColorDepth depth, GlyphSet glyphs, Identity identity);

  bool render(const Model& model, ftxui::Screen& screen, term::RowHistory* rows);
  std::vector<Effect> handle(const ftxui::Event& event, const Model& model);
  std::vector<Effect> paste(std::string_view text);
  void set_output(const term::Emulator* output);
  [[nodiscard]] std::optional<OutputSize> output_size() const;
  void answer(PastAnswer answer);
  void looked_back(std::uint64_t request, int percent);
  void set_theme(const Theme& theme);
  // Not asked of the kernel's console, which might show the question.
  void follow_background() { follows_background_ = depth_ != term::ColorDepth::kMono && glyphs_ != GlyphSet::kBlocks; }
  [[nodiscard]] bool follows_background() const { return follows_background_; }
  std::vector<Effect> background(std::string_view answer, const Model& model);
  void ask(ChangeQuestion question);
  void stop_asking();
  void touch() {
    dirty_ = true;
    ++view_changes_;
  }

  Choices choices_;
  Settings settings_;
  View view_;
  bool recorded_ = false;  // there is a recording to look back into

 private:
  using Effects = std::vector<Effect>;

  // Painting.
  Look look();
  ftxui::Element whole(const Model& model);
  struct MadePane {
    ftxui::Element head;  // null: it has no line of its own
    ftxui::Element body;
  };
  MadePane pane(const Model& model, const PlacedPane& placed, const Band& band);
  ftxui::Element bottom_line(const Model& model);
  void paint(const Model& model, ftxui::Screen& screen);
  void join_lines(ftxui::Screen& screen) const;
  void light_focus(ftxui::Screen& screen) const;  // in their own color
  void expire_notice(const Model& model);
  void ask_about_deaf_run(const Model& model);
  void show_offer(const Model& model);
  void keep_focus_visible();
  [[nodiscard]] std::uint64_t stamp_of(const Model& model, PaneIndex pane) const;
  [[nodiscard]] bool worth_showing(const Model& model, const ftxui::Screen& next) const;
  void stamp_rows();

  // Dialogs.
  void make_dialogs();
  ftxui::Component make_menu(std::vector<std::string>& entries, std::function<std::string(std::size_t)> meaning);
  ftxui::Component make_setup_row(std::size_t index);
  ftxui::Component make_input(std::string& text, std::function<void()> changed);
  ftxui::Element window(Spans title, ftxui::Element inside);
  ftxui::Element setup_window();
  ftxui::Element page_window();
  ftxui::Element question_window();
  // Columns a dialog may have.
  [[nodiscard]] int inner_width() const { return width_ - (layout_.framed ? 2 : 0); }
  ftxui::Element input_line();
  [[nodiscard]] Question question(int width) const;
  void offer_answers();
  [[nodiscard]] bool has_dialog() const;
  void settle_dialog();
  bool give_to_dialog(const ftxui::Event& event);
  void type_help(const ftxui::Event& event);
  [[nodiscard]] std::vector<KeyContext> key_contexts() const;
  [[nodiscard]] bool was_asked_to_end(const Model& model) const;

  // Keys. The model is the one on the screen.
  Effects handle_key(const ftxui::Event& event, const Model& model);
  Effects act(Action action, const ftxui::Event& event, const Model& model);
  Effects act_on_charts(Action action, const Model& model);
  Effects act_on_advice(Action action, const Model& model);
  Effects act_on_change(Action action, const Model& model);
  Effects choose_place(int number);
  Effects act_on_offer(Action action, const Model& model);
  Effects act_on_menu(Action action, const Model& model);
  Effects accept_menu();
  void move_in_menu(const ftxui::Event& event);
  Effects open_detail(const Model& model);
  void change_interval(int step, Effects& effects);
  Effects type_filter(const ftxui::Event& event);
  Effects close_setup();
  void open(Overlay overlay, int cursor);
  void open_signal_menu(const Model& model);
  void close_something();
  void toggle_pane(int number);
  void focus_next(int step);
  void scroll(Action action, const Model& model);
  void choose_gpu(int step, const Model& model);
  void sort_by(ProcessColumn column);
  void toggle_follow(const Model& model);
  void toggle_pause(const Model& model);
  // Settings are the truth for what both hold.
  void adopt_settings();
  [[nodiscard]] bool focused_on(std::string_view pane) const { return kPanes[view_.focus].name == pane; }

  // The run and its output.
  [[nodiscard]] bool run_is_live(const Model& model) const {
    return output_ != nullptr && model.run && !model.run->end;
  }
  Effects act_on_run(Action action, const Model& model);
  Effects act_on_end(Action action, const Model& model);
  Effects type_into_run(const ftxui::Event& event, const Model& model);
  Effects copy_output();
  void type_find(const ftxui::Event& event);
  void find(int step);
  void count_matches();
  void next_error();
  void jump_to(std::uint64_t line);
  // What is at hand: the run's terminal, or a stretch of its recording.
  [[nodiscard]] const term::Emulator& shown_output() const { return past_ ? past_->terminal : *output_; }
  [[nodiscard]] std::optional<std::uint64_t> nearest(LookBack::What what, int step, bool from_the_end) const;
  void seek(LookBack::What what, int step);
  void look_back(LookBack::What what, int step, std::optional<std::uint64_t> from);
  void look_further(LookBack::What what, int step);
  void nothing_there(LookBack::What what, int step, const std::string& problem);
  void leave_past();
  void stop_looking();
  void toggle_mark();
  void scroll_output(Action action);

  // Mouse.
  Effects handle_mouse(const ftxui::Mouse& mouse, const Model& model);
  Effects click_dialog(const ftxui::Mouse& mouse, const Model& model);
  Effects click(const Hit& hit, const ftxui::Mouse& mouse, const Model& model);
  void drag(const Hit& hit, int x, const Model& model);
  [[nodiscard]] const Hit* hit_at(int x, int y) const;

  term::ColorDepth depth_;
  term::StyleSheet styles_;
  GlyphSet glyphs_;
  const term::Emulator* output_ = nullptr;
  std::unique_ptr<PastOutput> past_;  // shown instead of it
  std::optional<LookBack> looking_;   // not answered yet
  std::optional<LookBack> asked_;     // by the key that is being handled
  std::uint64_t last_request_ = 0;
  Identity identity_;
  ChartData charts_;
  std::vector<ProcessLine> process_lines_;
  std::vector<Hit> hits_;
  Layout layout_;
  SignalTarget target_;
  Settings settings_before_setup_;
  std::string filter_before_;
  std::string find_before_;
  bool stop_was_asked_ = false;  // of a job, by SIGTERM
  bool relaunching_ = false;     // and it is to be started again
  Reading<Instant> ask_again_;   // when it was, and it has not been asked since whether to kill it
  std::int64_t stopping_ = 0;    // the job that was asked
  Reading<Instant> offered_;     // the offer that was shown last
  std::optional<Hit> dragged_;
  std::unique_ptr<Model> frozen_;  // while paused: what is shown

  // Components, and what they refer to.
  std::vector<std::string> sort_names_;
  std::vector<std::string> signal_names_;
  std::array<bool, 64> setup_checks_{};
  std::string filter_text_;
  int input_cursor_ = 0;
  int dialog_at_ = 0;
  bool dialog_open_ = false;
  int dialog_width_ = 1;
  ftxui::Box dialog_box_;  // as it was painted
  Effects dialog_effects_;            // of a component that was pressed
  Action pressed_ = Action::kNone;    // a button
  const Model* painted_ = nullptr;    // while a frame is made
  ftxui::Element panes_;              // of the frame that is being made
  ftxui::Component sort_menu_;
  ftxui::Component signal_menu_;
  ftxui::Component setup_list_;
  ftxui::Component answers_;
  ftxui::Component filter_input_;
  ftxui::Component find_input_;
  ftxui::Component help_input_;
  ftxui::Component dialogs_;
  ftxui::Component root_;

  // What a pane showed, so that it can stay while nothing it shows changes.
  struct KeptPane {
    std::uint64_t stamp = 0;
    std::uint64_t view = 0;
    int width = 0;
    int height = 0;
    ftxui::Box box;
    Spans title;
  };
  std::array<KeptPane, kMostPanes> kept_;
  std::uint64_t view_changes_ = 1;  // counts what is not the model's
  bool shown_plain_ = false;        // nothing lay over the panes of the last frame
  std::vector<Hit> hits_before_;
  std::vector<unsigned> gpu_order_;
  std::string notice_seen_;
  Instant notice_at_;

  int width_ = 0;  // of the frame that is being made
  int height_ = 0;
  ftxui::Screen shown_{0, 0};             // as the last frame was
  std::vector<term::ColumnSet> changes_;  // of the rows, since shown_
  term::RowHistory rows_;                 // of shown_
  std::uint64_t last_stamp_ = 0;
  Instant shown_at_;            // the model's time then
  std::optional<Instant> first_shown_;
  bool follows_background_ = false;  // until it has answered
  bool dirty_ = true;           // something but the model changed
  bool restyled_ = true;        // cells look different though they hold the same
  std::uint64_t revision_ = 0;  // of the model that was painted
  std::uint64_t output_revision_ = 0;
};

}  // namespace gputop::ui

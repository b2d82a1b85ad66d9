// over, hit, kept — what is laid over an element, noted about it, or taken from an earlier frame.
#include <algorithm>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

class Wrapper : public ftxui::Node {
 public:
  explicit Wrapper(ftxui::Element child) : Node({std::move(child)}) {}

  void ComputeRequirement() override {
    Node::ComputeRequirement();
    requirement_ = children_[0]->requirement();
  }
  void SetBox(ftxui::Box box) override {
    Node::SetBox(box);
    children_[0]->SetBox(box);
  }
};

class Over : public Wrapper {
 public:
  Over(ftxui::Element child, const term::Look& look) : Wrapper(std::move(child)), look_(look) {}

  void Render(ftxui::Screen& screen) override {
    Node::Render(screen);
    const auto box = ftxui::Box::Intersection(box_, screen.stencil);
    for (int y = box.y_min; y <= box.y_max; ++y) {
      for (int x = box.x_min; x <= box.x_max; ++x) {
        auto& pixel = screen.PixelAt(x, y);
        pixel.inverted = false;
        look_.apply(pixel);
      }
    }
  }

 private:
  term::Look look_;
};

class HitNode : public Wrapper {
 public:
  HitNode(ftxui::Element child, std::vector<Hit>& hits, Hit hit) : Wrapper(std::move(child)), hits_(hits), hit_(hit) {}

  void Render(ftxui::Screen& screen) override {
    hit_.area = ftxui::Box::Intersection(box_, screen.stencil);
    if (!hit_.area.IsEmpty()) hits_.push_back(hit_);
    Node::Render(screen);
  }

 private:
  std::vector<Hit>& hits_;
  Hit hit_;
};

class Kept : public ftxui::Node {
 public:
  Kept(const ftxui::Screen& frame, ftxui::Box box) : frame_(frame), from_(box) {}

  void ComputeRequirement() override {
    requirement_.min_x = from_.x_max - from_.x_min + 1;
    requirement_.min_y = from_.y_max - from_.y_min + 1;
  }

  void Render(ftxui::Screen& screen) override {
    if (!(box_ == from_)) return;
    for (int y = box_.y_min; y <= box_.y_max; ++y) {
      const auto* first = &frame_.PixelAt(box_.x_min, y);
      std::copy(first, first + (box_.x_max - box_.x_min + 1), &screen.PixelAt(box_.x_min, y));
    }
  }

 private:
  const ftxui::Screen& frame_;
  ftxui::Box from_;
};

}  // namespace

ftxui::Element over(ftxui::Element element, const term::Look& look) {
  return std::make_shared<Over>(std::move(element), look);
}

ftxui::Element hit(ftxui::Element element, std::vector<Hit>& hits, Hit hit) {
  return std::make_shared<HitNode>(std::move(element), hits, hit);
}

ftxui::Element kept(const ftxui::Screen& frame, ftxui::Box box) {
  return std::make_shared<Kept>(frame, box);
}

}  // namespace gputop::ui

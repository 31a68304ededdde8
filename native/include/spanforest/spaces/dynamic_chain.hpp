// DynamicChain (SPEC S5, paper 001 §3.2.2): a chain that also looks at whole mentions and gaps.
// Label 0 is outside; words are counted from 1.
#pragma once

#include <algorithm>

#include "spanforest/program.hpp"

namespace spanforest {

struct DynamicTable {
  Index labels;
  std::vector<Index> window;  // of outside runs, then of each label
};

// Explicit: every mention is completed by an edge that knows where it starts.
template <bool kExplicit>
struct DynamicChain {
  enum Array { kWord, kTransition, kSegment, kSegmentAfter, kGap };
  static constexpr int kArrays = 5;
  enum Rule { E, E1, ELong, E1Long, C1, C, L, LO, LO1, LOLong, CO1, CO, CPlus, COPlus };
  enum MoreRules { C0 = COPlus + 1, CStep, COStep, Goal, GoalO, Empty };
  static constexpr const char* rules[] = {"E",  "E1",  "E>",  "E1>",  "C1",    "C",    "L",
                                          "LO", "LO1", "LO>", "CO1",  "CO",    "C+",   "CO+",
                                          "c0", "c",   "cO",  "goal", "goalO", "empty"};

  Index n;
  const DynamicTable* table;
  std::array<Cells, 5> cells;

  enum Kind { kEnd, kLink, kOpen, kGoal, kSteps };
  struct Head {
    Index at;
    Kind kind;
    Index i, l, x;  // for kSteps x is where the steps begin
  };

  Index count() const { return table->labels; }
  Index window(Index l) const { return table->window[l]; }
  Index reach(Index l) const {
    return kExplicit && l > 0 ? std::max<Index>(n - 1, 0)
                              : std::min(window(l), std::max<Index>(n - 1, 0));
  }

  // Per word: ends, opens, links, the goal; then the steps of every label.
  Index columns() const { return count() + (count() + 1) + (count() + 1) * count() + 1; }
  Item end(Index i, Index x) const { return {i * columns() + x - 1}; }
  Item open(Index i, Index l) const { return {i * columns() + count() + l}; }
  Item link(Index i, Index l, Index x) const {
    return {i * columns() + 2 * count() + 1 + l * count() + x - 1};
  }
  Index goal(Index m) const { return (m + 1) * columns() - 1; }
  Index steps_of(Index l) const {
    Index base = (n + 1) * columns();
    for (Index k = 0; k < l; ++k) base += n * (reach(k) + 1);
    return base;
  }
  Item steps(Index k, Index i, Index l) const {
    return {steps_of(l) + (k - 1) * (reach(l) + 1) + i - k};
  }
  Index size() const { return steps_of(count() + 1); }

  Part<kWord> word(Index p, Index b) const { return {cells[kWord](p - 1, b)}; }
  Part<kWord> begins(Index p, Index x) const { return word(p, 3 * x - 2); }
  Part<kWord> within(Index p, Index x) const { return word(p, 3 * x - 1); }
  Part<kWord> ends(Index p, Index x) const { return word(p, 3 * x); }
  Part<kTransition> step(Index p, Index l) const {
    return {cells[kTransition](p - 1, l, l == 0 ? 0 : count() + l)};
  }
  Part<kTransition> leave(Index p, Index y) const { return {cells[kTransition](p - 1, y, 0)}; }
  Part<kTransition> enter(Index p, Index l, Index x) const {
    return {cells[kTransition](p - 1, l, x)};
  }
  Part<kSegment> segment(Index j, Index i, Index x) const {
    return {cells[kSegment](j - 1, i - j, x - 1)};
  }
  Part<kSegmentAfter> segment_after(Index l, Index j, Index i, Index x) const {
    return {cells[kSegmentAfter](j - 1, i - j, x - 1, l)};
  }
  Part<kGap> gap(Index y, Index j, Index i, Index x) const {
    return {cells[kGap](j - 1, i - j, y - 1, x - 1)};
  }

  Head head(Index at) const {
    const Index t = count();
    if (at < (n + 1) * columns()) {
      const Index i = at / columns(), k = at % columns();
      if (k < t) return {at, kEnd, i, 0, k + 1};
      if (k < 2 * t + 1) return {at, kOpen, i, k - t, 0};
      if (k == columns() - 1) return {at, kGoal, i, 0, 0};
      return {at, kLink, i, (k - 2 * t - 1) / t, (k - 2 * t - 1) % t + 1};
    }
    Index l = 0;
    while (at >= steps_of(l + 1)) ++l;
    const Index rest = at - steps_of(l), begin = rest / (reach(l) + 1) + 1;
    return {at, kSteps, begin + rest % (reach(l) + 1), l, begin};
  }

  template <class F>
  void visit(F f) const {
    f(Head{goal(0), kGoal, 0, 0, 0});
    for (Index i = 1; i <= n; ++i) word_items(i, f);
  }
  template <class F>
  void visit_back(F f) const {
    std::vector<Head> heads;
    for (Index i = n; i >= 1; --i) {
      heads.clear();
      word_items(i, [&](const Head& found) { heads.push_back(found); });
      std::for_each(heads.rbegin(), heads.rend(), f);
    }
    f(Head{goal(0), kGoal, 0, 0, 0});
  }
  template <class F>
  void word_items(Index i, F&& f) const {
    const Index t = count();
    for (Index l = 0; l <= t; ++l)
      for (Index k = std::max<Index>(1, i - reach(l)); k <= i; ++k)
        f(Head{steps(k, i, l).at, kSteps, i, l, k});
    for (Index l = 0; l <= t; ++l) f(Head{open(i, l).at, kOpen, i, l, 0});
    for (Index x = 1; x <= t; ++x) f(Head{end(i, x).at, kEnd, i, 0, x});
    for (Index l = 0; i < n && l <= t; ++l)
      for (Index x = 1; x <= t; ++x) f(Head{link(i, l, x).at, kLink, i, l, x});
    f(Head{goal(i), kGoal, i, 0, 0});
  }

  template <class Sink>
  void edges(const Head& head, Sink&& sink) const {
    const Index i = head.i;
    switch (head.kind) {
      case kEnd:
        return end_edges(i, head.x, sink);
      case kLink:
        return link_edges(i, head.l, head.x, sink);
      case kOpen:
        return head.l == 0 ? run_edges(i, sink) : open_edges(i, head.l, sink);
      case kGoal:
        if (i == 0) return sink(Empty);
        sink(GoalO, open(i, 0));
        for (Index x = 1; x <= count(); ++x) sink(Goal, end(i, x));
        return;
      case kSteps:
        if (head.x == i) return sink(C0);
        if (head.l == 0) return sink(COStep, steps(head.x, i - 1, 0), step(i, 0), word(i, 0));
        return sink(CStep, steps(head.x, i - 1, head.l), step(i, head.l), within(i, head.l));
    }
  }
  template <class Sink>
  void end_edges(Index i, Index x, Sink& sink) const {
    const Index w = window(x);
    for (Index j = i; j >= 1; --j) {
      const bool dynamic = i - j < w;
      if (!dynamic && !kExplicit) break;
      if (j == 1 && dynamic)
        sink(E1, begins(1, x), within(1, x), steps(1, i, x), ends(i, x), segment(1, i, x));
      if (j == 1 && !dynamic) sink(E1Long, begins(1, x), within(1, x), steps(1, i, x), ends(i, x));
      for (Index l = 0; j > 1 && l <= count(); ++l) {
        if (dynamic) {
          sink(E, link(j - 1, l, x), begins(j, x), within(j, x), steps(j, i, x), ends(i, x),
               segment(j, i, x), segment_after(l, j, i, x));
        } else {
          sink(ELong, link(j - 1, l, x), begins(j, x), within(j, x), steps(j, i, x), ends(i, x));
        }
      }
    }
    if (!kExplicit && i - w >= 1) sink(ELong, open(i - w, x), steps(i - w, i, x), ends(i, x));
  }
  template <class Sink>
  void link_edges(Index i, Index l, Index x, Sink& sink) const {
    if (l > 0) return sink(L, end(i, l), enter(i + 1, l, x));
    const Index w = window(0);
    if (i - w >= 1) sink(LOLong, open(i - w, 0), steps(i - w, i, 0), enter(i + 1, 0, x));
    if (i <= w) sink(LO1, word(1, 0), steps(1, i, 0), enter(i + 1, 0, x));
    for (Index j = std::max<Index>(2, i - w + 1); j <= i; ++j)
      for (Index y = 1; y <= count(); ++y)
        sink(LO, end(j - 1, y), leave(j, y), word(j, 0), steps(j, i, 0), gap(y, j, i, x),
             enter(i + 1, 0, x));
  }
  template <class Sink>
  void run_edges(Index i, Sink& sink) const {
    if (i == 1) return sink(CO1, word(1, 0));
    sink(COPlus, open(i - 1, 0), step(i, 0), word(i, 0));
    for (Index y = 1; y <= count(); ++y) sink(CO, end(i - 1, y), leave(i, y), word(i, 0));
  }
  template <class Sink>
  void open_edges(Index i, Index x, Sink& sink) const {
    if (kExplicit) return;
    if (i == 1) return sink(C1, begins(1, x), within(1, x));
    sink(CPlus, open(i - 1, x), step(i, x), within(i, x));
    for (Index l = 0; l <= count(); ++l) sink(C, link(i - 1, l, x), begins(i, x), within(i, x));
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    const Head found = head(at);
    switch (found.kind) {
      case kEnd:
        return out("end", found.i, found.x);
      case kLink:
        return out("link", found.i, found.l, found.x);
      case kOpen:
        return out("open", found.i, found.l);
      case kGoal:
        return out("goal", found.i);
      case kSteps:
        return out("steps", found.x, found.i, found.l);
    }
  }
  // Tags are the columns of `word`; mentions are told by them unless edges are explicit.
  template <class Out>
  void read(const Step& step, Out& out) const {
    for (int k = 0; k < step.parts; ++k) {
      const auto [array, cell] = step.part[k];
      if (array == kWord) out.tag(cell / (3 * count() + 1), cell % (3 * count() + 1));
    }
    const Head found = head(step.head);
    switch (step.rule) {
      case E:
      case E1:
      case ELong:
      case E1Long:
        if (kExplicit || step.rule <= E1) {
          const Head steps = head(step.item[step.items - 1]);
          out.mention(found.x - 1, steps.x - 1, steps.i);
        }
        return;
      case LO:
      case LO1: {
        const Head steps = head(step.item[step.items - 1]);
        return out.leave_out(steps.x - 1, steps.x);
      }
      case CO1:
      case CO:
      case COPlus:
      case COStep:
        return out.leave_out(found.i - 1, found.i);
      default:
        return;
    }
  }
};

}  // namespace spanforest

// LabelChunk (SPEC S6, paper 002): chunks over words and a tag for every word, jointly.
#pragma once

#include "spanforest/program.hpp"

namespace spanforest {

struct ChunkTable {
  Index chunks, tags, outside;
  bool adjacent;  // whether two outside chunks may be neighbours
};

// Across: tags of neighbouring words also score across a chunk boundary.
template <bool kAcross>
struct LabelChunk {
  enum Array { kNode, kTransition, kChunk, kBoundary, kAcrossScores };
  static constexpr int kArrays = kAcross ? 5 : 4;
  enum Rule { L, LNext, I, K, KO, A0, A, Goal, Empty };
  static constexpr const char* rules[] = {"L", "L+", "I", "K", "KO", "A0", "A", "goal", "empty"};

  Index n;
  const ChunkTable* table;
  std::array<Cells, kAcross ? 5 : 4> cells;

  enum Kind { kRun, kFilled, kClosed, kOpen, kGoal };
  struct Head {
    Index at;
    Kind kind;
    Index q, t, c, p;
  };

  Spans spans() const { return {n}; }
  Index chunks() const { return table->chunks; }
  Index tags() const { return table->tags; }
  // [tags] of the items that carry one only across chunks
  Index carried() const { return kAcross ? tags() : 1; }

  Item run(Index q, Index t, Index c, Index p) const {
    return {(spans()(q, t) * chunks() + c) * tags() + p};
  }
  Index filled_base() const { return spans().count() * chunks() * tags(); }
  Item filled(Index q, Index r, Index c) const {
    return {filled_base() + spans()(q, r) * chunks() + c};
  }
  Index position_base() const { return filled_base() + (kAcross ? 0 : spans().count() * chunks()); }
  Index columns() const { return 2 * chunks() * carried() + 1; }
  Item closed(Index r, Index c, Index p) const {
    return {position_base() + r * columns() + c * carried() + p};
  }
  Item open(Index q, Index c, Index p) const {
    return {position_base() + q * columns() + (chunks() + c) * carried() + p};
  }
  Index goal(Index m) const { return position_base() + (m + 1) * columns() - 1; }
  Index size() const { return position_base() + (n + 1) * columns(); }

  Part<kNode> node(Index t, Index c, Index p) const { return {cells[kNode](t, c, p)}; }
  Part<kTransition> transition(Index t, Index c, Index s, Index p) const {
    return {cells[kTransition](t, c, s, p)};
  }
  Part<kChunk> chunk(Index q, Index r, Index c) const { return {cells[kChunk](q, r - 1, c)}; }
  Part<kBoundary> boundary(Index q, Index d, Index c) const { return {cells[kBoundary](q, d, c)}; }
  Part<kAcrossScores> across(Index q, Index d, Index c, Index s, Index p) const {
    return {cells[kAcrossScores](q, d, c, s, p)};
  }

  Head head(Index at) const {
    if (at >= position_base()) {
      const Index position = (at - position_base()) / columns();
      const Index k = (at - position_base()) % columns();
      if (k == columns() - 1) return {at, kGoal, 0, position, 0, 0};
      const bool opens = k >= chunks() * carried();
      const Index rest = opens ? k - chunks() * carried() : k;
      return {at, opens ? kOpen : kClosed, position, position, rest / carried(), rest % carried()};
    }
    if (at >= filled_base()) {
      const auto [q, r] = spans().at((at - filled_base()) / chunks());
      return {at, kFilled, q, r, (at - filled_base()) % chunks(), 0};
    }
    const auto [q, t] = spans().at(at / (chunks() * tags()));
    return {at, kRun, q, t, at / tags() % chunks(), at % tags()};
  }

  template <class F>
  void visit(F f) const {
    for (Index t = 0; t <= n; ++t) position_items(t, f);
  }
  template <class F>
  void visit_back(F f) const {
    std::vector<Head> heads;
    for (Index t = n; t >= 0; --t) {
      heads.clear();
      position_items(t, [&](const Head& found) { heads.push_back(found); });
      for (auto found = heads.rbegin(); found != heads.rend(); ++found) f(*found);
    }
  }
  template <class F>
  void position_items(Index t, F&& f) const {
    for (Index q = 0; q < t; ++q)
      for (Index c = 0; c < chunks(); ++c)
        for (Index p = 0; p < tags(); ++p) f(Head{run(q, t, c, p).at, kRun, q, t, c, p});
    for (Index q = 0; !kAcross && q < t; ++q)
      for (Index c = 0; c < chunks(); ++c) f(Head{filled(q, t, c).at, kFilled, q, t, c, 0});
    for (Index c = 0; t > 0 && c < chunks(); ++c)
      for (Index p = 0; p < carried(); ++p) f(Head{closed(t, c, p).at, kClosed, t, t, c, p});
    for (Index c = 0; t < n && c < chunks(); ++c)
      for (Index p = 0; p < carried(); ++p) f(Head{open(t, c, p).at, kOpen, t, t, c, p});
    f(Head{goal(t), kGoal, 0, t, 0, 0});
  }

  template <class Sink>
  void edges(const Head& head, Sink&& sink) const {
    const Index q = head.q, t = head.t, c = head.c, p = head.p;
    switch (head.kind) {
      case kRun:
        if (t == q + 1 && kAcross) sink(L, open(q, c, p), node(q, c, p));
        if (t == q + 1 && !kAcross) sink(L, node(q, c, p));
        for (Index s = 0; t > q + 1 && s < tags(); ++s)
          sink(LNext, run(q, t - 1, c, s), transition(t - 1, c, s, p), node(t - 1, c, p));
        return;
      case kFilled:
        for (Index s = 0; s < tags(); ++s) sink(I, run(q, t, c, s));
        return;
      case kClosed:
        for (Index b = 0; b < t; ++b) closed_edge(b, t, c, p, sink);
        return;
      case kOpen:
        if (t == 0) return sink(A0);
        outside_first([&](Index d) {
          if (d == c && c == table->outside && !table->adjacent) return;
          for (Index s = 0; s < carried(); ++s) {
            if constexpr (kAcross) {
              sink(A, closed(t, d, s), boundary(t, d, c), across(t, d, c, s, p));
            } else {
              sink(A, closed(t, d, 0), boundary(t, d, c));
            }
          }
        });
        return;
      case kGoal:
        if (t == 0) return sink(Empty);
        outside_first([&](Index d) {
          for (Index s = 0; s < carried(); ++s) sink(Goal, closed(t, d, s));
        });
    }
  }
  template <class Sink>
  void closed_edge(Index q, Index r, Index c, Index p, Sink& sink) const {
    const int rule = c == table->outside ? KO : K;
    if constexpr (kAcross) {
      sink(rule, run(q, r, c, p), chunk(q, r, c));
    } else {
      sink(rule, open(q, c, 0), filled(q, r, c), chunk(q, r, c));
    }
  }
  template <class F>
  void outside_first(F f) const {
    f(table->outside);
    for (Index d = 0; d < chunks(); ++d)
      if (d != table->outside) f(d);
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    const Head found = head(at);
    switch (found.kind) {
      case kRun:
        return out("run", found.q, found.t, found.c, found.p);
      case kFilled:
        return out("filled", found.q, found.t, found.c);
      case kClosed:
        return kAcross ? out("closed", found.t, found.c, found.p) : out("closed", found.t, found.c);
      case kOpen:
        return kAcross ? out("open", found.q, found.c, found.p) : out("open", found.q, found.c);
      case kGoal:
        return out("goal", found.t);
    }
  }
  template <class Out>
  void read(const Step& step, Out& out) const {
    const Head found = head(step.head);
    if (step.rule == L || step.rule == LNext) return out.tag(found.t - 1, found.p);
    if (step.rule != K && step.rule != KO) return;
    const Index q = head(step.item[kAcross ? 0 : 1]).q;
    const Index label = found.c > table->outside ? found.c - 1 : found.c;
    if (step.rule == K) return out.mention(label, q, found.t);
    out.leave_out(q, found.t);
  }
};

}  // namespace spanforest

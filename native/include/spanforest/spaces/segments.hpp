// Segments (SPEC S2, paper 000 §4.1): sets of mentions that do not overlap.
#pragma once

#include "spanforest/program.hpp"

namespace spanforest {

struct Segments {
  enum Array { kSpan };
  static constexpr int kArrays = 1;
  static constexpr bool kBlocks = true;  // a part is all labels of a span
  enum Rule { Axiom, A, B };
  static constexpr const char* rules[] = {"axiom", "a", "b"};

  Index n, longest;  // no mention has more words than `longest`

  Spans spans() const { return {n}; }
  Item prefix(Index j) const { return {j}; }
  Part<kSpan> span(Index i, Index j) const { return {spans()(i, j)}; }

  struct Head {
    Index at;
  };
  Index size() const { return n + 1; }
  Index goal(Index m) const { return prefix(m).at; }
  Head head(Index at) const { return {at}; }

  template <class F>
  void visit(F f) const {
    for (Index j = 0; j <= n; ++j) f(Head{j});
  }
  template <class F>
  void visit_back(F f) const {
    for (Index j = n; j >= 0; --j) f(Head{j});
  }

  template <class Sink>
  void edges(Head head, Sink&& sink) const {
    const Index j = head.at;
    if (j == 0) sink(Axiom);
    if (j > 0) sink(B, prefix(j - 1));
    for (Index i = j > longest ? j - longest : 0; i < j; ++i) sink(A, prefix(i), span(i, j));
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    out("prefix", at);
  }
  template <class Out>
  void read(const Step& step, Out& out) const {
    if (step.rule == B) out.leave_out(step.head - 1, step.head);
  }
};

}  // namespace spanforest

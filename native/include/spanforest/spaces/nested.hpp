// Nested (SPEC S3, S4_L; paper 000 §4.2 and §5): spans side by side, or one inside the other.
#pragma once

#include "spanforest/program.hpp"

namespace spanforest {

constexpr int kAnyNarrow = -1;  // the limit is known at run time only
constexpr int kUnrestricted = -2;

// S4_L: at most one child longer than L words; S3 if unrestricted.
template <int kNarrow>
struct Nested {
  enum Array { kSpan };
  static constexpr int kArrays = 1;
  static constexpr bool kBlocks = true;  // a part is all labels of a span
  enum Rule { Axiom, D, F, G, C, E, J, K, L, M, N, O, P, Start, H, I };
  static constexpr const char* rules[] = {"axiom", "d", "f", "g", "c", "e",     "j", "k",
                                          "l",     "m", "n", "o", "p", "axiom", "h", "i"};
  static constexpr bool cubic = kNarrow == kUnrestricted;

  Index n, narrow;

  enum Kind { kMention, kContent, kLeft, kPrefix };
  struct Head {
    Index at;
    Kind kind;
    Index i, j;
  };

  Spans spans() const { return {n}; }
  Index limit() const { return kNarrow == kAnyNarrow ? narrow : Index(kNarrow); }
  bool has_left(Index w) const { return !cubic && w >= limit() + 2; }

  Item mention(Index i, Index j) const { return {spans()(i, j)}; }
  Item content(Index i, Index j) const {
    return {i == j ? spans().count() + i : spans().count() + n + spans()(i, j)};
  }
  Item left(Index i, Index j) const { return {2 * spans().count() + n + spans()(i, j)}; }
  Item prefix(Index j) const { return {(cubic ? 2 : 3) * spans().count() + n + j}; }
  Part<kSpan> span(Index i, Index j) const { return {spans()(i, j)}; }

  Index size() const { return prefix(n).at + 1; }
  Index goal(Index m) const { return prefix(m).at; }

  Head head(Index at) const {
    const Index count = spans().count();
    if (at >= prefix(0).at) return {at, kPrefix, 0, at - prefix(0).at};
    if (at >= count && at < count + n) return {at, kContent, at - count, at - count};
    const Kind kind = at < count ? kMention : at < 2 * count + n ? kContent : kLeft;
    const auto [i, j] = spans().at(at - (kind == kMention ? 0 : n + kind * count));
    return {at, kind, i, j};
  }

  template <class F>
  void visit(F f) const {
    for (Index i = 0; i < n; ++i) f(Head{content(i, i).at, kContent, i, i});
    for (Index w = 1; w <= n; ++w) {
      for (Index i = 0; has_left(w) && i + w <= n; ++i) f(Head{left(i, i + w).at, kLeft, i, i + w});
      for (Index i = 0; i + w <= n; ++i) f(Head{content(i, i + w).at, kContent, i, i + w});
      for (Index i = 0; i + w <= n; ++i) f(Head{mention(i, i + w).at, kMention, i, i + w});
    }
    for (Index j = 0; j <= n; ++j) f(Head{prefix(j).at, kPrefix, 0, j});
  }
  template <class F>
  void visit_back(F f) const {
    for (Index j = n; j >= 0; --j) f(Head{prefix(j).at, kPrefix, 0, j});
    for (Index w = n; w >= 1; --w) {
      for (Index i = 0; i + w <= n; ++i) f(Head{mention(i, i + w).at, kMention, i, i + w});
      for (Index i = 0; i + w <= n; ++i) f(Head{content(i, i + w).at, kContent, i, i + w});
      for (Index i = 0; has_left(w) && i + w <= n; ++i) f(Head{left(i, i + w).at, kLeft, i, i + w});
    }
    for (Index i = 0; i < n; ++i) f(Head{content(i, i).at, kContent, i, i});
  }

  // Rules that leave words out come before those that add mentions, narrow ones before wide ones:
  // the first of equals is taken.
  template <class Sink>
  void edges(const Head& head, Sink&& sink) const {
    const Index i = head.i, j = head.j;
    switch (head.kind) {
      case kMention:
        return sink(G, content(i, j), span(i, j));
      case kContent:
        return content_edges(i, j, sink);
      case kLeft:
        return left_edges(i, j, sink);
      case kPrefix:
        if (j == 0) return sink(Start);
        sink(I, prefix(j - 1));
        for (Index k = j - 1; k >= 0; --k) sink(H, prefix(k), mention(k, j));
    }
  }
  template <class Sink>
  void content_edges(Index i, Index j, Sink& sink) const {
    if (i == j) return sink(Axiom);
    sink(D, content(i, j - 1));
    if constexpr (cubic) {
      if (i < j - 1) sink(F, mention(i, j - 1));
      for (Index k = j - 1; k > i; --k) {
        sink(C, content(i, k), mention(k, j));
        sink(E, mention(i, k), mention(k, j));
      }
    } else {
      for (Index l = 1; l <= limit() && i < j - l; ++l)
        sink(J, content(i, j - l), mention(j - l, j));
      if (i < j - 1) sink(F, mention(i, j - 1));
      for (Index l = 1; l <= limit() && i < j - l; ++l)
        sink(K, mention(i, j - l), mention(j - l, j));
      if (has_left(j - i)) sink(P, left(i, j));
    }
  }
  template <class Sink>
  void left_edges(Index i, Index j, Sink& sink) const {
    if (has_left(j - i - 1)) sink(N, left(i + 1, j));
    for (Index l = 1; l <= limit() && has_left(j - i - l); ++l)
      sink(O, mention(i, i + l), left(i + l, j));
    sink(M, mention(i + 1, j));
    for (Index l = 1; l <= limit() && j - i - l > limit(); ++l)
      sink(L, mention(i, i + l), mention(i + l, j));
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    constexpr const char* names[] = {"mention", "content", "left", "prefix"};
    const Head found = head(at);
    if (found.kind == kPrefix) {
      out(names[kPrefix], found.j);
    } else {
      out(names[found.kind], found.i, found.j);
    }
  }
  template <class Out>
  void read(const Step& step, Out& out) const {
    if (step.rule == I) out.leave_out(step.head - prefix(1).at, step.head - prefix(0).at);
  }
};

}  // namespace spanforest

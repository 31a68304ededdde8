// Chain (SPEC S1) and Discontinuous (SPEC S7, (d)): programs that read tags word by word.
#pragma once

#include "spanforest/program.hpp"

namespace spanforest {

// A linear chain over K tags; `before[b]` are the tags that b may follow.
struct ChainTable {
  Index tags;
  std::vector<std::vector<Index>> before;
  std::vector<char> initial, final;
};

struct Chain {
  enum Array { kWord, kTransition, kStart, kEnd };
  static constexpr int kArrays = 4;
  enum Rule { First, Next, Last, Empty };
  static constexpr const char* rules[] = {"first", "next", "last", "empty"};

  Index n;
  const ChainTable* table;
  std::array<Cells, 4> cells;

  struct Head {
    Index at, i, b;  // goal(i) where b is the number of tags
  };
  Index columns() const { return table->tags + 1; }
  Item tagged(Index i, Index b) const { return {i * columns() + b}; }
  Part<kWord> word(Index i, Index b) const { return {cells[kWord](i - 1, b)}; }
  Part<kTransition> transition(Index a, Index b) const { return {cells[kTransition](a, b)}; }
  Part<kStart> start(Index b) const { return {cells[kStart](b)}; }
  Part<kEnd> end(Index b) const { return {cells[kEnd](b)}; }

  Index size() const { return (n + 1) * columns(); }
  Index goal(Index m) const { return tagged(m, table->tags).at; }
  Head head(Index at) const { return {at, at / columns(), at % columns()}; }

  template <class F>
  void visit(F f) const {
    f(head(goal(0)));
    for (Index at = columns(); at < size(); ++at) f(head(at));
  }
  template <class F>
  void visit_back(F f) const {
    for (Index at = size() - 1; at >= columns(); --at) f(head(at));
    f(head(goal(0)));
  }

  template <class Sink>
  void edges(const Head& head, Sink&& sink) const {
    const Index i = head.i, b = head.b;
    if (b == table->tags) {
      if (i == 0) return sink(Empty);
      for (Index a = 0; a < table->tags; ++a)
        if (table->final[a]) sink(Last, tagged(i, a), end(a));
    } else if (i == 1) {
      if (table->initial[b]) sink(First, start(b), word(1, b));
    } else {
      for (const Index a : table->before[b])
        sink(Next, tagged(i - 1, a), transition(a, b), word(i, b));
    }
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    const Head found = head(at);
    if (found.b == table->tags) {
      out("goal", found.i);
    } else {
      out("tagged", found.i, found.b);
    }
  }
  template <class Out>
  void read(const Step& step, Out& out) const {
    const Head found = head(step.head);
    if (step.rule == First || step.rule == Next) out.tag(found.i - 1, found.b);
  }
};

struct Arc {
  Index from, tag;
};

// `into[r]` are the arcs into state r; state 0 is the initial one.
struct AutomatonTable {
  Index tags, states;
  std::vector<std::vector<Arc>> into;
  std::vector<char> final;
};

struct Automaton {
  enum Array { kWord };
  static constexpr int kArrays = 1;
  enum Rule { Start, Arcs, Final };
  static constexpr const char* rules[] = {"start", "arc", "final"};

  Index n;
  const AutomatonTable* table;
  std::array<Cells, 1> cells;

  struct Head {
    Index at, i, q;  // goal(i) where q is the number of states
  };
  Index columns() const { return table->states + 1; }
  Item state(Index i, Index q) const { return {i * columns() + q}; }
  Part<kWord> word(Index i, Index k) const { return {cells[kWord](i - 1, k)}; }

  Index size() const { return (n + 1) * columns(); }
  Index goal(Index m) const { return state(m, table->states).at; }
  Head head(Index at) const { return {at, at / columns(), at % columns()}; }

  template <class F>
  void visit(F f) const {
    for (Index at = 0; at < size(); ++at) f(head(at));
  }
  template <class F>
  void visit_back(F f) const {
    for (Index at = size() - 1; at >= 0; --at) f(head(at));
  }

  template <class Sink>
  void edges(const Head& head, Sink&& sink) const {
    const Index i = head.i, r = head.q;
    if (r == table->states) {
      for (Index q = 0; q < table->states; ++q)
        if (table->final[q]) sink(Final, state(i, q));
    } else if (i == 0) {
      if (r == 0) sink(Start);
    } else {
      for (const auto& [q, k] : table->into[r]) sink(Arcs, state(i - 1, q), word(i, k));
    }
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    const Head found = head(at);
    if (found.q == table->states) {
      out("goal", found.i);
    } else {
      out("state", found.i, found.q);
    }
  }
  template <class Out>
  void read(const Step& step, Out& out) const {
    if (step.rule != Arcs) return;
    const Index i = head(step.head).i;
    out.tag(i - 1, step.part[0].second - word(i, 0).at);
  }
};

}  // namespace spanforest

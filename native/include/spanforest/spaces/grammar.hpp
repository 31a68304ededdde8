// Grammar (SPEC S8, paper 004): nested mentions as constituents, with joint tags.
// Symbols are the labels, then the tags, then ROOT, which also stands for "no sibling before".
#pragma once

#include <algorithm>
#include <map>
#include <tuple>

#include "spanforest/program.hpp"

namespace spanforest {

// A rule as given: parent and its context, sibling before, children; `more`: others behind.
struct GrammarRow {
  Index rule, parent, context, before, first, second;  // second -1: one child
  bool more;
};

// The grammar with its states resolved: only what can be reached from ROOT.
struct GrammarTable {
  struct Node {  // a mention labelled a below context c; m is the chain of labels on its span
    Index a, c, m;
  };
  struct Rest {  // the last children, two or more, of a below c; p stands before them
    Index a, c, p;
  };
  struct Tagged {  // a word with tag b below context c
    Index b, c;
  };
  struct Child {  // a state: of `tagged` for a tag, of `nodes` for a mention
    Index symbol, state;
  };
  struct Unary {
    Index rule;
    Child child;
  };
  struct Pair {
    Index rule;
    Child first, second;
  };
  struct More {
    Index rule;
    Child first;
    Index rest;
  };
  struct NodeRules {
    std::vector<Unary> unary;
    Index rest;  // -1: none
  };
  // Grouped by what the children are: a tag has one word, so it fixes where the children meet.
  struct RestRules {
    std::vector<Pair> tag_tag, tag_node, node_tag, node_node;
    std::vector<More> tag_more, node_more;
  };

  Index labels, tags;
  bool siblings;
  std::vector<Node> nodes;
  std::vector<NodeRules> node_rules;
  std::vector<Tagged> tagged;
  std::vector<Rest> rests;  // those of ROOT are the first `root_rests`
  std::vector<RestRules> rest_rules;
  Index root_rests = 0;
  NodeRules root;

  Index symbols() const { return labels + tags; }
  bool is_tag(Index symbol) const { return symbol >= labels; }
};

struct Grammar {
  enum Array { kSpan, kTag, kRule, kMeet };
  static constexpr int kArrays = 4;
  enum Rule { Pos, Un, Rests, B, BMore, B0, B0More, B1, B1More, Goal, Empty };
  static constexpr const char* rules[] = {"pos", "un", "@",   "b",    "b@",   "b0",
                                          "b0@", "b1", "b1@", "goal", "empty"};

  Index n;
  const GrammarTable* table;
  std::array<Cells, 4> cells;
  std::vector<Index> ends;  // the lengths of the sentences: ROOT is asked for these only

  enum Kind { kNode, kRest, kTagged, kRootRest, kRoot, kGoal };
  struct Head {
    Index at;
    Kind kind;
    Index i, j, state;
  };

  Spans spans() const { return {n}; }
  Index inner_rests() const { return Index(table->rests.size()) - table->root_rests; }
  Index per_span() const { return Index(table->nodes.size()) + inner_rests(); }
  Item node(Index state, Index i, Index j) const { return {spans()(i, j) * per_span() + state}; }
  Index tagged_base() const { return spans().count() * per_span(); }
  Item tagged(Index state, Index i) const {
    return {tagged_base() + i * Index(table->tagged.size()) + state};
  }
  Index root_base() const { return tagged_base() + n * Index(table->tagged.size()); }
  Index per_end() const { return n * table->root_rests + 2; }
  Index end_number(Index j) const {
    return std::lower_bound(ends.begin(), ends.end(), j) - ends.begin();
  }
  Item rest(Index state, Index i, Index j) const {
    if (state >= table->root_rests)
      return {spans()(i, j) * per_span() + Index(table->nodes.size()) + state - table->root_rests};
    return {root_base() + end_number(j) * per_end() + i * table->root_rests + state};
  }
  Item root(Index j) const { return {root_base() + (end_number(j) + 1) * per_end() - 2}; }
  Index goal(Index m) const { return root_base() + (end_number(m) + 1) * per_end() - 1; }
  Index size() const { return root_base() + Index(ends.size()) * per_end(); }
  Item child(const GrammarTable::Child& c, Index i, Index j) const {
    return table->is_tag(c.symbol) ? tagged(c.state, i) : node(c.state, i, j);
  }

  Part<kSpan> span(Index i, Index j, Index a, Index c) const {
    return {cells[kSpan](i, j - 1, a, c)};
  }
  Part<kTag> tag(Index i, Index b, Index c) const { return {cells[kTag](i, b - table->labels, c)}; }
  Part<kRule> rule(Index r) const { return {cells[kRule](r)}; }
  Part<kMeet> meet(Index k, Index b, Index e) const { return {cells[kMeet](k, b, e)}; }

  Head head(Index at) const {
    if (at >= root_base()) {
      const Index end = ends[(at - root_base()) / per_end()], k = (at - root_base()) % per_end();
      if (k == per_end() - 1) return {at, kGoal, 0, end, 0};
      if (k == per_end() - 2) return {at, kRoot, 0, end, 0};
      return {at, kRootRest, k / table->root_rests, end, k % table->root_rests};
    }
    if (at >= tagged_base()) {
      const Index count = Index(table->tagged.size());
      const Index i = (at - tagged_base()) / count;
      return {at, kTagged, i, i + 1, (at - tagged_base()) % count};
    }
    const auto [i, j] = spans().at(at / per_span());
    const Index state = at % per_span(), nodes = Index(table->nodes.size());
    if (state < nodes) return {at, kNode, i, j, state};
    return {at, kRest, i, j, state - nodes + table->root_rests};
  }

  template <class F>
  void visit(F f) const {
    for (Index i = 0; i < n; ++i)
      for (Index s = 0; s < Index(table->tagged.size()); ++s)
        f(Head{tagged(s, i).at, kTagged, i, i + 1, s});
    for (Index w = 1; w <= n; ++w)
      for (Index i = 0; i + w <= n; ++i) span_items(i, i + w, f);
    for (const Index end : ends) end_items(end, f);
  }
  template <class F>
  void visit_back(F f) const {
    std::vector<Head> heads;
    const auto back = [&] {
      std::for_each(heads.rbegin(), heads.rend(), f);
      heads.clear();
    };
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      end_items(*end, [&](const Head& found) { heads.push_back(found); });
      back();
    }
    for (Index w = n; w >= 1; --w)
      for (Index i = 0; i + w <= n; ++i) {
        span_items(i, i + w, [&](const Head& found) { heads.push_back(found); });
        back();
      }
    for (Index i = 0; i < n; ++i)
      for (Index s = 0; s < Index(table->tagged.size()); ++s)
        f(Head{tagged(s, i).at, kTagged, i, i + 1, s});
  }
  template <class F>
  void span_items(Index i, Index j, F&& f) const {
    for (Index s = table->root_rests; j > i + 1 && s < Index(table->rests.size()); ++s)
      f(Head{rest(s, i, j).at, kRest, i, j, s});
    for (Index s = 0; s < Index(table->nodes.size()); ++s)
      f(Head{node(s, i, j).at, kNode, i, j, s});
  }
  template <class F>
  void end_items(Index end, F&& f) const {
    for (Index i = end - 2; i >= 0; --i)
      for (Index s = 0; s < table->root_rests; ++s)
        f(Head{rest(s, i, end).at, kRootRest, i, end, s});
    if (end > 0) f(Head{root(end).at, kRoot, 0, end, 0});
    f(Head{goal(end), kGoal, 0, end, 0});
  }

  template <class Sink>
  void edges(const Head& head, Sink&& sink) const {
    const Index i = head.i, j = head.j;
    switch (head.kind) {
      case kTagged: {
        const auto& [b, c] = table->tagged[head.state];
        return sink(Pos, tag(i, b, c));
      }
      case kNode: {
        const auto& state = table->nodes[head.state];
        const auto& own = table->node_rules[head.state];
        const auto score = span(i, j, state.a, state.c);
        if (own.rest >= 0 && j > i + 1) sink(Rests, rest(own.rest, i, j), score);
        for (const auto& [r, c] : own.unary)
          if (j == i + 1 || !table->is_tag(c.symbol)) sink(Un, child(c, i, j), score, rule(r));
        return;
      }
      case kRoot:
        if (table->root.rest >= 0 && j > 1) sink(Rests, rest(table->root.rest, 0, j));
        for (const auto& [r, c] : table->root.unary)
          if (j == 1 || !table->is_tag(c.symbol)) sink(Un, child(c, 0, j), rule(r));
        return;
      case kRest:
      case kRootRest: {
        const Index before = table->rests[head.state].p;
        if (!table->siblings) return rest_edges<0>(head, before, sink);
        if (before == table->symbols()) return rest_edges<1>(head, before, sink);
        return rest_edges<2>(head, before, sink);
      }
      case kGoal:
        return j == 0 ? sink(Empty) : sink(Goal, root(j));
    }
  }

  // kSeen: 0 without siblings, 1 for the first children, 2 behind a sibling.
  template <int kSeen, class Sink>
  void rest_edges(const Head& head, Index before, Sink& sink) const {
    const Index i = head.i, j = head.j;
    const auto& own = table->rest_rules[head.state];
    const auto pairs = [&](const std::vector<GrammarTable::Pair>& rows, Index k) {
      for (const auto& [r, b, e] : rows) {
        const Item first = child(b, i, k), second = child(e, k, j);
        const auto met = [&] { return meet(k, b.symbol, e.symbol); };
        if constexpr (kSeen == 0) sink(B, first, second, rule(r));
        if constexpr (kSeen == 1) sink(B0, first, second, rule(r), met());
        if constexpr (kSeen == 2)
          sink(B1, first, second, rule(r), meet(i, before, b.symbol), met());
      }
    };
    const auto mores = [&](const std::vector<GrammarTable::More>& rows, Index k) {
      for (const auto& [r, b, q] : rows) {
        const Item first = child(b, i, k), others = rest(q, k, j);
        if constexpr (kSeen == 0) sink(BMore, first, others, rule(r));
        if constexpr (kSeen == 1) sink(B0More, first, others, rule(r));
        if constexpr (kSeen == 2) sink(B1More, first, others, rule(r), meet(i, before, b.symbol));
      }
    };
    // tags before mentions: the first of equals is taken
    if (j == i + 2) pairs(own.tag_tag, i + 1);
    if (j > i + 2) mores(own.tag_more, i + 1);
    pairs(own.tag_node, i + 1);
    pairs(own.node_tag, j - 1);
    for (Index k = i + 1; k < j; ++k) pairs(own.node_node, k);
    for (Index k = i + 1; k + 2 <= j; ++k) mores(own.node_more, k);
  }

  template <class Out>
  void describe(Index at, Out&& out) const {
    const Head found = head(at);
    switch (found.kind) {
      case kNode: {
        const auto& s = table->nodes[found.state];
        return out("node", s.a, s.c, s.m, found.i, found.j);
      }
      case kTagged: {
        const auto& s = table->tagged[found.state];
        return out("node", s.b, s.c, Index(0), found.i, found.j);
      }
      case kRest:
      case kRootRest: {
        const auto& s = table->rests[found.state];
        return out("rest", s.a, s.c, s.p, found.i, found.j);
      }
      case kRoot:
        return out("ROOT", found.j);
      case kGoal:
        return out("goal", found.j);
    }
  }

  // Words whose tags are children of ROOT are in no mention.
  template <class Out>
  void read(const Step& step, Out& out) const {
    const Head found = head(step.head);
    if (step.rule == Pos) {
      return out.tag(found.i, table->tagged[found.state].b - table->labels);
    }
    if (found.kind == kNode) {
      const auto& state = table->nodes[found.state];
      return out.mention(state.a, found.i, found.j, state.m);
    }
    if (found.kind != kRoot && found.kind != kRootRest) return;
    for (int k = 0; k < step.items; ++k) {
      const Head below = head(step.item[k]);
      if (below.kind == kTagged) out.leave_out(below.i, below.j);
    }
  }
};

}  // namespace spanforest

// Explicit graphs: all derivations of one sentence, edge by edge. They serve questions in which the
// derivations themselves are restricted (refine.hpp), and comparisons with the rules.
// A graph is a program itself: the weight of an edge is its only part.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "spanforest/algorithms.hpp"
#include "spanforest/decode.hpp"

namespace spanforest {

struct Graph {
  static constexpr int kArrays = 1;

  struct Place {  // an entry of a score array
    int array;
    std::array<Index, kMostAxes> at;

    auto operator<=>(const Place&) const = default;
  };
  struct Edge {
    int rule = 0, items = 0, parts = 0;
    std::array<Index, 2> item{};
    std::array<Place, 5> part{};
    Events::Span mention{-1, 0, 0, 0};  // label -1: none
    Range tag{-1, -1}, outside{-1, -1};
    std::vector<Range> left_out;   // words outside all mentions
    std::vector<Index> completed;  // which of the tracked mentions
  };
  struct Head {
    Index at;
  };

  Index n = 0;
  std::vector<std::vector<Edge>> ways;    // by item: antecedents come first, the goal is last
  std::vector<Index> first;               // number of the first edge of each item
  std::vector<std::vector<Index>> names;  // of items: program item, further values; not if refined
  bool mentions_explicit = false;         // of the program, see with_program

  bool empty() const { return ways.empty(); }
  Index size() const { return Index(ways.size()); }
  Index goal(Index) const { return size() - 1; }
  Head head(Index at) const { return {at}; }
  Index edge_count() const { return first.empty() ? 0 : first.back(); }

  template <class F>
  void visit(F f) const {
    for (Index at = 0; at < size(); ++at) f(Head{at});
  }
  template <class F>
  void visit_back(F f) const {
    for (Index at = size() - 1; at >= 0; --at) f(Head{at});
  }
  template <class Sink>
  void edges(Head head, Sink&& sink) const {
    for (std::size_t k = 0; k < ways[head.at].size(); ++k) {
      const Edge& edge = ways[head.at][k];
      const Part<0> weight{first[head.at] + Index(k)};
      if (edge.items == 0) sink(int(k), weight);
      if (edge.items == 1) sink(int(k), weight, Item{edge.item[0]});
      if (edge.items == 2) sink(int(k), weight, Item{edge.item[0]}, Item{edge.item[1]});
    }
  }
  template <class F>
  void each_edge(F f) const {
    for (Index at = 0; at < size(); ++at)
      for (std::size_t k = 0; k < ways[at].size(); ++k) f(at, ways[at][k], first[at] + Index(k));
  }
};

// The graph of the items that can be derived and are needed for the goal, in an order in which
// antecedents come first. `ways` are acyclic.
inline Graph trimmed(Index n, std::vector<std::vector<Graph::Edge>> ways, Index goal,
                     std::vector<std::vector<Index>> names = {}) {
  const Index count = Index(ways.size());
  std::vector<Index> order;
  std::vector<char> seen(count, 0);
  const auto postorder = [&] {
    order.clear();
    std::fill(seen.begin(), seen.end(), 0);
    std::vector<std::pair<Index, Index>> agenda{{goal, 0}};  // item, antecedents looked at
    seen[goal] = 1;
    while (!agenda.empty()) {
      auto& [at, next] = agenda.back();
      const auto& own = ways[at];
      if (next == 2 * Index(own.size())) {
        order.push_back(at);
        agenda.pop_back();
        continue;
      }
      const auto& edge = own[next / 2];
      const Index k = next++ % 2;
      if (k < edge.items && !seen[edge.item[k]]) {
        seen[edge.item[k]] = 1;
        agenda.emplace_back(edge.item[k], 0);
      }
    }
  };
  postorder();
  std::vector<char> derived(count, 0);
  for (const Index at : order) {
    std::erase_if(ways[at], [&](const Graph::Edge& edge) {
      return (edge.items > 0 && !derived[edge.item[0]]) ||
             (edge.items > 1 && !derived[edge.item[1]]);
    });
    derived[at] = !ways[at].empty();
  }
  Graph graph;
  graph.n = n;
  if (!derived[goal]) return graph;
  postorder();
  std::vector<Index> number(count, -1);
  Index edges = 0;
  for (const Index at : order) {
    number[at] = Index(graph.ways.size());
    for (auto& edge : ways[at])
      for (int k = 0; k < edge.items; ++k) edge.item[k] = number[edge.item[k]];
    graph.first.push_back(edges);
    edges += Index(ways[at].size());
    graph.ways.push_back(std::move(ways[at]));
    if (!names.empty()) graph.names.push_back(std::move(names[at]));
  }
  graph.first.push_back(edges);
  return graph;
}

// The entry that a cell stands for, with the extents of the array.
inline Graph::Place place_of(int array, Index cell, const Cells& cells,
                             const std::array<Index, kMostAxes>& extent) {
  Graph::Place place{array, {}};
  for (int axis = 0; axis < kMostAxes; ++axis)
    if (cells.stride[axis]) place.at[axis] = cell / cells.stride[axis] % extent[axis];
  return place;
}

// Grounding: all derivations of n words. Blocks of labels become edges of their own, those of sets
// by the rules s, u and v (spaces/_label_sets.py).
template <class Program>
class Grounder {
 public:
  static constexpr int kS = int(std::size(Program::rules)), kU = kS + 1, kV = kS + 2;

  Grounder(const Space& space, const Program& program, const Batch& shapes)
      : space_(space), program_(program) {
    for (int array = 0; array < int(shapes.shapes.size()); ++array) {
      extents_.push_back(shapes.extents(array, program.n, true));
      cells_.push_back(shapes.cells(array, program.n, true));
    }
  }

  Graph run() {
    const Index goal = number({program_.goal(program_.n)});
    while (!agenda_.empty()) {
      const Index at = agenda_.back();
      agenda_.pop_back();
      const auto name = names_[at];
      if (name.size() == 1) {
        expand(at, name[0]);
      } else {
        expand_set(at, name);
      }
    }
    return trimmed(program_.n, std::move(ways_), goal, std::move(names_));
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<Index>& name) const {
      std::size_t hash = name.size();
      for (const Index x : name) hash = hash * 1000003 + std::size_t(x);
      return hash;
    }
  };

  Index number(std::vector<Index> name) {
    const auto [entry, fresh] = numbers_.try_emplace(std::move(name), Index(ways_.size()));
    if (fresh) {
      agenda_.push_back(entry->second);
      ways_.emplace_back();
      names_.push_back(entry->first);
    }
    return entry->second;
  }

  void expand(Index at, Index item) {
    program_.edges(program_.head(item), [&](int rule, auto... antecedents) {
      const Step step = step_of(rule, item, antecedents...);
      Graph::Edge edge;
      edge.rule = rule;
      for (int k = 0; k < step.items; ++k) edge.item[edge.items++] = number({step.item[k]});
      Events events;
      program_.read(step, events);
      if (!events.mentions.empty()) edge.mention = events.mentions[0];
      if (!events.tags.empty() && space_.kind != Kind::dynamic) edge.tag = events.tags[0];
      if (!events.outside.empty()) edge.outside = events.outside[0];
      edge.left_out = events.outside;
      if (edge.tag.first >= 0 && !space_.meaning.empty()) {
        const Role role = space_.meaning[edge.tag.second].role;
        if (role == Role::outside || role == Role::gap)
          edge.left_out.emplace_back(edge.tag.first, edge.tag.first + 1);
      }
      if constexpr (HasBlocks<Program>) {
        if (step.parts) return expand_block(at, edge, step.part[0].second);
      } else {
        for (int k = 0; k < step.parts; ++k) {
          const auto [array, cell] = step.part[k];
          edge.part[edge.parts++] = place_of(array, cell, cells_[array], extents_[array]);
        }
      }
      ways_[at].push_back(edge);
    });
  }

  void expand_block(Index at, Graph::Edge edge, Index span) {
    const auto& labels = space_.labels;
    const auto [i, j] = Spans{program_.n}.at(span);
    if (labels.most == 1) {
      for (Index t = 0; t < labels.count; ++t)
        if (labels.allows(t, j - i)) ways_[at].push_back(with_label(edge, i, j, t));
      return;
    }
    const Index sets = labels.most == 0 ? 1 : labels.most;
    for (Index c = 1; c <= sets; ++c) {
      auto with_set = edge;
      with_set.item[with_set.items++] = number({i, j, labels.count - 1, c});
      ways_[at].push_back(with_set);
    }
  }

  static Graph::Edge with_label(Graph::Edge edge, Index i, Index j, Index t) {
    edge.part[edge.parts++] = {0, {i, j - 1, t}};
    edge.mention = {t, i, j, 0};
    return edge;
  }

  // name: i, j, t, c; c is always 1 where sets have any size
  void expand_set(Index at, const std::vector<Index>& name) {
    const Index i = name[0], j = name[1], t = name[2], c = name[3];
    const bool any = space_.labels.most == 0, allowed = space_.labels.allows(t, j - i);
    const auto add = [&](int rule, Index smaller, bool with) {
      Graph::Edge edge;
      edge.rule = rule;
      if (smaller > 0) edge.item[edge.items++] = number({i, j, t - 1, smaller});
      ways_[at].push_back(with ? with_label(edge, i, j, t) : edge);
    };
    if (allowed && c == 1) add(kS, 0, true);
    if (t == 0) return;
    add(kU, c, false);
    if (allowed && (any || c > 1)) add(kV, any ? 1 : c - 1, true);
  }

  const Space& space_;
  const Program& program_;
  std::vector<std::array<Index, kMostAxes>> extents_;
  std::vector<Cells> cells_;
  std::unordered_map<std::vector<Index>, Index, Hash> numbers_;
  std::vector<Index> agenda_;
  std::vector<std::vector<Graph::Edge>> ways_;
  std::vector<std::vector<Index>> names_;
};

// `shapes` says what the score arrays look like; no scores are read.
inline Graph ground(const Space& space, const Batch& shapes, Index n, bool mentions_explicit) {
  return with_program(space, mentions_explicit, [&](const auto& make) {
    const auto program =
        make(n, std::vector<Index>{n}, [&](int array) { return shapes.cells(array, n, true); });
    Graph graph = Grounder(space, program, shapes).run();
    graph.mentions_explicit = mentions_explicit;
    return graph;
  });
}

}  // namespace spanforest

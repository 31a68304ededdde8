// The k best derivations, lazily (Huang and Chiang 2005, algorithm 3): after the best scores of all
// items are known, alternatives are looked for only where they can matter.
#pragma once

#include <queue>
#include <tuple>
#include <unordered_map>

#include "spanforest/algorithms.hpp"

namespace spanforest {

// A step with what it took: labels where a part is a block.
struct LabelledStep {
  Step step;
  std::vector<Index> labels;
};

// `Choices`: choices(part) are the ways to take a block, best first; none for other programs.
template <class Program, class Choices>
class KBest {
  using S = Max<double, 1>;

 public:
  KBest(const Program& program, const Parts<Program, S>& parts, const double* values,
        Choices choices)
      : program_(program), parts_(parts), values_(values), choices_(std::move(choices)) {}

  // The derivation of rank r (from 0) of an item; false if there are not so many.
  bool find(Index item, Index r) {
    std::vector<std::pair<Index, Index>> agenda{{item, r}};
    while (!agenda.empty()) {
      const auto [at, rank] = agenda.back();
      Node& node = node_of(at);
      const auto needed = advance(node, rank);
      if (needed.first >= 0) {
        agenda.push_back(needed);
      } else {
        agenda.pop_back();
      }
    }
    return Index(node_of(item).best.size()) > r;
  }
  double score(Index item, Index r) { return node_of(item).best[r].score; }

  void unfold(Index goal, Index r, std::vector<LabelledStep>& steps) {
    std::vector<std::pair<Index, Index>> agenda{{goal, r}};
    while (!agenda.empty()) {
      const auto [at, rank] = agenda.back();
      agenda.pop_back();
      find(at, rank);
      const Node& node = node_of(at);
      const Candidate& chosen = node.best[rank];
      const Step& step = node.edges[chosen.edge];
      steps.push_back({step, {}});
      if constexpr (HasBlocks<Program>) {
        if (step.parts)
          steps.back().labels = choices_(step.part[0].second)[chosen.rank[kBlock]].labels;
      }
      for (int k = step.items - 1; k >= 0; --k) agenda.emplace_back(step.item[k], chosen.rank[k]);
    }
  }

 private:
  static constexpr int kBlock = 2;  // slots: two items, a block

  struct Candidate {
    double score;
    int edge, slot;  // only this slot and later ones are advanced, so that none comes twice
    std::array<Index, 3> rank;

    bool operator<(const Candidate& other) const {
      if (score != other.score) return score < other.score;
      return std::tie(edge, rank) > std::tie(other.edge, other.rank);
    }
  };
  struct Node {
    std::vector<Step> edges;
    std::vector<Candidate> best;
    std::priority_queue<Candidate> heap;
    int pending = 3;  // the next slot of the last best one to advance
  };

  Node& node_of(Index at) {
    const auto [entry, fresh] = nodes_.try_emplace(at);
    Node& node = entry->second;
    if (fresh) {
      program_.edges(program_.head(at), [&](int rule, auto... antecedents) {
        const double score = product_of<S>(Look<S, Program>{values_, parts_}, antecedents...);
        if (score == -infinity<double>) return;
        node.heap.push({score, int(node.edges.size()), 0, {}});
        node.edges.push_back(step_of(rule, at, antecedents...));
      });
    }
    return node;
  }

  // Works towards the derivation of rank r; what another item must give first, or {-1, -1}.
  std::pair<Index, Index> advance(Node& node, Index r) {
    while (Index(node.best.size()) <= r) {
      for (; node.pending < 3; ++node.pending) {
        const auto needed = push_next(node, node.best.back(), node.pending);
        if (needed.first >= 0) return needed;
      }
      if (node.heap.empty()) break;
      node.best.push_back(node.heap.top());
      node.heap.pop();
      node.pending = node.best.back().slot;
    }
    return {-1, -1};
  }

  std::pair<Index, Index> push_next(Node& node, const Candidate& from, int slot) {
    const Step& step = node.edges[from.edge];
    Candidate next = from;
    next.slot = slot;
    const Index rank = ++next.rank[slot];
    if (slot == kBlock) {
      if constexpr (HasBlocks<Program>) {
        if (!step.parts) return {-1, -1};
        const auto& ways = choices_(step.part[0].second);
        if (rank >= Index(ways.size())) return {-1, -1};
        next.score += ways[rank].score - ways[rank - 1].score;
        node.heap.push(next);
      }
      return {-1, -1};
    }
    if (slot >= step.items) return {-1, -1};
    const Index item = step.item[slot];
    Node& below = node_of(item);
    if (Index(below.best.size()) <= rank) {
      if (below.heap.empty() && below.pending == 3) return {-1, -1};
      return {item, rank};
    }
    next.score += below.best[rank].score - below.best[rank - 1].score;
    node.heap.push(next);
    return {-1, -1};
  }

  const Program& program_;
  const Parts<Program, S>& parts_;
  const double* values_;
  Choices choices_;
  std::unordered_map<Index, Node> nodes_;
};

}  // namespace spanforest

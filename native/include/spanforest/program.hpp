// What a space is to the engine: a program that lists, for every item, the ways to build it.
//
// A program has items (numbered, the goal of a sentence of m words is `goal(m)`), and parts: cells
// of score arrays. Its primitive is `edges(head, sink)`, one line a rule:
//
//   sink(J, content(i, j - l), mention(j - l, j));
//
// the antecedents being items and parts. `visit(f)` calls f(head) in an order in which antecedents
// come first, `visit_back(f)` in the reverse order, `head(item)` finds the head of an item again.
// A head is whatever makes `edges` fast; its member `at` is the number of the item.
// The algorithms are written once over this (algorithms.hpp) and know no space.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace spanforest {

using Index = std::int64_t;

struct Item {
  Index at;
};

template <int Array>
struct Part {
  Index at;
};

// The cells of a score array: one for every entry, or one for a whole axis of constant scores.
// An array that is not given has one cell.
struct Cells {
  std::array<Index, 5> stride{};
  Index count = 1;

  template <class... Indices>
  Index operator()(Indices... at) const {
    Index cell = 0;
    int axis = 0;
    ((cell += stride[axis++] * Index(at)), ...);
    return cell;
  }
};

// One rule instance, as a derivation lists it.
struct Step {
  int rule = 0;
  Index head = 0;
  int items = 0, parts = 0;
  std::array<Index, 2> item{};
  std::array<std::pair<int, Index>, 5> part{};  // number of the array, cell

  void add(Item antecedent) { item[items++] = antecedent.at; }
  template <int Array>
  void add(Part<Array> antecedent) {
    part[parts++] = {Array, antecedent.at};
  }
};

template <class... Antecedents>
Step step_of(int rule, Index head, Antecedents... antecedents) {
  Step step;
  step.rule = rule;
  step.head = head;
  (step.add(antecedents), ...);
  return step;
}

// Spans (i, j), 0 <= i < j <= n, numbered width by width: those of one width are neighbours.
struct Spans {
  Index n;

  Index count() const { return n * (n + 1) / 2; }
  Index operator()(Index i, Index j) const {
    const Index w = j - i;
    return (w - 1) * (2 * n - w + 2) / 2 + i;
  }
  std::pair<Index, Index> at(Index number) const {
    Index w = 1;
    for (Index low = 1, high = n; low <= high;) {
      const Index middle = (low + high) / 2;
      if ((*this)(0, middle) <= number) {
        w = middle;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    const Index i = number - (*this)(0, w);
    return {i, i + w};
  }
};

}  // namespace spanforest

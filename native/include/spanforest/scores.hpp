// Scores: views of the arrays of a batch, and the cells that a program reads, in packs of
// sentences.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "spanforest/program.hpp"
#include "spanforest/semiring.hpp"

namespace spanforest {

constexpr Index kWords = -1;  // an axis as long as the sentence
constexpr int kMostAxes = 5;

// What a score array of a space looks like.
struct ArrayShape {
  int axes = 0;
  std::array<Index, kMostAxes> extent{};
  bool upper = false;  // only entries whose first two indices do not decrease are read
};

// The array of one sentence: strides in entries, 0 along an axis of constant scores.
struct View {
  const void* data = nullptr;  // null where it is not given: all 0
  bool is_double = false;
  std::array<Index, kMostAxes> stride{};

  Index offset(const std::array<Index, kMostAxes>& index) const {
    Index result = 0;
    for (int axis = 0; axis < kMostAxes; ++axis) result += index[axis] * stride[axis];
    return result;
  }
  double at(const std::array<Index, kMostAxes>& index) const {
    if (!data) return 0;
    return is_double ? static_cast<const double*>(data)[offset(index)]
                     : double(static_cast<const float*>(data)[offset(index)]);
  }
  // f(data) with the data as an array of its type
  template <class F>
  void with(F f) const {
    if (is_double) {
      f(static_cast<const double*>(data));
    } else {
      f(static_cast<const float*>(data));
    }
  }
};

struct Batch {
  bool is_double = false;  // whether any array is: so are the answers then
  std::vector<Index> lengths;
  std::vector<ArrayShape> shapes;
  std::vector<std::vector<View>> views;  // [array][sentence]
  // Axes of words along which the scores of all sentences are constant, by array.
  std::vector<std::array<bool, kMostAxes>> constant;

  Index size() const { return Index(lengths.size()); }
  // The extents of the cells of an array for n words; an array that is not given has one cell,
  // unless all its entries are asked for.
  std::array<Index, kMostAxes> extents(int array, Index n, bool all) const {
    std::array<Index, kMostAxes> result{1, 1, 1, 1, 1};
    const auto& shape = shapes[array];
    const bool given = views[array].empty() || views[array][0].data;
    for (int axis = 0; axis < shape.axes; ++axis) {
      if (!given && !all) continue;
      const bool words = shape.extent[axis] == kWords;
      result[axis] = !words ? shape.extent[axis] : constant[array][axis] ? 1 : n;
    }
    return result;
  }
  Cells cells(int array, Index n, bool all = false) const {
    const auto e = extents(array, n, all);
    Cells result;
    for (int axis = kMostAxes - 1; axis >= 0; --axis) {
      result.stride[axis] = e[axis] == 1 ? 0 : result.count;
      result.count *= e[axis];
    }
    return result;
  }
};

constexpr double kScoreLimit = 1e15;  // SCORE_LIMIT in inference/scores.py

// Whether a score is a number that sums stay finite with, or -inf. NaN is not.
template <class T>
inline bool is_good(T score) {
  return (score <= T(kScoreLimit)) & ((score >= T(-kScoreLimit)) | (score == -infinity<T>));
}

// A score that is not good where a part reads it.
struct BadScore {
  int array;
  Index sentence;
  std::array<Index, kMostAxes> at;
};

// Entries of one sentence's array, in the order of its cells: f(cell, value), rows at a time.
template <class F>
void each_row(const Batch& batch, int array, const Cells& cells, Index n, F f) {
  const auto& shape = batch.shapes[array];
  std::array<Index, kMostAxes> extent{1, 1, 1, 1, 1};
  for (int axis = 0; axis < shape.axes; ++axis) {
    const bool words = shape.extent[axis] == kWords;
    extent[axis] = words && batch.constant[array][axis] ? 1 : words ? n : shape.extent[axis];
    if (extent[axis] == 0) return;
  }
  const int last = shape.axes - 1;
  std::array<Index, kMostAxes> at{};
  while (true) {
    Index cell = 0;
    for (int axis = 0; axis < last; ++axis) cell += at[axis] * cells.stride[axis];
    const Index first = shape.upper && last == 1 ? at[0] : 0;
    if (!shape.upper || last == 1 || at[0] <= at[1]) f(at, cell, first, extent[last]);
    int axis = last - 1;
    while (axis >= 0 && ++at[axis] == extent[axis]) at[axis--] = 0;
    if (axis < 0) return;
  }
}

// The cells of an array for some sentences, one in each lane, as values of the semiring.
// `suspicious` is set where some entry is not below +inf, whether or not any part reads it.
template <class S>
void read_cells(const Batch& batch, int array, const std::vector<Index>& sentences,
                const Cells& cells, std::vector<typename S::Value>& values, bool& suspicious) {
  using T = typename S::Number;
  constexpr int N = S::kLanes;
  values.assign(cells.count, S::zero());
  if (!batch.views[array].empty() && !batch.views[array][0].data) {
    std::fill(values.begin(), values.end(), S::one());
    return;
  }
  std::vector<typename S::Raw> raw(cells.count, splat<T, N>(-infinity<T>));
  bool bad = false;
  for (int k = 0; k < int(sentences.size()); ++k) {
    const Index s = sentences[k];
    const View& view = batch.views[array][s];
    const int last = batch.shapes[array].axes - 1;
    const Index step = cells.stride[last], stride = view.stride[last];
    view.with([&](const auto* data) {
      each_row(batch, array, cells, batch.lengths[s],
               [&](const auto& at, Index cell, Index first, Index end) {
                 Index offset = 0;
                 for (int axis = 0; axis < last; ++axis) offset += at[axis] * view.stride[axis];
                 for (Index x = first; x < end; ++x) {
                   const T score = T(data[offset + x * stride]);
                   bad |= !is_good(data[offset + x * stride]);
                   set_lane<T, N>(raw[cell + x * step], k, score);
                 }
               });
    });
  }
  suspicious |= bad;
  for (Index cell = 0; cell < cells.count; ++cell) values[cell] = S::of(raw[cell]);
}

}  // namespace spanforest

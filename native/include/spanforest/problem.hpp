// A group of sentences of about the same length as the algorithms are given it.
#pragma once

#include <numeric>

#include "spanforest/algorithms.hpp"
#include "spanforest/check.hpp"
#include "spanforest/decode.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

inline std::vector<Index> all_of(const Batch& batch) {
  std::vector<Index> sentences(batch.size());
  std::iota(sentences.begin(), sentences.end(), Index(0));
  return sentences;
}

// Sentences sorted by length, in groups of up to `lanes`.
inline std::vector<std::vector<Index>> groups_of(const Batch& batch, std::vector<Index> order,
                                                 int lanes) {
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return batch.lengths[a] < batch.lengths[b]; });
  std::vector<std::vector<Index>> groups;
  for (std::size_t k = 0; k < order.size(); k += lanes)
    groups.emplace_back(order.begin() + k, order.begin() + std::min(order.size(), k + lanes));
  return groups;
}

// A group with the program for it and the values of its parts.
template <class S, class Make>
struct Problem {
  using V = typename S::Value;
  using Program = decltype(std::declval<const Make&>()(Index(), std::vector<Index>(),
                                                       std::declval<Cells (&)(int)>()));

  const Space& space;
  const Batch& batch;
  std::vector<Index> sentences;
  Index n;
  std::array<Cells, Program::kArrays> cells;
  Program program;
  Parts<Program, S> parts;
  std::vector<V> values;

  Problem(const Space& space, const Batch& batch, const Make& make, std::vector<Index> group,
          bool all, bool positive = false)
      : space(space),
        batch(batch),
        sentences(std::move(group)),
        n(batch.lengths[sentences.back()]),
        cells(cells_for(batch, n, all)),
        program(make(n, ends(), [this](int array) { return cells[array]; })) {
    bool suspicious = false;
    if constexpr (HasBlocks<Program>) {
      read_blocks(positive, suspicious);
    } else {
      for (int array = 0; array < int(batch.shapes.size()); ++array)
        read_cells<S>(batch, array, sentences, cells[array], parts.cells[array], suspicious);
    }
    if (suspicious)
      for (const Index s : sentences) check_scores(space, batch, s);
    values.resize(program.size(), S::zero());
    inside<S>(program, parts, values.data());
  }

  Index length(int k) const { return batch.lengths[sentences[k]]; }
  Index goal(int k) const { return program.goal(length(k)); }
  auto total(int k) const { return S::take(values[goal(k)], k); }

  static std::array<Cells, Program::kArrays> cells_for(const Batch& batch, Index n, bool all) {
    std::array<Cells, Program::kArrays> result;
    if constexpr (!HasBlocks<Program>)
      for (int array = 0; array < int(batch.shapes.size()); ++array)
        result[array] = batch.cells(array, n, all);
    return result;
  }
  std::vector<Index> ends() const {
    std::vector<Index> result;
    for (const Index s : sentences)
      if (result.empty() || result.back() != batch.lengths[s]) result.push_back(batch.lengths[s]);
    return result;
  }

  // The raw scores of the spans that start at i: [j * labels + t], -inf behind the end.
  void read_row(Index i, std::vector<typename S::Raw>& row, bool& bad) const {
    using T = typename S::Number;
    const Index labels = space.labels.count;
    row.assign((n - i) * labels, splat<T, S::kLanes>(-infinity<T>));
    for (int k = 0; k < int(sentences.size()); ++k) {
      const View& view = batch.views[0][sentences[k]];
      view.with([&](const auto* data) {
        for (Index j = i; j < length(k); ++j)
          for (Index t = 0; t < labels; ++t) {
            const auto score = data[i * view.stride[0] + j * view.stride[1] + t * view.stride[2]];
            bad |= !is_good(score);
            set_lane<T, S::kLanes>(row[(j - i) * labels + t], k, T(score));
          }
      });
    }
  }
  void read_blocks(bool positive, bool& suspicious) {
    parts.cells[0].assign(program.spans().count(), S::zero());
    std::vector<typename S::Raw> row;
    for (Index i = 0; i < n; ++i) {
      read_row(i, row, suspicious);
      for (Index j = i + 1; j <= n; ++j) {
        const auto* scores = &row[(j - 1 - i) * space.labels.count];
        V value = fold_labels<S>(space.labels, j - i, [&](Index t) { return S::of(scores[t]); });
        if constexpr (requires { value > 0; }) {
          if (positive) value = select(value > S::one(), value, S::zero());
        }
        parts.cells[0][program.span(i, j).at] = value;
      }
    }
  }

  std::vector<double> label_scores(int k, Index i, Index j) const {
    std::vector<double> scores(space.labels.count);
    for (Index t = 0; t < space.labels.count; ++t)
      scores[t] = batch.views[0][sentences[k]].at({i, j - 1, t});
    return scores;
  }

  void read_labelled(const std::vector<LabelledStep>& steps, Analyses& out) const {
    Events events;
    for (const auto& [step, labels] : steps) {
      program.read(step, events);
      if (labels.empty()) continue;
      const auto [i, j] = Spans{n}.at(step.part[0].second);
      for (const Index t : labels) events.mention(t, i, j);
    }
    decode(space, events, n, out);
  }
  // The analysis of lane k that steps derive; choose(i, j) are the labels of a span.
  template <class Choose>
  void read(int k, const std::vector<Step>& steps, Choose choose, Analyses& out) const {
    Events events;
    for (const Step& step : steps) {
      program.read(step, events);
      if constexpr (HasBlocks<Program>) {
        if (!step.parts) continue;
        const auto [i, j] = Spans{n}.at(step.part[0].second);
        for (const Index t : choose(i, j)) events.mention(t, i, j);
      }
    }
    decode(space, events, length(k), out);
  }
};

// About how long a question about some sentences takes, in nanoseconds.
inline double work_of(const Batch& batch, const std::vector<Index>& sentences) {
  constexpr double kOfAWord = 1000;
  double work = 0;
  for (const Index s : sentences) work += kOfAWord * double(batch.lengths[s]);
  return work;
}

template <class S, class Make>
Problem<S, Make> problem(const Space& space, const Batch& batch, const Make& make,
                         std::vector<Index> group, bool all = false, bool positive = false) {
  return {space, batch, make, std::move(group), all, positive};
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

// Tables over all spans, width by width.
//
// A table of width w has an entry for every span (i, i + w) and lane, at i * kShift + lane. Either
// the lanes are sentences (kShift of them), or there is one sentence and neighbouring starts are
// worked on together (kShift = 1): in both, the next start is kShift entries away.
#pragma once

#include "spanforest/fast/rows.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

// The scores of a sentence: a row of spans for each start, `row` entries apart.
template <class T>
struct Rows {
  const T* scores;
  Index row, n;

  const T* at(Index i, Index j, Index labels) const { return scores + i * row + (j - 1) * labels; }
};

// Takes the scores of spans label by label, and writes what they come to, width by width.
template <class T, class Sum>
struct LabelFold {
  Index labels;
  T* to = nullptr;
  const Index* width = nullptr;  // the offset of the width to write next
  Watch<T> watch{};
  Index t = 0;
  Wide<T> sum{};

  void operator()(const Wide<T>& score) {
    watch.see(score);
    sum = t == 0 ? Sum::of(score) : Sum::plus(sum, Sum::of(score));
    if (++t < labels) return;
    store(to + *width++, sum);
    t = 0;
  }
};

template <class T, int kShift>
struct Widths {
  static constexpr int N = kWidth<T>;

  const std::vector<Rows<T>>& sentences;  // up to kShift, the longest last
  Index labels, n, longest;               // no span is longer
  std::vector<Index> offset;              // by width

  Widths(const std::vector<Rows<T>>& sentences, Index labels, Index longest)
      : sentences(sentences),
        labels(labels),
        n(sentences.back().n),
        longest(std::min(longest, n)),
        offset(this->longest + 2, 0) {
    for (Index w = 1; w <= this->longest; ++w) offset[w + 1] = offset[w] + entries(w);
  }

  // Entries of a width in use; all of them, with room for whole vectors at the next start.
  Index starts(Index w) const { return (n - w + 1) * kShift; }
  Index entries(Index w) const { return (starts(w) + 2 * N - 1) / N * N + kShift; }
  Index size() const { return offset[longest + 1]; }
  Index count() const { return Index(sentences.size()); }

  // A vector of lanes: the scores of the spans at a start, for each lane its row.
  struct Lanes {
    Index at;  // where it is in the tables
    Index widths;
    const T* rows[N];
    Index words[N];  // spans of the row; 0 for a lane that is not used
    Index sentence[N];
    Index start[N];
  };
  template <class F>
  void each_lanes(F f) const {
    for (Index i = 0; i < n; i += kShift == 1 ? N : 1)
      for (Index lane = 0; lane < kShift; lane += N) {
        Lanes lanes{i * kShift + lane, std::min(longest, n - i), {}, {}, {}, {}};
        for (Index k = 0; k < N; ++k) {
          const Index s = kShift == 1 ? 0 : lane + k, start = kShift == 1 ? i + k : i;
          const auto& sentence = sentences[std::min(s, count() - 1)];
          lanes.words[k] = s < count() ? std::clamp<Index>(sentence.n - start, 0, longest) : 0;
          lanes.rows[k] = lanes.words[k] ? sentence.at(start, start + 1, labels) : sentence.scores;
          lanes.sentence[k] = s;
          lanes.start[k] = start;
        }
        f(lanes);
      }
  }

  // Reads all scores into a table. Behind the end of a sentence they count as `rest`, and where no
  // lane has any there is 0. Whether some may not be good.
  template <class Sum>
  bool read(T* table, T rest) const {
    LabelFold<T, Sum> fold{labels};
    each_lanes([&](const Lanes& lanes) {
      Index counts[N];
      for (int k = 0; k < N; ++k) counts[k] = lanes.words[k] * labels;
      fold.to = table + lanes.at;
      fold.width = offset.data() + 1;
      fold = each_column<T>(lanes.rows, counts, rest, fold);
      for (; fold.width <= &offset[lanes.widths]; ++fold.width)
        store(fold.to + *fold.width, Wide<T>{});
    });
    return fold.watch.odd();
  }
  // Whether all scores are good, exactly.
  bool all_are_good() const {
    bool good = true;
    for (const auto& sentence : sentences)
      for (Index i = 0; i < sentence.n; ++i)
        good &= all_good(sentence.at(i, i + 1, labels), std::min(sentence.n - i, longest) * labels);
    return good;
  }
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

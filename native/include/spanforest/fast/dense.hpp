// Best analyses when many spans score above 0: tables over all spans (widths.hpp).
#pragma once

#include "spanforest/fast/sparse.hpp"
#include "spanforest/fast/widths.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

template <class T, int kShift>
class Dense {
  static constexpr int N = kWidth<T>;
  using V = Wide<T>;

 public:
  // Up to kShift sentences, the longest last; mentions of up to `longest` words.
  Dense(const std::vector<Rows<T>>& sentences, Index labels, Index longest)
      : spans_(sentences, labels, longest),
        n_(spans_.n),
        best_((n_ + 1) * kShift + N, T(0)),
        table_(spans_.size()) {
    odd_ = spans_.template read<BestLabel>(table_.get(), T(0));
    for (Index w = 1; w <= spans_.longest; ++w) close(w);
  }
  // Whether all scores are good.
  bool is_good() const { return !odd_ || spans_.all_are_good(); }

  // Sets of mentions side by side.
  void segments() { side_by_side(); }

  // H[i, j] = max(0, m[i, j]) + max(H[i, j-1], H[i+1, j]): the best chain inside [i, j). Mentions
  // of one word are in no chain, but wherever they score above 0, if `units`.
  void chains(bool units) {
    inside_ = Inside::chain;
    take_units(units);
    for (Index w = 2; w <= n_; ++w) {
      T* to = width(w);
      const T* from = width(w - 1);
      for (Index q = 0; q < starts(w); q += N) {
        const V a = load(from + q), b = load(from + q + kShift);
        store(to + q, positive(load(to + q)) + (a > b ? a : b));
      }
      close(w);
    }
    side_by_side();
  }

  // H[i, j] = max(0, m[i, j]) + max over k of H[i, k] + H[k, j]: the best set inside [i, j).
  void forests() {
    inside_ = Inside::forest;
    take_units(true);
    for (Index w = 2; w <= n_; ++w) {
      Index q = 0;
      for (; q + 3 * N < starts(w); q += 4 * N) split<4>(w, q);
      for (; q < starts(w); q += N) split<1>(w, q);
    }
  }

  // The best score of a sentence, and the mentions that make it.
  T total(int lane) const {
    T sum = 0;
    for (Index i = n(lane) - 1; i >= 0 && !unit_.empty(); --i) sum += unit_[i * kShift + lane];
    if (inside_ != Inside::forest) return sum + best_[lane];
    return n(lane) ? sum + at(0, n(lane), lane) : sum;
  }
  void read(int lane, std::vector<Found>& out) const {
    for (Index i = 0; i < n(lane) && !unit_.empty(); ++i)
      if (unit_[i * kShift + lane] > 0) mention(lane, i, i + 1, out);
    if (inside_ == Inside::forest) return read_forest(lane, out);
    for (Index i = 0; i < n(lane);) {
      Index j = i + 1;
      if (best(i, lane) != best(j, lane)) {
        while (at(i, j, lane) + best(j, lane) != best(i, lane)) ++j;
        inside_ == Inside::chain ? read_chain(lane, i, j, out) : mention(lane, i, j, out);
      }
      i = j;
    }
  }

 private:
  enum class Inside { nothing, chain, forest };

  struct BestLabel {
    static V of(const V& score) { return score; }
    static V plus(const V& a, const V& b) { return b > a ? b : a; }
  };

  Index n(int lane) const { return spans_.sentences[lane].n; }
  Index starts(Index w) const { return spans_.starts(w); }
  T* width(Index w) const { return table_.get() + spans_.offset[w]; }
  T at(Index i, Index j, int lane) const { return width(j - i)[i * kShift + lane]; }
  T best(Index i, int lane) const { return best_[i * kShift + lane]; }

  static V positive(V a) { return a > 0 ? a : V{}; }

  // Behind the last start no span is any good.
  void close(Index w) { store(width(w) + starts(w), all(-infinity<T>)); }

  void take_units(bool units) {
    if (n_ == 0) return;
    for (Index q = 0; q < starts(1); q += N) store(width(1) + q, positive(load(width(1) + q)));
    if (units) {
      unit_.assign(width(1), width(1) + starts(1));
      std::fill(width(1), width(1) + starts(1), T(0));
    }
    close(1);
  }

  template <int kRows>
  void split(Index w, Index q) {
    V best[kRows];
    for (V& one : best) one = V{};
    for (Index k = 1; k < w; ++k) {
      const T *left = width(k) + q, *right = width(w - k) + q + k * kShift;
      for (int r = 0; r < kRows; ++r) {
        const V sum = load(left + r * N) + load(right + r * N);
        best[r] = sum > best[r] ? sum : best[r];
      }
    }
    T* to = width(w) + q;
    for (int r = 0; r < kRows; ++r) store(to + r * N, positive(load(to + r * N)) + best[r]);
  }

  void side_by_side() {
    if constexpr (kShift == 1) {
      for (Index i = (n_ - 1) / N * N; i >= 0 && n_ > 0; i -= N) side_of_starts(i);
    } else {
      for (Index q = starts(1) - N; q >= 0; q -= N) {
        V best = load(&best_[q + kShift]);
        for (Index w = 1; w <= std::min(spans_.longest, n_ - q / kShift); ++w) {
          const V sum = load(width(w) + q) + load(&best_[q + w * kShift]);
          best = sum > best ? sum : best;
        }
        store(&best_[q], best);
      }
    }
  }
  // Starts i to i + N - 1: what ends behind them all at once, the rest one by one.
  void side_of_starts(Index i) {
    V far = all(-infinity<T>);
    for (Index w = N; w <= std::min(spans_.longest, n_ - i); ++w) {
      const V sum = load(width(w) + i) + load(&best_[i + w]);
      far = sum > far ? sum : far;
    }
    for (Index k = std::min<Index>(N - 1, n_ - 1 - i); k >= 0; --k) {
      T best = std::max(best_[i + k + 1], far[k]);
      for (Index w = 1; w <= std::min({Index(N - 1), spans_.longest, n_ - i - k}); ++w)
        best = std::max(best, width(w)[i + k] + best_[i + k + w]);
      best_[i + k] = best;
    }
  }

  void read_chain(int lane, Index i, Index j, std::vector<Found>& out) const {
    while (i < j && at(i, j, lane) > 0) {
      const T a = j - i > 1 ? at(i, j - 1, lane) : T(0), b = j - i > 1 ? at(i + 1, j, lane) : T(0);
      if (at(i, j, lane) > std::max(a, b)) mention(lane, i, j, out);
      a >= b ? --j : ++i;
    }
  }
  void read_forest(int lane, std::vector<Found>& out) const {
    std::vector<std::pair<Index, Index>> agenda{{0, n(lane)}};
    while (!agenda.empty()) {
      const auto [i, j] = agenda.back();
      agenda.pop_back();
      if (j - i < 2 || !(at(i, j, lane) > 0)) continue;
      Index middle = i + 1;
      T most = -1;
      for (Index k = i + 1; k < j; ++k) {
        const T sum = at(i, k, lane) + at(k, j, lane);
        if (sum > most) most = sum, middle = k;
      }
      if (at(i, j, lane) > most) mention(lane, i, j, out);
      agenda.insert(agenda.end(), {{i, middle}, {middle, j}});
    }
  }
  void mention(int lane, Index i, Index j, std::vector<Found>& out) const {
    const T* scores = spans_.sentences[lane].at(i, j, spans_.labels);
    out.push_back({i, j, std::max_element(scores, scores + spans_.labels) - scores});
  }

  Widths<T, kShift> spans_;
  Index n_;
  std::vector<T> best_;  // by start: of the words from there on
  std::vector<T> unit_;  // by start: of a mention of one word
  Room<T> table_;
  bool odd_;
  Inside inside_ = Inside::nothing;
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

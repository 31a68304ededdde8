// Sums over all analyses of Segments and Nested as plain numbers, one label a span.
//
// W[i, j] is the weight of the mention (i, j) alone, R[i, j] of all that can be inside it: F = W R
// is that of the mention with what is inside. With B[i, j] of all that can be around it, the
// mention is expected R B W / Z times. All products of these are at most Z and all sums at least 1,
// so plain numbers do unless Z overflows, which is looked at before its logarithm is taken.
#pragma once

#include <cmath>

#include "spanforest/fast/exp.hpp"
#include "spanforest/fast/widths.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

// Where the expected counts of a sentence go: rows as those of its scores, all of them written.
template <class T>
struct CountRows {
  T* counts;
  Index row, n;  // n: entries of a row, in words; also the number of rows
};

template <class T, int kShift>
class Sums {
  static constexpr int N = kWidth<T>;
  using V = Wide<T>;

 public:
  Sums(const std::vector<Rows<T>>& sentences, Index labels, Index longest)
      : spans_(sentences, labels, longest),
        n_(spans_.n),
        from_((n_ + 1) * kShift + N, T(1)),
        upto_((n_ + 1) * kShift + N, T(1)),
        weight_(spans_.size()) {
    odd_ = spans_.template read<SumOfLabels>(weight_.get(), T(-1e4));
    for (Index w = 1; w <= spans_.longest; ++w) close(weight_, w);
  }
  bool is_good() const { return !odd_ || spans_.all_are_good(); }

  // Mentions side by side, nothing inside.
  void segments() { sum_from_the_end(); }

  // At most one mention inside another; those of one word are in or out on their own, if `units`.
  //
  // G[i, j] sums what can be inside (i, j), C[i, j] the mentions that end at j and start at i or
  // behind: R[i, j] = G[i, j-1] + C[i+1, j], G = R + F, C[i, j] = C[i+1, j] + F.
  void chains(bool units) {
    nested_ = true;
    inside_ = Room<T>(spans_.size());
    if (units) take_units();
    std::vector<T> g((n_ + 2) * kShift + N, T(1)), c((n_ + 2) * kShift + N, T(0));
    for (Index w = 1; w <= n_; ++w) {
      T *const to = at(inside_, w), *const weight = at(weight_, w);
      for (Index q = 0; q < spans_.starts(w); q += N) {
        const V behind = w == 1 ? V{} : load(&c[q + kShift]), r = load(&g[q]) + behind;
        const V f = r * load(weight + q);
        store(to + q, r);
        store(&g[q], r + f);
        store(&c[q], behind + f);
      }
      close(inside_, w);
    }
    sum_from_the_end();
  }

  // Any nesting: X[i, j] sums what can be in words i to j-1, by its last mention.
  // R[i, j] = X[i, j-1] + sum over k > i of X[i, k] F[k, j], X = R + W R.
  void forests() {
    forest_ = true;
    take_units();
    sets_ = Room<T>(spans_.size());
    inside_ = Room<T>(spans_.size());
    if (n_) std::fill(at(sets_, 1), at(sets_, 2), T(1));
    for (Index w = 2; w <= n_; ++w) {
      Index q = 0;
      for (; q + 3 * N < spans_.starts(w); q += 4 * N) split<4>(w, q);
      for (; q < spans_.starts(w); q += N) split<1>(w, q);
    }
    for (Index lane = 0; lane < spans_.count(); ++lane)
      if (n(lane)) from_[lane] = at(sets_, n(lane))[lane];
  }

  // Log Z of a lane; NaN where plain numbers did not do.
  double log_z(Index lane) const {
    double sum = std::log(double(from_[lane]));
    bool fine = from_[lane] < kPlainLimit<T>;
    for (Index i = 0; i < n(lane) && !unit_.empty(); ++i) {
      const T unit = unit_[i * kShift + lane];
      fine &= unit < kPlainLimit<T>;
      sum += std::log1p(double(unit));
    }
    return fine ? sum : std::numeric_limits<double>::quiet_NaN();
  }

  // Expected counts of all labels of all spans, of the lanes that have somewhere to go.
  void write_counts(const std::vector<CountRows<T>>& to) {
    if (forest_) {
      around_forests();
    } else {
      sum_from_the_start();
      nested_ ? around_chains() : around_segments();
    }
    std::vector<T> factors(N * (n_ + N)), repeated((n_ + 2 * N) * spans_.labels);
    spans_.each_lanes([&](const auto& lanes) {
      for (Index w = 1; w <= lanes.widths; w += N) {
        V tile[N];
        for (Index r = 0; r < N; ++r)
          tile[r] = w + r <= lanes.widths ? load(at(inside_, w + r) + lanes.at) : V{};
        transpose<N>(tile);
        for (Index k = 0; k < N; ++k) store(&factors[k * (n_ + N) + w - 1], tile[k]);
      }
      for (Index k = 0; k < N; ++k) {
        if (lanes.words[k] == 0 || !to[lanes.sentence[k]].counts) continue;
        T* const row = &factors[k * (n_ + N)];
        if (!unit_.empty()) row[0] = 1 / (1 + unit_[lanes.at + k]);
        write_row(to[lanes.sentence[k]], lanes.start[k], lanes.rows[k], row, lanes.words[k],
                  repeated.data());
      }
    });
  }

 private:
  struct SumOfLabels {
    static V of(const V& score) { return plain_exponential<T>(score); }
    static V plus(const V& a, const V& b) { return a + b; }
  };

  Index n(Index lane) const { return spans_.sentences[lane].n; }
  T* at(const Room<T>& table, Index w) const { return table.get() + spans_.offset[w]; }
  // Behind the last start there are no mentions.
  void close(const Room<T>& table, Index w) { store(at(table, w) + spans_.starts(w), V{}); }
  // F of a vector of spans.
  V with_inside(Index w, Index q) const {
    const V weight = load(at(weight_, w) + q);
    return nested_ ? weight * load(at(inside_, w) + q) : weight;
  }
  T one_with_inside(Index w, Index q) const {
    return nested_ ? at(weight_, w)[q] * at(inside_, w)[q] : at(weight_, w)[q];
  }

  void take_units() {
    if (n_ == 0) return;
    unit_.assign(at(weight_, 1), at(weight_, 1) + spans_.starts(1));
    std::fill(at(weight_, 1), at(weight_, 1) + spans_.starts(1), T(0));
  }

  // R, X, and F in the place of W.
  template <int kRows>
  void split(Index w, Index q) {
    V sum[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = load(at(sets_, w - 1) + q + r * N);
    for (Index k = 1; k + 2 <= w; ++k) {
      const T *left = at(sets_, k) + q, *right = at(weight_, w - k) + q + k * kShift;
      for (int r = 0; r < kRows; ++r)
        sum[r] = multiply_add(load(left + r * N), load(right + r * N), sum[r]);
    }
    for (int r = 0; r < kRows; ++r) {
      T* const mention = at(weight_, w) + q + r * N;
      const V f = load(mention) * sum[r];
      store(mention, f);
      store(at(inside_, w) + q + r * N, sum[r]);
      store(at(sets_, w) + q + r * N, sum[r] + f);
    }
  }

  // from[i]: all sets side by side in the words from i on.
  void sum_from_the_end() {
    if constexpr (kShift > 1) {
      for (Index q = n_ * kShift - N; q >= 0; q -= N) {
        V sum = load(&from_[q + kShift]);
        for (Index w = 1; w <= std::min(spans_.longest, n_ - q / kShift); ++w)
          sum = multiply_add(with_inside(w, q), load(&from_[q + w * kShift]), sum);
        store(&from_[q], sum);
      }
    } else {
      for (Index i = (n_ - 1) / N * N; n_ > 0 && i >= 0; i -= N) {
        V far{};  // of what ends behind starts i to i + N - 1
        for (Index w = N; w <= std::min(spans_.longest, n_ - i); ++w)
          far = multiply_add(with_inside(w, i), load(&from_[i + w]), far);
        for (Index k = std::min<Index>(N, n_ - i) - 1; k >= 0; --k) {
          T sum = from_[i + k + 1] + far[k];
          for (Index w = 1; w <= std::min({Index(N - 1), spans_.longest, n_ - i - k}); ++w)
            sum += one_with_inside(w, i + k) * from_[i + k + w];
          from_[i + k] = sum;
        }
      }
    }
  }
  // upto[j]: all sets side by side in the words before j.
  void sum_from_the_start() {
    if constexpr (kShift > 1) {
      for (Index q = kShift; q < (n_ + 1) * kShift; q += N) {
        V sum = load(&upto_[q - kShift]);
        for (Index w = 1; w <= std::min(spans_.longest, q / kShift); ++w)
          sum = multiply_add(with_inside(w, q - w * kShift), load(&upto_[q - w * kShift]), sum);
        store(&upto_[q], sum);
      }
    } else {
      for (Index j = 1; j <= n_; j += N) {
        V far{};  // of what starts before ends j to j + N - 1
        const Index most = std::min(spans_.longest, j);
        for (Index w = N; w <= most; ++w)
          far = multiply_add(with_inside(w, j - w), load(&upto_[j - w]), far);
        for (Index k = 0; k < N && j + k <= n_; ++k) {
          T sum = upto_[j + k - 1] + far[k];
          const auto add = [&](Index w) {
            sum += one_with_inside(w, j + k - w) * upto_[j + k - w];
          };
          for (Index w = 1; w <= std::min({Index(N - 1), spans_.longest, j + k}); ++w) add(w);
          for (Index w = std::max<Index>(N, j + 1); w <= std::min(spans_.longest, j + k); ++w)
            add(w);
          upto_[j + k] = sum;
        }
      }
    }
  }

  V share_of_total(Index q) const {
    return T(1) / (kShift == 1 ? all(from_[0]) : load(&from_[q % kShift]));
  }

  // From here on `inside` holds R B / Z.
  void around_segments() {
    inside_ = Room<T>(spans_.size());
    for (Index w = 1; w <= spans_.longest; ++w)
      for (Index q = 0; q < spans_.starts(w); q += N)
        store(at(inside_, w) + q,
              load(&upto_[q]) * load(&from_[q + w * kShift]) * share_of_total(q));
  }
  // A[i, j] sums B W of the mentions that hold (i, j), D[i, j] of those that end at j and start at
  // i or before: B[i, j] = upto[i] from[j] + A[i, j+1] + D[i-1, j].
  void around_chains() {
    std::vector<T> a((n_ + 2) * kShift + N, T(0)), d((n_ + 3) * kShift + N, T(0));
    std::vector<T> shares(kShift + N);
    for (Index q = 0; q < kShift; q += N) store(&shares[q], share_of_total(q));
    for (Index w = n_; w >= 1; --w) {
      T *const to = at(inside_, w), *const weight = at(weight_, w);
      for (Index q = (spans_.starts(w) - 1) / N * N; q >= 0; q -= N) {
        const V before = load(&d[q]), beyond = load(&a[q]) + before;  // D of start i is at i + 1
        const V b = multiply_add(load(&upto_[q]), load(&from_[q + w * kShift]), beyond);
        const V around = b * load(weight + q);
        store(&a[q], beyond + around);
        store(&d[q + kShift], before + around);
        store(to + q, load(to + q) * b * load(&shares[kShift == 1 ? 0 : q % kShift]));
      }
    }
  }

  // The derivatives of Z by X, F and R, wide spans first.
  void around_forests() {
    Room<T> by_r(spans_.size());
    std::fill(by_r.get(), by_r.get() + spans_.size(), T(0));
    for (Index w = n_; w >= 2; --w)
      for (Index q = 0; q < spans_.starts(w); q += N) {
        const Index i = q / kShift;
        V x{};
        for (Index k = 0; i == 0 && k < N && q + k < spans_.count(); ++k) x[k] = n(q + k) == w;
        if (i + w < n_) x += load(at(by_r, w + 1) + q);
        for (Index v = 2; i + w + v <= n_; ++v)
          x = multiply_add(load(at(by_r, w + v) + q), load(at(weight_, v) + q + w * kShift), x);
        V f = x;
        for (Index u = 1; u <= i; ++u)
          f = multiply_add(load(at(by_r, w + u) + q - u * kShift),
                           load(at(sets_, u) + q - u * kShift), f);
        T* const inside = at(inside_, w) + q;
        const V weight = load(at(weight_, w) + q) / load(inside);
        store(at(by_r, w) + q, multiply_add(f, weight, x));
        store(inside, f * load(inside) * share_of_total(q));
      }
  }

  // factor W(label) for all labels of the spans at a start.
  void write_row(const CountRows<T>& to, Index i, const T* scores, const T* factor, Index words,
                 T* repeated) const {
    const Index labels = spans_.labels, count = words * labels;
    T* const row = to.counts + i * to.row;
    std::fill(row, row + i * labels, T(0));
    std::fill(row + i * labels + count, row + to.n * labels, T(0));
    for (Index k = 0; k < words; ++k)
      for (Index t = 0; t < labels; t += N) store(repeated + k * labels + t, all(factor[k]));
    T* const out = row + i * labels;
    const auto counts = [&](const V& score, Index x) {
      const V value = plain_exponential<T>(score) * load(repeated + x);
      return value < T(1) ? value : all(T(1));
    };
    Index x = 0;
    for (; x + N <= count; x += N) store(out + x, counts(load(scores + x), x));
    if (x == count) return;
    V rest{};
    for (Index k = 0; x + k < count; ++k) rest[k] = scores[x + k];
    rest = counts(rest, x);
    for (Index k = 0; x + k < count; ++k) out[x + k] = rest[k];
  }

  Widths<T, kShift> spans_;
  Index n_;
  std::vector<T> from_, upto_, unit_;
  Room<T> weight_, inside_, sets_;
  bool odd_, nested_ = false, forest_ = false;
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

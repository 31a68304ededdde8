// Rows of scores: contiguous in words and labels, looked through or turned into packs.
#pragma once

#include <utility>

#include "spanforest/lanes.hpp"
#include "spanforest/scores.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

template <class T>
constexpr int kRowLanes = 64 / int(sizeof(T));
template <class T>
constexpr int kWidth = kVectorBytes / int(sizeof(T));
template <class T>
using Wide = Vector<T, kWidth<T>>;

template <class T>
inline Wide<T> load(const T* from) {
  Wide<T> to;
  std::memcpy(&to, from, sizeof to);
  return to;
}
template <class T>
inline void store(T* to, const Wide<T>& from) {
  std::memcpy(to, &from, sizeof from);
}
template <class T>
inline Wide<T> all(T value) {
  return value - Wide<T>{};
}

// Memory that is not cleared.
template <class T>
class Room {
 public:
  explicit Room(Index count = 0) : data_(count ? new T[count] : nullptr) {}
  T* get() const { return data_.get(); }
  T& operator[](Index k) const { return data_[k]; }

 private:
  std::unique_ptr<T[]> data_;
};

template <class M, int... k>
inline auto folded(const M& mask, std::integer_sequence<int, k...>) {
  constexpr int half = int(sizeof...(k));
  return __builtin_shufflevector(mask, mask, k...) |
         __builtin_shufflevector(mask, mask, (half + k)...);
}
// Whether any bit is set.
template <class M>
inline bool any(const M& mask) {
  if constexpr (sizeof(M) > 16) {
    return any(folded(mask, std::make_integer_sequence<int, sizeof(M) / sizeof(mask[0]) / 2>{}));
  } else {
    const auto words = as_bits<Vector<std::int64_t, 2>>(mask);
    return (words[0] | words[1]) != 0;
  }
}

// Notices scores that may not be good: of great magnitude, infinite or NaN.
template <class T>
class Watch {
 public:
  void see(const Wide<T>& v) {
    const Bits bits = as_bits<Bits>(v) & std::numeric_limits<Whole<T>>::max();
    most_ = bits > most_ ? bits : most_;
  }
  bool odd() const { return any(most_ > as_bits<Whole<T>>(T(kScoreLimit))); }

 private:
  using Bits = Vector<Whole<T>, kWidth<T>>;
  Bits most_{};
};

template <class T>
inline bool all_good(const T* row, Index count) {
  bool good = true;
  for (Index x = 0; x < count; ++x) good &= is_good(row[x]);
  return good;
}

// Whether entries need a look: those that are not negative numbers within the limit. The bits of
// these, as whole numbers, are the least of all.
template <class T>
inline bool is_odd(T x) {
  return as_bits<Whole<T>>(x) > as_bits<Whole<T>>(T(-kScoreLimit));
}
template <class T>
class Odd {
 public:
  void see(const T* row, Index count) {
    Index x = 0;
    for (; x + 2 * N <= count; x += 2 * N) {
      see(even_, row + x);
      see(uneven_, row + x + N);
    }
    if (x + N <= count) see(even_, row + x);
    if (count >= N) return see(uneven_, row + count - N);
    for (; x < count; ++x) few_ |= is_odd(row[x]);
  }
  bool any_seen() const { return few_ || any((even_ > uneven_ ? even_ : uneven_) > least()); }

 private:
  static constexpr int N = kWidth<T>;
  using Bits = Vector<Whole<T>, N>;

  static Bits least() { return as_bits<Whole<T>>(T(-kScoreLimit)) - Bits{}; }
  void see(Bits& most, const T* from) {
    const Bits bits = as_bits<Bits>(load(from));
    most = bits > most ? bits : most;
  }
  Bits even_ = least(), uneven_ = least();
  bool few_ = false;
};
template <class T>
inline bool any_odd(const T* row, Index count) {
  Odd<T> odd;
  odd.see(row, count);
  return odd.any_seen();
}

template <class T>
constexpr Index kLooked = 16 * kWidth<T>;  // entries that are looked at together

// f(x) for every entry above 0, in order; x is its place in the row. Sets `bad` at one that is no
// good.
template <class T, class F>
inline void each_positive(const T* row, Index count, bool& bad, F f) {
  constexpr Index kFew = kWidth<T>, kMany = kLooked<T>;
  for (Index start = 0; start < count; start += kMany) {
    const Index stop = std::min(count, start + kMany);
    if (!any_odd(row + start, stop - start)) continue;
    for (Index x = start; x < stop;) {
      const Index end = std::min(stop, x + kFew);
      if (!any_odd(row + x, end - x)) x = end;
      for (; x < end; ++x) {
        bad |= !is_good(row[x]);
        if (row[x] > 0) f(x);
      }
    }
  }
}

template <int N, int kStep, class V, int... k>
inline void exchange(V& a, V& b, std::integer_sequence<int, k...>) {
  const V low = __builtin_shufflevector(a, b, ((k & kStep) ? N + (k ^ kStep) : k)...);
  const V high = __builtin_shufflevector(a, b, ((k & kStep) ? N + k : (k | kStep))...);
  a = low;
  b = high;
}
// A square of vectors, transposed in place.
template <int N, int kStep = 1, class V>
inline void transpose(V (&tile)[N]) {
  if constexpr (kStep < N) {
#pragma GCC unroll 16
    for (int r = 0; r < N; ++r)
      if (!(r & kStep))
        exchange<N, kStep>(tile[r], tile[r | kStep], std::make_integer_sequence<int, N>{});
    transpose<N, 2 * kStep>(tile);
  }
}

// Rows of as many lanes, walked through together: f(v) with an entry of every row in v, in order.
// Behind the end of a row there is `rest`. Gives back f, whose state so stays in registers.
template <class T, class F>
inline F each_column(const T* const* rows, const Index* counts, T rest, F f) {
  constexpr int N = kWidth<T>;
  const auto [least, most] = std::minmax_element(counts, counts + N);
  Wide<T> tile[N];
  Index x = 0;
  for (; x + N <= *least; x += N) {
#pragma GCC unroll 16
    for (int r = 0; r < N; ++r) tile[r] = load(rows[r] + x);
    transpose<N>(tile);
#pragma GCC unroll 16
    for (int c = 0; c < N; ++c) f(tile[c]);
  }
  for (; x < *most; x += N) {
    for (int r = 0; r < N; ++r) {
      const int left = int(std::clamp<Index>(counts[r] - x, 0, N));
      const T* const from = rows[r] + x;
      T padded[N];
      for (int c = 0; c < N; ++c) padded[c] = c < left ? from[c] : rest;
      tile[r] = load(padded);
    }
    transpose<N>(tile);
    for (int c = 0; c < N && x + c < *most; ++c) f(tile[c]);
  }
  return f;
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

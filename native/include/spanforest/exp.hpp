// Exponentials over packs, from plain arithmetic: the same bits in every lane, and to the last few
// bits on every instruction set. -inf gives 0; inf and NaN are never swallowed.
#pragma once

#include "spanforest/lanes.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

constexpr double kLogOfTwo = 0.6931471805599453, kLogBaseTwoOfE = 1.4426950408889634;

template <class T>
struct Bits;
template <>
struct Bits<float> {
  static constexpr int kMantissa = 23, kBias = 127;
  static constexpr float kRound = 12582912.0f;  // 1.5 * 2^23
};
template <>
struct Bits<double> {
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52
};

// 2^d for whole numbers d <= 0 (up to the bias also above); 0 where d is below the range.
template <int N, class T = double>
inline Pack<T, N> power_of_two(const Pack<T, N>& d) {
  using B = Bits<T>;
  const Pack<T, N> shifted = larger(d, splat<T, N>(T(-B::kBias))) + T(B::kRound + B::kBias);
  return as_bits<Pack<T, N>>(as_bits<Pack<Whole<T>, N>>(shifted) << B::kMantissa);
}

// The whole number k with 2^k <= m < 2^(k+1), for normal m > 0.
template <int N>
inline Pack<double, N> exponent_of(const Pack<double, N>& m) {
  using Bits = Pack<std::int64_t, N>;
  const Bits biased = (as_bits<Bits>(m) >> 52) & 2047;
  const Bits bits = biased | as_bits<std::int64_t>(4503599627370496.0);  // 2^52 + biased
  return as_bits<Pack<double, N>>(bits) - (4503599627370496.0 + 1023.0);
}

// 2^f for |f| <= 1/2, by Horner's rule.
template <class V>
inline V power_series(const V& f) {
  constexpr double c[] = {1.0,
                          0.6931471805599453,
                          0.2402265069591007,
                          0.05550410866482158,
                          0.009618129107628477,
                          0.0013333558146428443,
                          0.0001540353039338161,
                          1.5252733804059841e-05,
                          1.3215486790144309e-06,
                          1.0178086009239699e-07,
                          7.054911620801123e-09,
                          4.4455382718708116e-10,
                          2.5678435993488206e-11,
                          1.3691488853904129e-12};
  V result = f * c[13] + c[12];
  for (int k = 11; k >= 0; --k) result = result * f + c[k];
  return result;
}

// exp(x) = m 2^e with e whole; for x = -inf m is 0.
template <int N>
inline void split_exponential(const Pack<double, N>& x, Pack<double, N>& m, Pack<double, N>& e) {
  const Pack<double, N> floor = splat<double, N>(-1e17);
  const Pack<double, N> y = larger(x, floor) * kLogBaseTwoOfE;
  constexpr double kRound = Bits<double>::kRound;
  const Pack<double, N> whole = (y + kRound) - kRound;
  const Pack<double, N> far = splat<double, N>(4e15);  // whole numbers only from here
  e = select(y > far, y, select(y < -far, y, whole));
  m = select(x > floor, power_series(y - e), splat<double, N>(0));
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

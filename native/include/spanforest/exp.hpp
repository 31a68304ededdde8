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
inline V power_series(const V& f, double) {
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
template <class V>
inline V power_series(const V& f, float) {
  constexpr float c[] = {1.0f,        0.69314718f, 0.24022651f, 0.05550411f,
                         0.00961813f, 0.00133336f, 0.00015404f, 0.00001525f};
  V result = f * c[7] + c[6];
  for (int k = 5; k >= 0; --k) result = result * f + c[k];
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
  m = select(x > floor, power_series(y - e, 0.0), splat<double, N>(0));
}

// exp(x): 0 below the range, inf above it.
template <class T, int N>
inline Pack<T, N> exponential(const Pack<T, N>& x) {
  using B = Bits<T>;
  using V = Pack<T, N>;
  using Bits = Pack<Whole<T>, N>;
  constexpr T high_limit = sizeof(T) == 4 ? T(88.72283) : T(709.782712893384);
  constexpr T low_limit = sizeof(T) == 4 ? T(-87.33654) : T(-708.3964185322641);
  // ln 2 in two parts, so that the reduced argument keeps its digits
  constexpr T ln2_high = sizeof(T) == 4 ? T(0.693359375) : T(0.6931471803691238);
  constexpr T ln2_low = sizeof(T) == 4 ? T(-2.12194440e-4) : T(1.9082149292705877e-10);
  const V low = splat<T, N>(low_limit), high = splat<T, N>(high_limit);
  const V clipped = smaller(larger(x, low), high);
  const V shifted = clipped * T(kLogBaseTwoOfE) + T(B::kRound);
  const V whole = shifted - T(B::kRound);
  const V f = (clipped - whole * ln2_high - whole * ln2_low) * T(kLogBaseTwoOfE);
  // 2^whole in two factors, since 2^128 alone is no float
  const Bits k = as_bits<Bits>(shifted) - as_bits<Whole<T>>(T(B::kRound));
  const Bits half = k >> 1;
  const V first = as_bits<V>((half + B::kBias) << B::kMantissa);
  const V second = as_bits<V>((k - half + B::kBias) << B::kMantissa);
  const V result = select(x < low, splat<T, N>(0), power_series(f, T()) * first * second);
  return select(x > high, splat<T, N>(infinity<T>), result);
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

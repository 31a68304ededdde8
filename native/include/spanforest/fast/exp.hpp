// Exponentials of scores that are not large.
#pragma once

#include "spanforest/exp.hpp"
#include "spanforest/fast/rows.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

// What plain numbers must stay below. A weight that does has been read as it is.
template <class T>
constexpr T kPlainLimit = sizeof(T) == 4 ? T(1e38) : T(1e307);

// exp(x) to about 1e-7 (double: 1e-15); 0 below the range, kPlainLimit or more above it.
template <class T>
inline Wide<T> plain_exponential(const Wide<T>& x) {
  using V = Wide<T>;
  using B = Bits<T>;
  using Bits = Vector<Whole<T>, kWidth<T>>;
  constexpr bool single = sizeof(T) == 4;
  constexpr T low = single ? T(-87) : T(-708), high = single ? T(88) : T(709);
  // ln 2 in two parts, so that the reduced argument keeps its digits
  constexpr T ln2_high = single ? T(0.693359375) : T(0.6931471803691238);
  constexpr T ln2_low = single ? T(-2.12194440e-4) : T(1.9082149292705877e-10);
  const V raised = x > low ? x : all(low), clipped = raised < high ? raised : all(high);
  const V shifted = multiply_add(clipped, all(T(kLogBaseTwoOfE)), all(T(B::kRound)));
  const V whole = shifted - T(B::kRound);
  const V f = multiply_add(whole, all(-ln2_low), multiply_add(whole, all(-ln2_high), clipped));
  V power;
  if constexpr (single) {  // the least relative error for |f| <= ln(2) / 2
    constexpr T c[] = {1.0f, 0.9999997f, 0.4999915f, 0.16667637f, 0.04189798f, 0.0082903067f};
    power = all(c[5]);
    for (int k = 4; k >= 0; --k) power = multiply_add(power, f, all(c[k]));
  } else {
    power = all(T(1));
    for (int k = 13; k >= 1; --k) power = multiply_add(power, f * T(1.0 / k), all(T(1)));
  }
  const V result = as_bits<V>(as_bits<Bits>(power) + (as_bits<Bits>(shifted) << B::kMantissa));
  return x > low ? result : V{};
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

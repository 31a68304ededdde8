// Semirings over packs. `Value` is what is stored for an item or a part; `of` reads a log-score;
// `finish` is applied once to the sum of all edges of an item.
//
// Max       best scores, in logarithms
// Scaled    the same as mantissa and exponent, so that nothing overflows or underflows
#pragma once

#include <cmath>

#include "spanforest/exp.hpp"
#include "spanforest/lanes.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

template <class T, int N>
struct Max {
  using Number = T;
  using One = Max<T, 1>;
  static constexpr int kLanes = N;
  using Raw = Pack<T, N>;
  using Value = Raw;

  static Value zero() { return splat<T, N>(-infinity<T>); }
  static Value one() { return splat<T, N>(0); }
  static Value of(const Raw& score) { return score; }
  static Value times(const Value& a, const Value& b) { return a + b; }
  static Value plus(const Value& a, const Value& b) { return select(a >= b, a, b); }
  static Value finish(const Value& a) { return a; }
  static T take(const Value& a, int k) { return lane<T, N>(a, k); }
  static void put(Value& a, int k, const T& from) { set_lane<T, N>(a, k, from); }
};

constexpr double kNothing = -1e18;  // the exponent of zero: below any other

// m 2^e; exponents are whole numbers kept as doubles, mantissas in [1, 2) once finished.
template <int N>
struct ScaledValue {
  Pack<double, N> m, e;
};

template <int N>
struct Scaled {
  using Number = double;
  using One = Scaled<1>;
  static constexpr int kLanes = N;
  using Raw = Pack<double, N>;
  using Value = ScaledValue<N>;

  static Value zero() { return {splat<double, N>(0), splat<double, N>(kNothing)}; }
  static Value one() { return {splat<double, N>(1), splat<double, N>(0)}; }
  static Value of(const Raw& score) {
    Value value;
    split_exponential<N>(score, value.m, value.e);
    return finish(value);
  }
  static Value times(const Value& a, const Value& b) { return {a.m * b.m, a.e + b.e}; }
  static Value plus(const Value& a, const Value& b) {
    const Raw e = larger(a.e, b.e);
    return {a.m * power_of_two<N>(a.e - e) + b.m * power_of_two<N>(b.e - e), e};
  }
  static Value finish(const Value& a) {
    Value result;
    const Raw shift = exponent_of<N>(a.m);
    result.m = a.m * power_of_two<N>(-shift);
    result.e = a.e + shift;
    result.e = select(a.m > 0, result.e, splat<double, N>(kNothing));
    return result;
  }
  static ScaledValue<1> take(const Value& a, int k) {
    return {lane<double, N>(a.m, k), lane<double, N>(a.e, k)};
  }
  static void put(Value& a, int k, const ScaledValue<1>& from) {
    set_lane<double, N>(a.m, k, from.m);
    set_lane<double, N>(a.e, k, from.e);
  }
};

// ⊗ of what antecedents are worth, from left to right.
template <class S, class Look, class First, class... Others>
typename S::Value product_of(const Look& look, First first, Others... others) {
  typename S::Value product = look(first);
  ((product = S::times(product, look(others))), ...);
  return product;
}
template <class S, class Look>
typename S::Value product_of(const Look&) {
  return S::one();
}

// Log of a finished scalar value; of a sum of probabilities.
inline double log_of(const ScaledValue<1>& a) {
  return a.m > 0 ? std::log(a.m) + a.e * kLogOfTwo : -infinity<double>;
}

// a / b as a plain number; 0 if a is zero.
inline double ratio(const ScaledValue<1>& a, const ScaledValue<1>& b) {
  return a.m > 0 ? a.m / b.m * std::exp2(a.e - b.e) : 0;
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

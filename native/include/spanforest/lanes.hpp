// Lanes: a pack of N numbers that are worked on together, one sentence in each lane.
//
// A pack is a row of vectors of the target's width (the vector types of GCC and Clang, which every
// target has). No lane ever touches another, so a sentence gives the same bits in any lane of any
// pack. This is compiled once for each level of the instruction set (SPANFOREST_LEVEL).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__FMA__)
#include <immintrin.h>
#endif

#ifndef SPANFOREST_LEVEL
#define SPANFOREST_LEVEL any
#endif

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T, int N>
struct VectorOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N>
using Vector = typename VectorOf<T, N>::type;

template <class T, int N>
struct Packed {
  static constexpr int kWidth = std::min(N, kVectorBytes / int(sizeof(T)));
  static constexpr int kVectors = N / kWidth;
  Vector<T, kWidth> row[kVectors];
};

template <class T, int N>
struct PackOf {
  using type = Packed<T, N>;
};
template <class T>
struct PackOf<T, 1> {
  using type = T;
};
template <class T, int N>
using Pack = typename PackOf<T, N>::type;

// a * b + c, rounded once where the target can.
template <class V>
inline V multiply_add(const V& a, const V& b, const V& c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64 && sizeof(a[0]) == 4) return V(_mm512_fmadd_ps(a, b, c));
  if constexpr (sizeof(V) == 64 && sizeof(a[0]) == 8) return V(_mm512_fmadd_pd(a, b, c));
#elif defined(__FMA__)
  if constexpr (sizeof(V) == 32 && sizeof(a[0]) == 4) return V(_mm256_fmadd_ps(a, b, c));
  if constexpr (sizeof(V) == 32 && sizeof(a[0]) == 8) return V(_mm256_fmadd_pd(a, b, c));
#endif
  return a * b + c;
}

// Which lanes: all bits of a lane are set, or none.
template <int Bytes>
struct WholeOf;
template <>
struct WholeOf<4> {
  using type = std::int32_t;
};
template <>
struct WholeOf<8> {
  using type = std::int64_t;
};
template <class T>
using Whole = typename WholeOf<sizeof(T)>::type;

template <class T, int N>
inline T lane(const Packed<T, N>& pack, int k) {
  return pack.row[k / Packed<T, N>::kWidth][k % Packed<T, N>::kWidth];
}
template <class T, int N>
inline T lane(const T& one, int) {
  return one;
}
template <class T, int N>
inline void set_lane(Packed<T, N>& pack, int k, T value) {
  pack.row[k / Packed<T, N>::kWidth][k % Packed<T, N>::kWidth] = value;
}
template <class T, int N>
inline void set_lane(T& one, int, T value) {
  one = value;
}

template <class T, int N>
inline Pack<T, N> splat(T value) {
  if constexpr (N == 1) {
    return value;
  } else {
    Pack<T, N> result;
    for (auto& row : result.row) row = value - std::remove_reference_t<decltype(row)>{};
    return result;  // value - 0, so that -0 and -inf stay
  }
}

#define SPANFOREST_LANEWISE(op)                                                       \
  template <class T, int N>                                                           \
  inline Packed<T, N> operator op(const Packed<T, N>& a, const Packed<T, N>& b) {     \
    Packed<T, N> result;                                                              \
    for (int k = 0; k < a.kVectors; ++k) result.row[k] = a.row[k] op b.row[k];        \
    return result;                                                                    \
  }                                                                                   \
  template <class T, int N>                                                           \
  inline Packed<T, N> operator op(const Packed<T, N>& a, std::type_identity_t<T> b) { \
    Packed<T, N> result;                                                              \
    for (int k = 0; k < a.kVectors; ++k) result.row[k] = a.row[k] op b;               \
    return result;                                                                    \
  }
SPANFOREST_LANEWISE(+)
SPANFOREST_LANEWISE(-)
SPANFOREST_LANEWISE(*)
SPANFOREST_LANEWISE(/)
SPANFOREST_LANEWISE(&)
SPANFOREST_LANEWISE(|)
SPANFOREST_LANEWISE(<<)
SPANFOREST_LANEWISE(>>)
#undef SPANFOREST_LANEWISE

#define SPANFOREST_COMPARISON(op)                                                            \
  template <class T, int N>                                                                  \
  inline Packed<Whole<T>, N> operator op(const Packed<T, N>& a, const Packed<T, N>& b) {     \
    Packed<Whole<T>, N> result;                                                              \
    for (int k = 0; k < a.kVectors; ++k) result.row[k] = a.row[k] op b.row[k];               \
    return result;                                                                           \
  }                                                                                          \
  template <class T, int N>                                                                  \
  inline Packed<Whole<T>, N> operator op(const Packed<T, N>& a, std::type_identity_t<T> b) { \
    Packed<Whole<T>, N> result;                                                              \
    for (int k = 0; k < a.kVectors; ++k) result.row[k] = a.row[k] op b;                      \
    return result;                                                                           \
  }
SPANFOREST_COMPARISON(<)
SPANFOREST_COMPARISON(>)
SPANFOREST_COMPARISON(>=)
#undef SPANFOREST_COMPARISON

template <class T, int N>
inline Packed<T, N> operator-(const Packed<T, N>& a) {
  Packed<T, N> result;
  for (int k = 0; k < a.kVectors; ++k) result.row[k] = -a.row[k];
  return result;
}

// a in the lanes that are set, b in the others.
template <class T, int N>
inline Packed<T, N> select(const Packed<Whole<T>, N>& which, const Packed<T, N>& a,
                           const Packed<T, N>& b) {
  Packed<T, N> result;
  for (int k = 0; k < a.kVectors; ++k) result.row[k] = which.row[k] ? a.row[k] : b.row[k];
  return result;
}
template <class T>
inline T select(bool which, const T& a, const T& b) {
  return which ? a : b;
}

// The larger of two, b where they are not ordered.
template <class V>
inline V larger(const V& a, const V& b) {
  return select(a > b, a, b);
}
template <class V>
inline V smaller(const V& a, const V& b) {
  return select(a < b, a, b);
}

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

template <class To, class From>
inline To as_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

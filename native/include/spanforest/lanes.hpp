// Lanes: a pack of N numbers that are worked on together, one sentence in each lane.
//
// Packs are the vector types of GCC and Clang, which every target has; no lane ever touches
// another, so a sentence gives the same bits in any lane of any pack.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

namespace spanforest {

template <class T, int N>
struct PackOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T>
struct PackOf<T, 1> {
  using type = T;
};
template <class T, int N>
using Pack = typename PackOf<T, N>::type;

template <class T, int N>
inline T lane(const Pack<T, N>& pack, [[maybe_unused]] int k) {
  if constexpr (N == 1) {
    return pack;
  } else {
    return pack[k];
  }
}

template <class T, int N>
inline void set_lane(Pack<T, N>& pack, [[maybe_unused]] int k, T value) {
  if constexpr (N == 1) {
    pack = value;
  } else {
    pack[k] = value;
  }
}

template <class T, int N>
inline Pack<T, N> splat(T value) {
  if constexpr (N == 1) {
    return value;
  } else {
    return value - Pack<T, N>{};  // value - 0, so that -0 and -inf stay
  }
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

}  // namespace spanforest

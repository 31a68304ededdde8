// What questions give back.
#pragma once

#include "spanforest/decode.hpp"

namespace spanforest {

// Where the expected counts of a sentence's parts go; strides in entries, null where not wanted.
struct Target {
  void* data = nullptr;
  bool is_double = false;
  std::array<Index, kMostAxes> stride{};
  Index words = 0;     // room along the axes of words, if there is such an axis
  bool fresh = false;  // whether it has to be cleared first: rows of spans one behind the other

  // Clears the rows from `start` on.
  void clear(Index start) const {
    const Index bytes = stride[0] * (is_double ? 8 : 4);
    if (start < words)
      std::memset(static_cast<char*>(data) + start * bytes, 0, (words - start) * bytes);
  }
  void add(const std::array<Index, kMostAxes>& index, double count) const {
    Index offset = 0;
    for (int axis = 0; axis < kMostAxes; ++axis) offset += index[axis] * stride[axis];
    if (is_double) {
      static_cast<double*>(data)[offset] += count;
    } else {
      static_cast<float*>(data)[offset] += float(count);
    }
  }
};
using Targets = std::vector<std::vector<Target>>;  // [array][sentence]

// A sentence none of whose analyses has a score above -inf.
struct NoAnalysis {
  Index sentence;
};

// Analyses of one sentence with their scores.
struct Ranked {
  std::vector<double> scores;
  Analyses analyses;
};

}  // namespace spanforest

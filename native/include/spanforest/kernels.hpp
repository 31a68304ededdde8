// The questions that are compiled for several levels of the instruction set; the level is chosen
// when the library is loaded, and can be changed for tests.
#pragma once

#include <string>
#include <vector>

#include "spanforest/answers.hpp"

namespace spanforest {

struct Kernels {
  // The best score of each sentence, -inf where there is no analysis; a best analysis of each (an
  // empty one where there is none).
  void (*best)(const Space&, const Batch&, double* scores, Analyses* trees);
  // Log Z of each sentence, -inf where there is no analysis; expected counts, added to the targets.
  void (*sums)(const Space&, const Batch&, double* log_z, const Targets*);
};

const Kernels& kernels();

// The levels that this machine can run, the best last.
std::vector<std::string> levels();
std::string level();
void use_level(const std::string& name);

}  // namespace spanforest

// The questions that are compiled for several levels of the instruction set; the level is chosen
// when the library is loaded, and can be changed for tests.
#pragma once

#include <string>
#include <vector>

#include "spanforest/answers.hpp"

namespace spanforest {

struct Kernels {
  void (*best)(const Space&, const Batch&, double* scores, std::vector<Analyses>* trees);
  void (*sums)(const Space&, const Batch&, double* log_z, const Targets*);
};

const Kernels& kernels();

// The levels that this machine can run, the best last.
std::vector<std::string> levels();
std::string level();
void use_level(const std::string& name);

}  // namespace spanforest

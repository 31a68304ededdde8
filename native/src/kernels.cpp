// Compiled once for each level (SPANFOREST_LEVEL); nothing here is shared between levels.
#include "spanforest/kernels.hpp"

#include "spanforest/engine.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

extern const Kernels kKernels{
    [](const Space& space, const Batch& batch, double* scores, Analyses* trees) {
      if (batch.is_double) return best<double>(space, batch, scores, trees);
      best<float>(space, batch, scores, trees);
    },
    sums,
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

// Scores that are no numbers.
#pragma once

#include "spanforest/refine.hpp"

namespace spanforest {

// Refuses scores that are NaN or +inf where some derivation reads them.
inline void check_scores(const Space& space, const Batch& batch, Index s) {
  ground(space, batch, batch.lengths[s], false)
      .each_edge([&](Index, const Graph::Edge& edge, Index) {
        for (int k = 0; k < edge.parts; ++k) {
          const auto& [array, at] = edge.part[k];
          if (!is_good(batch.views[array][s].at(at))) throw BadScore{array, s, at};
        }
      });
}

}  // namespace spanforest

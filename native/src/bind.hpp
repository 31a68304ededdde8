// What the files of the binding share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "spanforest/api.hpp"

namespace nb = nanobind;

namespace spanforest {

void register_space(nb::module_& m);
void register_batch(nb::module_& m);
void register_graph(nb::module_& m);

// A batch with the Python arrays that it views.
struct BoundBatch : Batch {
  std::vector<nb::object> kept;
  Index words = -1;  // of the padded array of a plain batch
};

// A numpy array that owns the numbers.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> numpy_of(std::vector<T> numbers) {
  auto* owned = new std::vector<T>(std::move(numbers));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {owned->data(), {owned->size()}, owner};
}

nb::object tuple_of(Ranked ranked);
// Columns of writable arrays: for each score array a padded one or a list of one a sentence.
Targets targets_of(const Batch& batch, const nb::list& columns);

}  // namespace spanforest

// The binding of the native library: arrays in, arrays out. No algorithm lives here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "spanforest/build.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.doc() = "The native library of spanforest.";
  m.attr("version") = SPANFOREST_VERSION;
  m.def("compiler", &spanforest::compiler, "The compiler that built this library.");
  m.def("architecture", &spanforest::architecture, "The architecture it was built for.");
}

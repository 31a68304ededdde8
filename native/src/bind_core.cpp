// The binding of the native library: arrays in, arrays out. No algorithm lives here.
#include "bind.hpp"
#include "spanforest/build.hpp"
#include "spanforest/kernels.hpp"
#include "spanforest/threads.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The native library of spanforest.";
  nb::set_leak_warnings(false);  // spaces in module globals outlive the module
  m.attr("version") = SPANFOREST_VERSION;
  m.def("compiler", &spanforest::compiler, "The compiler that built this library.");
  m.def("architecture", &spanforest::architecture, "The architecture it was built for.");
  m.def("levels", &spanforest::levels, "The levels of the instruction set to choose from.");
  m.def("level", &spanforest::level, "The level in use.");
  m.def("use_level", &spanforest::use_level, nb::arg("name"), "Use a level, for tests.");
  m.def("threads", [] { return spanforest::Pool::shared().size(); }, "The number of threads.");
  m.def(
      "set_threads",
      [](int count) {
        nb::gil_scoped_release released;
        spanforest::Pool::shared().resize(count);
      },
      nb::arg("count"), "Set the number of threads.");
  spanforest::register_space(m);
  spanforest::register_batch(m);
  spanforest::register_graph(m);
}

// Batches: views of the score arrays of many sentences, and questions put to all of them.
#include <nanobind/stl/optional.h>

#include "bind.hpp"

namespace spanforest {
namespace {

using Scores = nb::ndarray<nb::ro, nb::device::cpu>;
using Counts = nb::ndarray<nb::device::cpu>;
using Shape = std::pair<std::vector<Index>, bool>;  // extents (-1: words), upper

bool is_double(const auto& array) {
  if (array.dtype() == nb::dtype<double>()) return true;
  if (array.dtype() == nb::dtype<float>()) return false;
  throw nb::type_error("expected an array of float32 or float64");
}

// The entries of an array behind its first `skipped` axes; 0 strides along axes of one entry.
template <class Place, class Array>
Place place_of_array(const Array& array, std::size_t skipped, int axes) {
  if (array.ndim() != skipped + axes) throw nb::value_error("an array has the wrong rank");
  Place place;
  place.data = array.data();
  place.is_double = is_double(array);
  for (int axis = 0; axis < axes; ++axis)
    place.stride[axis] = array.shape(axis + skipped) == 1 ? 0 : Index(array.stride(axis + skipped));
  return place;
}

template <class Place>
void move_to(Place& place, Index entries) {
  using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(place.data)>>,
                                  const char, char>;
  place.data = static_cast<Byte*>(place.data) + entries * (place.is_double ? 8 : 4);
}

// One place a sentence; the column is a list of arrays, or one array, padded or shared.
template <class Place, class Array, class Each>
std::vector<Place> places(nb::handle column, Index sentences, int axes, Each each) {
  std::vector<Place> result;
  if (nb::isinstance<nb::list>(column)) {
    const auto listed = nb::cast<nb::list>(column);
    if (Index(listed.size()) != sentences) throw nb::value_error("expected one array a sentence");
    for (Index s = 0; s < sentences; ++s) {
      const auto array = nb::cast<Array>(listed[s]);
      result.push_back(place_of_array<Place>(array, 0, axes));
      each(s, array, std::size_t(0));
    }
    return result;
  }
  const auto array = nb::cast<Array>(column);
  const std::size_t skipped = array.ndim() == std::size_t(axes) ? 0 : 1;
  if (skipped && Index(array.shape(0)) != sentences)
    throw nb::value_error("expected a first axis for the sentences");
  const auto first = place_of_array<Place>(array, skipped, axes);
  for (Index s = 0; s < sentences; ++s) {
    result.push_back(first);
    if (skipped) move_to(result.back(), s * Index(array.stride(0)));
    each(s, array, skipped);
  }
  return result;
}

void add_column(BoundBatch& batch, int number, nb::handle column) {
  const ArrayShape& shape = batch.shapes[number];
  std::array<bool, kMostAxes> constant{};
  if (column.is_none()) {
    batch.views.emplace_back(batch.size());
    batch.constant.push_back(constant);
    return;
  }
  for (int axis = 0; axis < shape.axes; ++axis) constant[axis] = shape.extent[axis] == kWords;
  batch.views.push_back(places<View, Scores>(
      column, batch.size(), shape.axes, [&](Index s, const Scores& array, std::size_t skipped) {
        for (int axis = 0; axis < shape.axes; ++axis) {
          const Index given = Index(array.shape(axis + skipped));
          const Index wanted = shape.extent[axis] == kWords ? batch.lengths[s] : shape.extent[axis];
          if (given < wanted && given != 1) throw nb::value_error("an array is too small");
          constant[axis] = constant[axis] && given == 1;
        }
        batch.is_double |= is_double(array);
      }));
  batch.constant.push_back(constant);
}

void make_batch(BoundBatch* batch, const std::vector<Shape>& shapes, const nb::list& columns,
                std::vector<Index> lengths) {
  new (batch) BoundBatch();
  batch->lengths = std::move(lengths);
  for (const auto& [extents, upper] : shapes) {
    ArrayShape shape;
    shape.axes = int(extents.size());
    shape.upper = upper;
    if (shape.axes > kMostAxes) throw nb::value_error("too many axes");
    std::copy(extents.begin(), extents.end(), shape.extent.begin());
    batch->shapes.push_back(shape);
  }
  if (columns.size() != shapes.size()) throw nb::value_error("expected a column for every array");
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    batch->kept.push_back(nb::borrow(columns[k]));
    add_column(*batch, int(k), columns[k]);
  }
}

nb::object joined(std::vector<Analyses>& parts) {
  Analyses all;
  for (const Analyses& one : parts) {
    if (one.mentions.size() == 1) {  // no analysis: an empty one keeps the place
      all.mentions.push_back(all.mentions.back());
      all.tags.push_back(all.tags.back());
      all.structure.push_back(all.structure.back());
    } else {
      all.append(one);
    }
  }
  return tuple_of(std::move(all));
}

nb::tuple ask_for_best(const BoundBatch& batch, const Space& space, bool with_trees) {
  std::vector<double> scores(batch.size());
  std::vector<Analyses> trees(with_trees ? batch.size() : 0);
  {
    nb::gil_scoped_release released;
    ask_best(space, batch, scores.data(), with_trees ? &trees : nullptr);
  }
  return nb::make_tuple(numpy_of(std::move(scores)),
                        with_trees ? joined(trees) : nb::object(nb::none()));
}

auto ask_for_sums(const BoundBatch& batch, const Space& space, std::optional<nb::list> columns) {
  std::vector<double> log_z(batch.size());
  Targets targets;
  if (columns) targets = targets_of(batch, *columns);
  {
    nb::gil_scoped_release released;
    ask_sums(space, batch, log_z.data(), columns ? &targets : nullptr);
  }
  return numpy_of(std::move(log_z));
}

template <class Ask>
nb::list ranked_lists(const BoundBatch& batch, Ask ask) {
  std::vector<Ranked> ranked(batch.size());
  {
    nb::gil_scoped_release released;
    ask(ranked);
  }
  nb::list result;
  for (Ranked& one : ranked) result.append(tuple_of(std::move(one)));
  return result;
}

}  // namespace

nb::tuple tuple_of(Analyses a) {
  return nb::make_tuple(numpy_of(std::move(a.mentions)), numpy_of(std::move(a.starts)),
                        numpy_of(std::move(a.ends)), numpy_of(std::move(a.labels)),
                        numpy_of(std::move(a.fragments)), numpy_of(std::move(a.ranges)),
                        numpy_of(std::move(a.tags)), numpy_of(std::move(a.tag)),
                        numpy_of(std::move(a.structure)), numpy_of(std::move(a.structures)));
}

nb::object tuple_of(Ranked ranked) {
  return nb::make_tuple(numpy_of(std::move(ranked.scores)), tuple_of(std::move(ranked.analyses)));
}

Targets targets_of(const Batch& batch, const nb::list& columns) {
  if (columns.size() != batch.shapes.size())
    throw nb::value_error("expected a column for every array");
  Targets targets;
  for (std::size_t k = 0; k < columns.size(); ++k)
    targets.push_back(places<Target, Counts>(columns[k], batch.size(), batch.shapes[k].axes,
                                             [](Index, const Counts&, std::size_t) {}));
  return targets;
}

void register_batch(nb::module_& m) {
  static PyObject* bad_score =
      PyErr_NewException("spanforest._core.BadScore", PyExc_ValueError, nullptr);
  m.attr("BadScore") = nb::borrow(bad_score);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const BadScore& bad) {
      const nb::tuple where =
          nb::make_tuple(bad.array, bad.sentence, std::vector<Index>(bad.at.begin(), bad.at.end()));
      PyErr_SetObject(bad_score, where.ptr());
    }
  });
  nb::class_<BoundBatch>(m, "Batch")
      .def("__init__", &make_batch, nb::arg("shapes"), nb::arg("columns"), nb::arg("lengths"))
      .def("best", &ask_for_best, nb::arg("space"), nb::arg("trees"))
      .def("sums", &ask_for_sums, nb::arg("space"), nb::arg("targets").none())
      .def(
          "entropies",
          [](const BoundBatch& batch, const Space& space) {
            std::vector<double> out(batch.size());
            {
              nb::gil_scoped_release released;
              ask_entropies(space, batch, out.data());
            }
            return numpy_of(std::move(out));
          },
          nb::arg("space"))
      .def(
          "kbest",
          [](const BoundBatch& batch, const Space& space, Index count) {
            return ranked_lists(batch, [&](auto& out) { ask_kbest(space, batch, count, out); });
          },
          nb::arg("space"), nb::arg("count"))
      .def(
          "sample",
          [](const BoundBatch& batch, const Space& space, Index count, std::uint64_t seed) {
            return ranked_lists(batch,
                                [&](auto& out) { ask_sample(space, batch, count, seed, out); });
          },
          nb::arg("space"), nb::arg("count"), nb::arg("seed"));
}

}  // namespace spanforest

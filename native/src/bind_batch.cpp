// Batches: views of the score arrays of many sentences, and questions put to all of them.
#include <nanobind/stl/optional.h>

#include <mutex>

#include "bind.hpp"
#include "spanforest/kernels.hpp"

namespace spanforest {
namespace {

using Scores = nb::ndarray<nb::ro, nb::device::cpu>;
using Counts = nb::ndarray<nb::device::cpu>;

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

void make_batch(BoundBatch* batch, const Space& space, const nb::list& columns,
                std::vector<Index> lengths) {
  new (batch) BoundBatch();
  batch->lengths = std::move(lengths);
  batch->shapes = space.arrays;
  if (columns.size() != space.arrays.size())
    throw nb::value_error("expected a column for every array");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    batch->kept.push_back(nb::borrow(columns[k]));
    add_column(*batch, int(k), columns[k]);
  }
}

// Lengths of words up to n, if they are a list of int or an array of int64; else nothing.
std::optional<std::vector<Index>> plain_lengths(nb::handle given, Index sentences, Index n) {
  if (given.is_none()) return std::vector<Index>(sentences, n);
  std::vector<Index> lengths;
  nb::ndarray<nb::ro, const std::int64_t, nb::ndim<1>, nb::device::cpu, nb::c_contig> array;
  if (nb::isinstance<nb::list>(given)) {
    for (const nb::handle one : nb::borrow<nb::list>(given)) {
      if (!PyLong_CheckExact(one.ptr())) return {};
      lengths.push_back(PyLong_AsLongLong(one.ptr()));
    }
    PyErr_Clear();
  } else if (nb::try_cast(given, array, false)) {
    lengths.assign(array.data(), array.data() + array.size());
  } else {
    return {};
  }
  const bool fit = std::all_of(lengths.begin(), lengths.end(),
                               [&](Index length) { return 0 <= length && length <= n; });
  if (!fit || Index(lengths.size()) != sentences) return {};
  return lengths;
}

// The batch of one padded numpy array that has every axis in full; None for anything else, which
// is looked at more closely elsewhere.
std::optional<BoundBatch> plain_batch(const Space& space, nb::handle scores, nb::handle lengths) {
  static const nb::handle numpy_array =
      nb::object(nb::module_::import_("numpy").attr("ndarray")).release();
  if (!space.others_optional || scores.type().ptr() != numpy_array.ptr()) return {};
  const ArrayShape& shape = space.arrays[0];
  Scores array;
  if (!nb::try_cast(scores, array, false) || array.ndim() != std::size_t(shape.axes) + 1 ||
      (array.dtype() != nb::dtype<float>() && array.dtype() != nb::dtype<double>()))
    return {};
  Index n = -1;
  for (int axis = 0; axis < shape.axes; ++axis) {
    const auto given = Index(array.shape(axis + 1));
    if (shape.extent[axis] != kWords ? given != shape.extent[axis] : n >= 0 && given != n)
      return {};
    if (shape.extent[axis] == kWords) n = given;
  }
  auto checked = plain_lengths(lengths, Index(array.shape(0)), n);
  if (!checked) return {};
  BoundBatch batch;
  batch.words = n;
  batch.lengths = std::move(*checked);
  batch.shapes = space.arrays;
  batch.is_double = is_double(array);
  batch.kept.push_back(nb::borrow(scores));
  batch.views.resize(space.arrays.size(), std::vector<View>(batch.size()));
  batch.constant.resize(space.arrays.size());
  View view = place_of_array<View>(array, 1, shape.axes);
  for (Index s = 0; s < batch.size(); ++s) {
    batch.views[0][s] = view;
    move_to(view, Index(array.stride(0)));
  }
  return batch;
}

auto ask_for_max(const BoundBatch& batch, const Space& space) {
  std::vector<double> scores(batch.size());
  {
    nb::gil_scoped_release released;
    kernels().best(space, batch, scores.data(), nullptr);
  }
  return numpy_of(std::move(scores));
}

Analyses ask_for_argmax(const BoundBatch& batch, const Space& space) {
  nb::gil_scoped_release released;
  std::vector<double> scores(batch.size());
  Analyses trees;
  kernels().best(space, batch, scores.data(), &trees);
  for (Index s = 0; s < batch.size(); ++s)
    if (scores[s] == -infinity<double>) throw NoAnalysis{s};
  return trees;
}

auto ask_for_sums(const BoundBatch& batch, const Space& space, std::optional<nb::list> columns) {
  std::vector<double> log_z(batch.size());
  Targets targets;
  if (columns) targets = targets_of(batch, *columns);
  {
    nb::gil_scoped_release released;
    kernels().sums(space, batch, log_z.data(), columns ? &targets : nullptr);
  }
  return numpy_of(std::move(log_z));
}

// Memory for counts, kept for the next answer when an array is let go: fresh pages cost more than
// the counts.
class Blocks {
 public:
  static constexpr std::size_t kKept = 4, kLargest = std::size_t(1) << 27;

  struct Room {
    std::size_t bytes;
    std::unique_ptr<char[]> data;
  };
  std::unique_ptr<Room> get(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (auto& room : rooms_)
      if (room->bytes >= bytes && room->bytes <= 2 * bytes) {
        std::swap(room, rooms_.back());
        auto found = std::move(rooms_.back());
        rooms_.pop_back();
        return found;
      }
    return std::make_unique<Room>(Room{bytes, std::unique_ptr<char[]>(new char[bytes])});
  }
  void give_back(std::unique_ptr<Room> room) {
    if (room->bytes > kLargest) return;
    const std::lock_guard lock(mutex_);
    if (rooms_.size() == kKept) rooms_.erase(rooms_.begin());
    rooms_.push_back(std::move(room));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Room>> rooms_;
};
Blocks& blocks() {
  static Blocks& shared = *new Blocks();  // arrays may outlive the module
  return shared;
}

// Log Z and expected counts of a plain batch whose space has one array.
nb::tuple ask_for_marginals(const BoundBatch& batch, const Space& space) {
  const Index labels = space.arrays[0].extent[2], words = batch.words;
  const std::size_t size = batch.is_double ? 8 : 4;
  const std::size_t entries = std::size_t(words) * words * labels;
  auto room = blocks().get(batch.size() * entries * size);
  char* const data = room->data.get();
  nb::capsule owner(room.release(), [](void* p) noexcept {
    blocks().give_back(std::unique_ptr<Blocks::Room>(static_cast<Blocks::Room*>(p)));
  });
  Targets targets(1, std::vector<Target>(batch.size()));
  for (Index s = 0; s < batch.size(); ++s) {
    Target& target = targets[0][s];
    target.data = data + s * entries * size;
    target.is_double = batch.is_double;
    target.stride = {words * labels, labels, 1, 0, 0};
    target.words = words;
    target.fresh = true;
  }
  std::vector<double> log_z(batch.size());
  {
    nb::gil_scoped_release released;
    kernels().sums(space, batch, log_z.data(), &targets);
  }
  const auto array = [&]<class T>(T) {
    const std::size_t w = std::size_t(words);
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<4>>(
        data, {std::size_t(batch.size()), w, w, std::size_t(labels)}, owner));
  };
  return nb::make_tuple(numpy_of(std::move(log_z)), batch.is_double ? array(0.0) : array(0.0f));
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

nb::object tuple_of(Ranked ranked) {
  return nb::make_tuple(numpy_of(std::move(ranked.scores)), nb::cast(std::move(ranked.analyses)));
}

Targets targets_of(const Batch& batch, const nb::list& columns) {
  if (columns.size() != batch.shapes.size())
    throw nb::value_error("expected a column for every array");
  Targets targets;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const int axes = batch.shapes[k].axes;
    std::vector<Index> words;
    targets.push_back(places<Target, Counts>(
        columns[k], batch.size(), axes, [&](Index, const Counts& array, std::size_t skipped) {
          words.push_back(Index(array.shape(skipped + std::min(axes - 1, 1))));
        }));
    for (Index s = 0; s < batch.size(); ++s) targets.back()[s].words = words[s];
  }
  return targets;
}

// A property that shows numbers of an object as a read-only array.
template <auto numbers>
void show(nb::class_<Analyses>& shown, const char* name) {
  shown.def_prop_ro(name, [](Analyses& self) {
    const std::vector<Index>& all = self.*numbers;
    return nb::ndarray<nb::numpy, const Index, nb::ndim<1>>(all.data(), {all.size()},
                                                            nb::find(self));
  });
}

void register_batch(nb::module_& m) {
  nb::class_<Analyses> analyses(m, "Analyses");
  show<&Analyses::mentions>(analyses, "sentences");
  show<&Analyses::starts>(analyses, "starts");
  show<&Analyses::ends>(analyses, "ends");
  show<&Analyses::labels>(analyses, "labels");
  show<&Analyses::fragments>(analyses, "fragments");
  show<&Analyses::ranges>(analyses, "ranges");
  show<&Analyses::tags>(analyses, "tag_offsets");
  show<&Analyses::tag>(analyses, "tags");
  show<&Analyses::structure>(analyses, "structure_offsets");
  show<&Analyses::structures>(analyses, "structures");
  analyses.def("list_ranges", [](Analyses& self) { self.list_ranges(); });

  static PyObject* bad_score =
      PyErr_NewException("spanforest._core.BadScore", PyExc_ValueError, nullptr);
  static PyObject* no_analysis =
      PyErr_NewException("spanforest._core.NoAnalysis", PyExc_ValueError, nullptr);
  m.attr("BadScore") = nb::borrow(bad_score);
  m.attr("NoAnalysis") = nb::borrow(no_analysis);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const BadScore& bad) {
      const nb::tuple where =
          nb::make_tuple(bad.array, bad.sentence, std::vector<Index>(bad.at.begin(), bad.at.end()));
      PyErr_SetObject(bad_score, where.ptr());
    } catch (const NoAnalysis& none) {
      PyErr_SetObject(no_analysis, nb::int_(none.sentence).ptr());
    }
  });
  nb::class_<BoundBatch>(m, "Batch")
      .def("__init__", &make_batch, nb::arg("space"), nb::arg("columns"), nb::arg("lengths"))
      .def_static("plain", &plain_batch, nb::arg("space"), nb::arg("scores"),
                  nb::arg("lengths").none())
      .def_prop_ro("lengths", [](const BoundBatch& batch) { return batch.lengths; })
      .def("max", &ask_for_max, nb::arg("space"))
      .def("argmax", &ask_for_argmax, nb::arg("space"))
      .def_prop_ro(
          "has_marginals",
          [](const BoundBatch& batch) { return batch.words >= 0 && batch.shapes.size() == 1; })
      .def("marginals", &ask_for_marginals, nb::arg("space"))
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

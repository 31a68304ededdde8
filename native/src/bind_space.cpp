// Spaces: the finite tables of a space, checked and laid out by Python.
#include <nanobind/stl/optional.h>

#include "bind.hpp"

namespace spanforest {
namespace {

using Tags = std::vector<std::tuple<int, Index, Index, bool>>;  // role, label, kind, bare

std::vector<TagMeaning> meanings(const Tags& tags) {
  std::vector<TagMeaning> result;
  for (const auto& [role, label, kind, bare] : tags)
    result.push_back({Role(role), label, kind, bare});
  return result;
}

Space segments(Index labels, Index most, std::vector<Index> longest) {
  Space space{Kind::segments};
  space.labels = {labels, most, std::move(longest)};
  return space;
}

Space nested(Index labels, Index most, std::optional<Index> narrow) {
  Space space{Kind::nested};
  space.labels = {labels, most, {}};
  space.narrow = narrow.value_or(kUnrestricted);
  return space;
}

Space chain(const Tags& tags, const std::vector<std::pair<Index, Index>>& follows,
            const std::vector<Index>& initial, const std::vector<Index>& final) {
  Space space{Kind::chain};
  const Index count = Index(tags.size());
  space.meaning = meanings(tags);
  space.chain.tags = count;
  space.chain.before.resize(count);
  for (const auto& [a, b] : follows) space.chain.before.at(b).push_back(a);
  space.chain.initial.assign(count, 0);
  space.chain.final.assign(count, 0);
  for (const Index b : initial) space.chain.initial.at(b) = 1;
  for (const Index b : final) space.chain.final.at(b) = 1;
  return space;
}

Space automaton(const Tags& tags, Index states,
                const std::vector<std::tuple<Index, Index, Index>>& arcs,
                const std::vector<Index>& final, bool semantic) {
  Space space{Kind::automaton};
  space.meaning = meanings(tags);
  space.semantic = semantic;
  space.automaton.tags = Index(tags.size());
  space.automaton.states = states;
  space.automaton.into.resize(states);
  for (const auto& [from, tag, to] : arcs) space.automaton.into.at(to).push_back({from, tag});
  space.automaton.final.assign(states, 0);
  for (const Index q : final) space.automaton.final.at(q) = 1;
  return space;
}

Space dynamic(Index labels, std::vector<Index> window) {
  Space space{Kind::dynamic};
  space.dynamic = {labels, std::move(window)};
  return space;
}

Space label_chunk(Index chunks, Index tags, Index outside, bool adjacent, bool across) {
  Space space{Kind::label_chunk};
  space.chunks = {chunks, tags, outside, adjacent};
  space.across = across;
  return space;
}

using Row = std::tuple<Index, Index, Index, Index, Index, Index, bool>;

Space grammar(Index labels, Index tags, bool siblings, const std::vector<Row>& rows,
              const std::vector<std::vector<Index>>& below,
              const std::vector<std::vector<Index>>& chains) {
  Space space{Kind::grammar};
  std::vector<GrammarRow> listed;
  for (const auto& [rule, parent, context, before, first, second, more] : rows)
    listed.push_back({rule, parent, context, before, first, second, more});
  space.grammar = make_grammar(labels, tags, siblings, listed, below, chains);
  for (const auto& chain : chains) {
    space.chain_sizes.push_back(Index(chain.size()));
    space.chains |= chain.size() > 1;
  }
  return space;
}

using Shape = std::pair<std::vector<Index>, bool>;  // extents (-1: words), upper

void set_arrays(Space& space, const std::vector<Shape>& arrays, bool others_optional) {
  space.arrays.clear();
  for (const auto& [extents, upper] : arrays) {
    ArrayShape shape;
    shape.axes = int(extents.size());
    shape.upper = upper;
    if (shape.axes > kMostAxes) throw nb::value_error("too many axes");
    std::copy(extents.begin(), extents.end(), shape.extent.begin());
    space.arrays.push_back(shape);
  }
  space.others_optional = others_optional;
}

}  // namespace

void register_space(nb::module_& m) {
  nb::class_<Space>(m, "Space")
      .def("set_arrays", &set_arrays, nb::arg("arrays"), nb::arg("others_optional"))
      .def_static("segments", &segments, nb::arg("labels"), nb::arg("most"), nb::arg("longest"))
      .def_static("nested", &nested, nb::arg("labels"), nb::arg("most"), nb::arg("narrow").none())
      .def_static("chain", &chain, nb::arg("tags"), nb::arg("follows"), nb::arg("initial"),
                  nb::arg("final"))
      .def_static("automaton", &automaton, nb::arg("tags"), nb::arg("states"), nb::arg("arcs"),
                  nb::arg("final"), nb::arg("semantic"))
      .def_static("dynamic", &dynamic, nb::arg("labels"), nb::arg("window"))
      .def_static("label_chunk", &label_chunk, nb::arg("chunks"), nb::arg("tags"),
                  nb::arg("outside"), nb::arg("adjacent"), nb::arg("across"))
      .def_static("grammar", &grammar, nb::arg("labels"), nb::arg("tags"), nb::arg("siblings"),
                  nb::arg("rows"), nb::arg("below"), nb::arg("chains"));
}

}  // namespace spanforest

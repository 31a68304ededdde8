// Graphs: the derivations of one sentence that obey constraints, and questions put to them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>

#include "bind.hpp"

namespace spanforest {
namespace {

using Named = std::pair<Index, std::vector<Range>>;  // label, fragments
using Sets = std::vector<std::set<Index>>;

Graph bound_graph(const BoundBatch& shapes, const Space& space, Index n,
                  const std::vector<Named>& tracked, Sets require, std::set<Index> forbid,
                  Sets allow, std::set<Index> cover, std::vector<Index> tags,
                  std::optional<std::vector<Index>> structure) {
  Constraints constraints;
  for (const auto& [label, fragments] : tracked) constraints.tracked.push_back({label, fragments});
  constraints.require = std::move(require);
  constraints.forbid = std::move(forbid);
  constraints.allow = std::move(allow);
  constraints.cover = std::move(cover);
  constraints.tags = std::move(tags);
  constraints.exact = structure.has_value();
  if (structure) constraints.structure = std::move(*structure);
  nb::gil_scoped_release released;
  return make_graph(space, shapes, n, constraints);
}

auto listed(const Graph& graph, const BoundBatch& shapes, const Space& space) {
  std::vector<std::tuple<std::string, GraphEdge::Name, std::vector<GraphEdge::Name>,
                         std::vector<std::pair<int, std::vector<Index>>>>>
      result;
  for (auto& edge : list_edges(space, shapes, graph))
    result.emplace_back(edge.rule, edge.head, edge.body, edge.parts);
  return result;
}

}  // namespace

void register_graph(nb::module_& m) {
  nb::class_<Graph>(m, "Graph")
      .def("__len__", &Graph::size)
      .def("edges", &listed, nb::arg("shapes"), nb::arg("space"))
      .def(
          "log_z",
          [](const Graph& graph, const Space& space, const BoundBatch& batch, Index s,
             std::optional<nb::list> columns) {
            Targets targets;
            if (columns) targets = targets_of(batch, *columns);
            nb::gil_scoped_release released;
            return ask_graph_sums(space, graph, batch, s, columns ? &targets : nullptr);
          },
          nb::arg("space"), nb::arg("batch"), nb::arg("s"), nb::arg("targets").none())
      .def(
          "entropy",
          [](const Graph& graph, const Space& space, const BoundBatch& batch, Index s) {
            nb::gil_scoped_release released;
            return ask_graph_entropy(space, graph, batch, s);
          },
          nb::arg("space"), nb::arg("batch"), nb::arg("s"))
      .def(
          "best",
          [](const Graph& graph, const Space& space, const BoundBatch& batch, Index s) {
            Ranked ranked;
            {
              nb::gil_scoped_release released;
              ranked = ask_graph_best(space, graph, batch, s);
            }
            return tuple_of(std::move(ranked));
          },
          nb::arg("space"), nb::arg("batch"), nb::arg("s"))
      .def(
          "kbest",
          [](const Graph& graph, const Space& space, const BoundBatch& batch, Index s,
             Index count) {
            Ranked ranked;
            {
              nb::gil_scoped_release released;
              ranked = ask_graph_kbest(space, graph, batch, s, count);
            }
            return tuple_of(std::move(ranked));
          },
          nb::arg("space"), nb::arg("batch"), nb::arg("s"), nb::arg("count"))
      .def(
          "sample",
          [](const Graph& graph, const Space& space, const BoundBatch& batch, Index s, Index count,
             std::uint64_t seed) {
            Ranked ranked;
            {
              nb::gil_scoped_release released;
              ranked = ask_graph_sample(space, graph, batch, s, count, seed);
            }
            return tuple_of(std::move(ranked));
          },
          nb::arg("space"), nb::arg("batch"), nb::arg("s"), nb::arg("count"), nb::arg("seed"))
      .def(
          "worthiest",
          [](const Graph& graph, const Space& space, const std::vector<double>& worth) {
            Analyses analyses;
            auto kept = ask_worthiest(space, graph, worth, analyses);
            return nb::make_tuple(kept, nb::cast(std::move(analyses)));
          },
          nb::arg("space"), nb::arg("worth"));
  m.def("graph", &bound_graph, nb::arg("shapes"), nb::arg("space"), nb::arg("n"),
        nb::arg("tracked"), nb::arg("require"), nb::arg("forbid"), nb::arg("allow"),
        nb::arg("cover"), nb::arg("tags"), nb::arg("structure").none(),
        "The derivations of n words that obey.");
}

}  // namespace spanforest

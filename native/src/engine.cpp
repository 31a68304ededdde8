// The engine, instantiated, but for the questions in kernels.cpp.
#include "spanforest/api.hpp"
#include "spanforest/questions.hpp"

namespace spanforest {

void ask_entropies(const Space& space, const Batch& batch, double* out) {
  entropies(space, batch, out);
}
void ask_kbest(const Space& space, const Batch& batch, Index count, std::vector<Ranked>& out) {
  kbest(space, batch, count, out);
}
void ask_sample(const Space& space, const Batch& batch, Index count, std::uint64_t seed,
                std::vector<Ranked>& out) {
  sample(space, batch, count, seed, out);
}

Graph make_graph(const Space& space, const Batch& shapes, Index n, const Constraints& constraints) {
  return constrained(space, shapes, n, constraints);
}
double ask_graph_sums(const Space& space, const Graph& graph, const Batch& batch, Index s,
                      const Targets* targets) {
  return graph_sums(space, graph, batch, s, targets);
}
double ask_graph_entropy(const Space& space, const Graph& graph, const Batch& batch, Index s) {
  return graph_entropy(space, graph, batch, s);
}
Ranked ask_graph_best(const Space& space, const Graph& graph, const Batch& batch, Index s) {
  return graph_best(space, graph, batch, s);
}
Ranked ask_graph_kbest(const Space& space, const Graph& graph, const Batch& batch, Index s,
                       Index count) {
  return graph_kbest(space, graph, batch, s, count);
}
Ranked ask_graph_sample(const Space& space, const Graph& graph, const Batch& batch, Index s,
                        Index count, std::uint64_t seed) {
  return graph_sample(space, graph, batch, s, count, seed);
}
std::vector<Index> ask_worthiest(const Space& space, const Graph& graph,
                                 const std::vector<double>& worth, Analyses& out) {
  return worthiest(space, graph, worth, out);
}

std::vector<GraphEdge> list_edges(const Space& space, const Batch& shapes, const Graph& graph) {
  std::vector<GraphEdge> result;
  if (graph.names.empty() && !graph.empty())
    throw std::invalid_argument("the items of a refined graph have no names");
  with_program(space, graph.mentions_explicit, [&](const auto& make) {
    const auto program = make(graph.n, std::vector<Index>{graph.n},
                              [&](int array) { return shapes.cells(array, graph.n, true); });
    constexpr int own = int(std::size(std::remove_cvref_t<decltype(program)>::rules));
    const auto name = [&](Index item) {
      std::pair<std::string, std::vector<Index>> result;
      const auto& known = graph.names[item];
      if (known.size() > 1) {
        result = {"some", known};
        if (space.labels.most == 0) result.second.pop_back();
      } else {
        program.describe(known[0], [&](const char* text, auto... arguments) {
          result = {text, {Index(arguments)...}};
        });
      }
      return result;
    };
    graph.each_edge([&](Index head, const Graph::Edge& edge, Index) {
      constexpr const char* set_rules[] = {"s", "u", "v"};
      GraphEdge listed;
      listed.rule = edge.rule < own ? program.rules[edge.rule] : set_rules[edge.rule - own];
      listed.head = name(head);
      for (int k = 0; k < edge.items; ++k) listed.body.push_back(name(edge.item[k]));
      for (int k = 0; k < edge.parts; ++k) {
        const auto& [array, at] = edge.part[k];
        listed.parts.emplace_back(
            array, std::vector<Index>(at.begin(), at.begin() + shapes.shapes[array].axes));
      }
      result.push_back(std::move(listed));
    });
  });
  return result;
}

}  // namespace spanforest

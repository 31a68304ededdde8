// What the bindings call. Declared apart from the templates, so that those are compiled once.
#pragma once

#include <string>

#include "spanforest/answers.hpp"
#include "spanforest/graph.hpp"
#include "spanforest/refine.hpp"

namespace spanforest {

// An edge of a graph by name, for comparison with the rules.
struct GraphEdge {
  using Name = std::pair<std::string, std::vector<Index>>;
  std::string rule;
  Name head;
  std::vector<Name> body;
  std::vector<std::pair<int, std::vector<Index>>> parts;
};

// The entropy of each sentence's distribution, NaN where there is no analysis.
void ask_entropies(const Space&, const Batch&, double* out);
void ask_kbest(const Space&, const Batch&, Index count, std::vector<Ranked>&);
void ask_sample(const Space&, const Batch&, Index count, std::uint64_t seed, std::vector<Ranked>&);

// `shapes`: a batch of which only the shapes of the score arrays are looked at.
Graph make_graph(const Space&, const Batch& shapes, Index n, const Constraints&);
double ask_graph_sums(const Space&, const Graph&, const Batch&, Index s, const Targets*);
double ask_graph_entropy(const Space&, const Graph&, const Batch&, Index s);
Ranked ask_graph_best(const Space&, const Graph&, const Batch&, Index s);
Ranked ask_graph_kbest(const Space&, const Graph&, const Batch&, Index s, Index count);
Ranked ask_graph_sample(const Space&, const Graph&, const Batch&, Index s, Index count,
                        std::uint64_t seed);
// Which of the tracked mentions a worthiest analysis has, and the analysis.
std::vector<Index> ask_worthiest(const Space&, const Graph&, const std::vector<double>& worth,
                                 Analyses&);
std::vector<GraphEdge> list_edges(const Space&, const Batch& shapes, const Graph&);

GrammarTable make_grammar(Index labels, Index tags, bool siblings,
                          const std::vector<GrammarRow>& rows,
                          const std::vector<std::vector<Index>>& below,
                          const std::vector<std::vector<Index>>& chains);

}  // namespace spanforest

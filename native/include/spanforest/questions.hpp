// Questions put to the explicit graph of one sentence.
#pragma once

#include "spanforest/engine.hpp"

namespace spanforest {

// A graph with the weights that the scores of a sentence give to its edges.
template <class S>
struct GraphProblem {
  const Space& space;
  const Graph& graph;
  Parts<Graph, S> parts;
  std::vector<typename S::Value> values;

  template <class Weight>
  GraphProblem(const Space& space, const Graph& graph, Weight weight) : space(space), graph(graph) {
    parts.cells[0].resize(graph.edge_count());
    graph.each_edge([&](Index, const Graph::Edge& edge, Index number) {
      parts.cells[0][number] = weight(edge);
    });
    values.resize(graph.size(), S::zero());
    inside<S>(graph, parts, values.data());
  }
  const auto& total() const { return values.back(); }

  void read(const std::vector<Step>& steps, Analyses& out) const {
    Events events;
    for (const Step& step : steps) add(step, events);
    decode(space, events, graph.n, out);
  }
  Index restraint(const Step& step) const {
    Events events;
    add(step, events);
    events.outside = space.meaning.empty() ? edge(step).left_out : std::vector<Range>{};
    return restraint_of(space, events);
  }

 private:
  const Graph::Edge& edge(const Step& step) const { return graph.ways[step.head][step.rule]; }
  void add(const Step& step, Events& events) const {
    const Graph::Edge& used = edge(step);
    if (used.mention.label >= 0) events.mentions.push_back(used.mention);
    if (used.tag.first >= 0) events.tags.push_back(used.tag);
    if (used.outside.first >= 0) events.outside.push_back(used.outside);
    for (int k = 0; space.kind == Kind::dynamic && k < used.parts; ++k)
      if (used.part[k].array == 0) events.tag(used.part[k].at[0], used.part[k].at[1]);
  }
};

inline double checked_score(const Batch& batch, Index s, const Graph::Place& place) {
  const double score = batch.views[place.array][s].at(place.at);
  if (!is_good(score)) throw BadScore{place.array, s, place.at};
  return score;
}

template <class S>
GraphProblem<S> graph_problem(const Space& space, const Graph& graph, const Batch& batch, Index s) {
  return {space, graph, [&](const Graph::Edge& edge) {
            auto weight = S::one();
            for (int k = 0; k < edge.parts; ++k)
              weight = S::times(weight, S::of(checked_score(batch, s, edge.part[k])));
            return S::finish(weight);
          }};
}

inline Ranked graph_best(const Space& space, const Graph& graph, const Batch& batch, Index s) {
  using S = Max<double, 1>;
  Ranked result;
  if (graph.empty()) return result;
  const auto p = graph_problem<S>(space, graph, batch, s);
  if (p.total() == -infinity<double>) return result;
  std::vector<Step> steps;
  BestDerivation<S, Graph>(graph, p.parts, p.values.data(), 0)
      .unfold(graph.goal(0), [&](const Step& step) { return p.restraint(step); }, steps);
  result.scores.push_back(p.total());
  p.read(steps, result.analyses);
  return result;
}

inline Ranked graph_kbest(const Space& space, const Graph& graph, const Batch& batch, Index s,
                          Index count) {
  using S = Max<double, 1>;
  Ranked result;
  if (graph.empty()) return result;
  const auto p = graph_problem<S>(space, graph, batch, s);
  if (p.total() == -infinity<double>) return result;
  KBest ranked(graph, p.parts, p.values.data(), 0);
  std::vector<LabelledStep> labelled;
  std::vector<Step> steps;
  for (Index r = 0; r < count && ranked.find(graph.goal(0), r); ++r) {
    labelled.clear();
    steps.clear();
    ranked.unfold(graph.goal(0), r, labelled);
    for (const auto& [step, labels] : labelled) steps.push_back(step);
    result.scores.push_back(ranked.score(graph.goal(0), r));
    p.read(steps, result.analyses);
  }
  return result;
}

inline Ranked graph_sample(const Space& space, const Graph& graph, const Batch& batch, Index s,
                           Index count, std::uint64_t seed) {
  Ranked result;
  if (graph.empty()) return result;
  const auto p = graph_problem<Scaled<1>>(space, graph, batch, s);
  if (!(p.total().m > 0)) return result;
  Random random(seed, s);
  std::vector<Step> steps;
  for (Index k = 0; k < count; ++k) {
    steps.clear();
    unfold_sample(
        graph, p.parts, p.values.data(), graph.goal(0), [&] { return random.uniform(); }, steps);
    p.read(steps, result.analyses);
    result.scores.push_back(0);
  }
  return result;
}

// Log Z; if there are targets, expected counts.
inline double graph_sums(const Space& space, const Graph& graph, const Batch& batch, Index s,
                         const Targets* targets) {
  using S = Scaled<1>;
  if (graph.empty()) return -infinity<double>;
  const auto p = graph_problem<S>(space, graph, batch, s);
  if (!targets || !(p.total().m > 0)) return log_of(p.total());
  std::vector<S::Value> around(graph.size(), S::zero());
  Parts<Graph, S> gradient;
  gradient.cells[0].assign(graph.edge_count(), S::zero());
  around.back() = S::one();
  outside<S>(graph, p.parts, p.values.data(), around.data(), gradient);
  graph.each_edge([&](Index, const Graph::Edge& edge, Index number) {
    const auto weight = S::times(p.parts.cells[0][number], gradient.cells[0][number]);
    const double share = std::min(1.0, ratio(weight, p.total()));
    for (int k = 0; k < edge.parts; ++k)
      (*targets)[edge.part[k].array][s].add(edge.part[k].at, share);
  });
  return log_of(p.total());
}

inline double graph_entropy(const Space& space, const Graph& graph, const Batch& batch, Index s) {
  using S = Scaled<1>;
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (graph.empty()) return none;
  const auto p = graph_problem<S>(space, graph, batch, s);
  if (!(p.total().m > 0)) return none;
  std::vector<S::Value> around(graph.size(), S::zero());
  Parts<Graph, S> gradient;
  gradient.cells[0].assign(graph.edge_count(), S::zero());
  around.back() = S::one();
  outside<S>(graph, p.parts, p.values.data(), around.data(), gradient);
  return entropy_of(graph, p.parts, p.values.data(), around.data(), graph.goal(0),
                    [](auto) { return 0.0; });
}

// An analysis whose tracked mentions have the greatest worth, and which mentions those are.
inline std::vector<Index> worthiest(const Space& space, const Graph& graph,
                                    const std::vector<double>& worth, Analyses& out) {
  using S = Max<double, 1>;
  std::vector<Index> kept;
  if (graph.empty()) return kept;
  const GraphProblem<S> p(space, graph, [&](const Graph::Edge& edge) {
    double sum = 0;
    for (const Index id : edge.completed)
      if (!worth.empty() && id >= 0) sum += worth[id];
    return sum;
  });
  std::vector<Step> steps;
  BestDerivation<S, Graph>(graph, p.parts, p.values.data(), 0)
      .unfold(graph.goal(0), [](const Step&) { return 0; }, steps);
  for (const Step& step : steps)
    for (const Index id : graph.ways[step.head][step.rule].completed) kept.push_back(id);
  p.read(steps, out);
  return kept;
}

}  // namespace spanforest

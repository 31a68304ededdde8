// Refinement: the derivations of a graph that a finite memory accepts. Items are split by the state
// of the memory; derivations stay one to one (rules/refinement.py).
#pragma once

#include <map>
#include <optional>
#include <set>

#include "spanforest/graph.hpp"

namespace spanforest {

// step(edge, states of its items, edge to keep) is the state of its head, or nothing: refused.
template <class State, class Step>
Graph refined(const Graph& graph, Step step) {
  if (graph.empty()) return graph;
  const Index goal = graph.size() - 1;
  std::vector<std::map<State, Index>> numbers(graph.size());
  std::vector<std::vector<Graph::Edge>> ways;
  const auto number = [&](Index item, const State& state) {
    const auto [entry, fresh] =
        numbers[item].try_emplace(item == goal ? State{} : state, Index(ways.size()));
    if (fresh) ways.emplace_back();
    return entry->second;
  };
  const Index last = [&] {  // the goal has one state, whose number is known at the end
    graph.each_edge([&](Index head, const Graph::Edge& edge, Index) {
      const auto combine = [&](const State* a, Index first, const State* b, Index second) {
        Graph::Edge kept = edge;
        kept.item = {first, second};
        const std::array<const State*, 2> states{a, b};
        if (const std::optional<State> state = step(kept, states, head == goal))
          ways[number(head, *state)].push_back(std::move(kept));
      };
      if (edge.items == 0) combine(nullptr, 0, nullptr, 0);
      if (edge.items == 1)
        for (const auto& [a, first] : numbers[edge.item[0]]) combine(&a, first, nullptr, 0);
      if (edge.items == 2)
        for (const auto& [a, first] : numbers[edge.item[0]])
          for (const auto& [b, second] : numbers[edge.item[1]]) combine(&a, first, &b, second);
    });
    return numbers[goal].empty() ? Index(-1) : numbers[goal].begin()->second;
  }();
  if (last < 0) return trimmed(graph.n, {{}}, 0);
  return trimmed(graph.n, std::move(ways), last);
}

struct Nothing {
  auto operator<=>(const Nothing&) const = default;
};

template <class Keep>
Graph filtered(const Graph& graph, Keep keep) {
  return refined<Nothing>(graph, [&](Graph::Edge& edge, const auto&, bool) {
    return keep(edge) ? std::optional<Nothing>(Nothing{}) : std::nullopt;
  });
}

// The derivations that complete one of the wanted mentions.
inline Graph demanding(const Graph& graph, const std::set<Index>& wanted) {
  return refined<bool>(graph, [&](Graph::Edge& edge, const auto& states, bool is_goal) {
    bool found = false;
    for (const Index id : edge.completed) found |= wanted.contains(id);
    for (const bool* state : states) found |= state && *state;
    return is_goal && !found ? std::nullopt : std::optional<bool>(found);
  });
}

// What has been read of an open mention or set (spaces/_tagging.py): only what concerns the tracked
// mentions is remembered. A component that is not remembered starts at -1.
struct Group {
  Index label = -1;  // -1: none
  bool is_set = false;
  std::set<Index> kinds;
  std::set<Component> components;
  bool open = false;
  Component current{};

  auto operator<=>(const Group&) const = default;
};

class TagReader {
 public:
  TagReader(const Space& space, const std::map<Mention, Index>& tracked, bool strict)
      : space_(space), tracked_(tracked), strict_(strict) {
    for (const auto& [mention, id] : tracked) {
      words_.emplace_back(mention.label, std::set<Index>{});
      for (const auto& [start, end] : mention.fragments)
        for (Index word = start; word < end; ++word) words_.back().second.insert(word);
    }
  }

  // The state behind a word; what it completes goes to `completed`. Nothing: refused.
  std::optional<Group> read(Group state, Index word, Index number,
                            std::vector<Index>& completed) const {
    const TagMeaning& tag = space_.meaning[number];
    if (tag.role == Role::inside) return state;
    if (!close(state, word)) return std::nullopt;
    if (tag.role == Role::gap) return state;
    if (tag.role != Role::component) {
      if (!complete(state, completed)) return std::nullopt;
      state = Group{};
      if (tag.role == Role::outside) return state;
      state.label = tag.label;
      state.is_set = tag.role == Role::set;
    }
    const bool known = matters(state.label, word, word + 1);
    if (strict_ && !known) return std::nullopt;
    state.kinds.insert(tag.kind);
    state.open = true;
    state.current = {tag.kind, known ? word : -1, -1, tag.bare};
    return state;
  }
  bool end(Group state, Index n, std::vector<Index>& completed) const {
    return close(state, n) && complete(state, completed);
  }

 private:
  bool close(Group& state, Index word) const {
    if (!state.open) return true;
    Component ended = state.current;
    ended.end = word;
    const bool known = ended.start >= 0 && matters(state.label, ended.start, word);
    if (known) state.components.insert(ended);
    state.open = false;
    state.current = {};
    return known || !strict_;
  }
  bool complete(const Group& state, std::vector<Index>& completed) const {
    if (state.label < 0) return true;
    bool allowed = true;
    group_mentions(state.label, state.is_set, {state.kinds.begin(), state.kinds.end()},
                   {state.components.begin(), state.components.end()}, [&](const Mention& found) {
                     const auto entry = tracked_.find(found);
                     if (entry != tracked_.end()) completed.push_back(entry->second);
                     allowed &= entry != tracked_.end();
                   });
    return allowed || !strict_;
  }
  bool matters(Index label, Index start, Index end) const {
    return std::any_of(words_.begin(), words_.end(), [&](const auto& entry) {
      if (entry.first != label) return false;
      for (Index word = start; word < end; ++word)
        if (!entry.second.contains(word)) return false;
      return true;
    });
  }

  const Space& space_;
  const std::map<Mention, Index>& tracked_;
  bool strict_;
  std::vector<std::pair<Index, std::set<Index>>> words_;
};

// What the mentions of a sentence must obey, by numbers of tracked mentions (constraints.py), and
// what an analysis says besides its mentions.
struct Constraints {
  std::vector<Mention> tracked;
  std::vector<std::set<Index>> require;  // one of each
  std::set<Index> forbid;
  std::vector<std::set<Index>> allow;  // in all of them, if there are any
  std::set<Index> cover;               // words in some mention
  std::vector<Index> tags;             // of every word; empty: any
  bool exact = false;                  // structure holds
  std::vector<Index> structure;        // as in Analyses
};

// The derivations with edges that say which tracked mentions they complete.
inline Graph tracking(const Space& space, const Batch& shapes, Index n,
                      const std::map<Mention, Index>& tracked, bool strict) {
  const bool by_tags = space.kind == Kind::chain || space.kind == Kind::automaton;
  Graph graph = ground(space, shapes, n, !tracked.empty() || strict);
  if (!by_tags) {
    for (auto& group : graph.ways)
      for (auto& edge : group) {
        if (edge.mention.label < 0) continue;
        const auto entry =
            tracked.find({edge.mention.label, {{edge.mention.start, edge.mention.end}}});
        edge.completed = {entry == tracked.end() ? -1 : entry->second};
      }
    return graph;
  }
  if (tracked.empty() && !strict) return graph;
  const TagReader reader(space, tracked, strict);
  return refined<Group>(
      graph, [&](Graph::Edge& edge, const auto& states, bool) -> std::optional<Group> {
        const Group state = states[0] ? *states[0] : Group{};
        if (edge.tag.first >= 0)
          return reader.read(state, edge.tag.first, edge.tag.second, edge.completed);
        if (!reader.end(state, n, edge.completed)) return std::nullopt;
        return Group{};
      });
}

// Whether an edge agrees with what an analysis says besides its mentions.
inline bool agrees(const Space& space, const Constraints& c, const Graph::Edge& edge) {
  if (!c.tags.empty() && edge.tag.first >= 0 && c.tags[edge.tag.first] != edge.tag.second)
    return false;
  if (!c.exact) return true;
  const auto& rows = c.structure;
  if (space.kind == Kind::label_chunk && space.chunks.adjacent && edge.outside.first >= 0) {
    for (std::size_t k = 0; k < rows.size(); k += 2)
      if (Range{rows[k], rows[k + 1]} == edge.outside) return true;
    return false;
  }
  if (space.kind == Kind::automaton && space.semantic && edge.tag.first >= 0) {
    const TagMeaning& tag = space.meaning[edge.tag.second];
    if (tag.role != Role::set) return true;
    for (std::size_t k = 0; k < rows.size(); k += 2)
      if (rows[k] == edge.tag.first) return rows[k + 1] == tag.kind;
    return false;
  }
  if (space.chains && edge.mention.label >= 0) {
    // the chain of a mention: its label and those inside it on the same span
    Index below = -1, size = 0;
    for (std::size_t k = 0; k < rows.size(); k += 3) {
      if (rows[k] != edge.mention.start || rows[k + 1] != edge.mention.end) continue;
      ++size;
      if (rows[k + 2] == edge.mention.label)
        below = 1;
      else if (below > 0)
        ++below;
    }
    return size == 0 || below == space.chain_sizes[edge.mention.chain];
  }
  return true;
}

inline Graph constrained(const Space& space, const Batch& shapes, Index n, const Constraints& c) {
  std::map<Mention, Index> tracked;
  for (std::size_t k = 0; k < c.tracked.size(); ++k) tracked.emplace(c.tracked[k], Index(k));
  Graph graph = tracking(space, shapes, n, tracked, !c.allow.empty());
  const bool free = c.forbid.empty() && c.allow.empty() && c.cover.empty() && c.tags.empty();
  if (free && !c.exact && c.require.empty()) return graph;
  graph = filtered(graph, [&](const Graph::Edge& edge) {
    for (const Index id : edge.completed) {
      if (c.forbid.contains(id)) return false;
      for (const auto& allowed : c.allow)
        if (!allowed.contains(id)) return false;
    }
    for (const auto& [start, end] : edge.left_out)
      for (Index word = start; word < end; ++word)
        if (c.cover.contains(word)) return false;
    return agrees(space, c, edge);
  });
  for (const auto& wanted : c.require) graph = demanding(graph, wanted);
  return graph;
}

}  // namespace spanforest

// From derivations to analyses: mentions, tags and structure, as flat arrays.
#pragma once

#include <algorithm>

#include "spanforest/space.hpp"

namespace spanforest {

using Range = std::pair<Index, Index>;

struct Mention {
  Index label;
  std::vector<Range> fragments;

  auto operator<=>(const Mention&) const = default;
};

// What the steps of a derivation say. `chain` tells apart mentions that differ in structure only.
struct Events {
  struct Span {
    Index label, start, end, chain;
  };
  std::vector<Span> mentions;
  std::vector<Range> tags;  // word, tag
  std::vector<Range> outside;

  void mention(Index label, Index start, Index end, Index chain = 0) {
    mentions.push_back({label, start, end, chain});
  }
  void tag(Index word, Index tag) { tags.emplace_back(word, tag); }
  void leave_out(Index start, Index end) { outside.emplace_back(start, end); }
};

// Analyses one behind the other; `structure` is what mentions and tags leave open, as numbers:
// outside chunks (start, end), first types of sets (word, kind), labels of spans that have several,
// from outside in (start, end, label).
struct Analyses {
  std::vector<Index> mentions{0}, tags{0}, structure{0};  // offsets of each analysis
  std::vector<Index> starts, ends, labels;                // of each mention
  // Offsets of its ranges, and these (start, end); both empty while every mention is in one piece.
  std::vector<Index> fragments, ranges;
  std::vector<Index> tag, structures;

  void add(Index start, Index end, Index label) {
    starts.push_back(start);
    ends.push_back(end);
    labels.push_back(label);
    if (!fragments.empty()) add_range(start, end);
  }
  void add(const Mention& mention) {
    if (mention.fragments.size() > 1) list_ranges();
    starts.push_back(mention.fragments.front().first);
    ends.push_back(mention.fragments.back().second);
    labels.push_back(mention.label);
    if (fragments.empty()) return;
    for (const auto& [start, end] : mention.fragments) ranges.insert(ranges.end(), {start, end});
    fragments.push_back(Index(ranges.size()) / 2);
  }
  // The analysis is complete.
  void close() {
    mentions.push_back(Index(starts.size()));
    tags.push_back(Index(tag.size()));
    structure.push_back(Index(structures.size()));
  }
  void add(std::vector<Mention>& found, const std::vector<Range>& tagged,
           const std::vector<Index>& rest) {
    const auto before = [](const Mention& a, const Mention& b) {
      const Index a_end = -a.fragments.back().second, b_end = -b.fragments.back().second;
      return std::tie(a.fragments[0].first, a_end, a.fragments, a.label) <
             std::tie(b.fragments[0].first, b_end, b.fragments, b.label);
    };
    std::sort(found.begin(), found.end(), before);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const Mention& mention : found) add(mention);
    for (const auto& [word, t] : tagged) tag.push_back(t);
    structures.insert(structures.end(), rest.begin(), rest.end());
    close();
  }
  void append(Analyses other) {
    if (!fragments.empty() || !other.fragments.empty()) {
      list_ranges();
      other.list_ranges();
    }
    const auto joined = [](std::vector<Index>& to, const std::vector<Index>& from, Index base) {
      for (std::size_t k = 1; k < from.size(); ++k) to.push_back(from[k] + base);
    };
    const auto copied = [](std::vector<Index>& to, const std::vector<Index>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    joined(mentions, other.mentions, Index(starts.size()));
    joined(tags, other.tags, Index(tag.size()));
    joined(structure, other.structure, Index(structures.size()));
    joined(fragments, other.fragments, Index(ranges.size()) / 2);
    copied(starts, other.starts);
    copied(ends, other.ends);
    copied(labels, other.labels);
    copied(ranges, other.ranges);
    copied(tag, other.tag);
    copied(structures, other.structures);
  }
  void list_ranges() {
    if (!fragments.empty()) return;
    fragments.push_back(0);
    for (std::size_t m = 0; m < starts.size(); ++m) add_range(starts[m], ends[m]);
  }

 private:
  void add_range(Index start, Index end) {
    ranges.insert(ranges.end(), {start, end});
    fragments.push_back(Index(ranges.size()) / 2);
  }
};

// The same tokens as sorted ranges that do not touch.
inline std::vector<Range> merged(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::vector<Range> result;
  for (const auto& [start, end] : ranges) {
    if (!result.empty() && start <= result.back().second) {
      result.back().second = std::max(result.back().second, end);
    } else {
      result.emplace_back(start, end);
    }
  }
  return result;
}

// A component of a set of mentions: its type, its words, whether it is also a mention alone.
struct Component {
  Index kind, start, end;
  bool bare;

  auto operator<=>(const Component&) const = default;
};

// The mentions of a finished group: unions of one component of each type, and bare components.
template <class F>
void group_mentions(Index label, bool is_set, const std::vector<Index>& kinds,
                    const std::vector<Component>& components, F f) {
  std::vector<std::vector<Range>> unions{{}};
  for (const Index kind : kinds) {
    std::vector<std::vector<Range>> longer;
    for (const auto& chosen : unions)
      for (const auto& c : components)
        if (c.kind == kind) {
          longer.push_back(chosen);
          longer.back().emplace_back(c.start, c.end);
        }
    unions = std::move(longer);
  }
  for (auto& chosen : unions) f(Mention{label, merged(std::move(chosen))});
  for (const auto& c : components)
    if (is_set && c.bare) f(Mention{label, {{c.start, c.end}}});
}

// The mentions that a well-formed sequence of tags means.
inline void read_tags(const Space& space, const std::vector<Range>& tags, Index n,
                      std::vector<Mention>& found, std::vector<Index>& structure) {
  std::vector<Component> components;
  std::vector<Index> kinds;
  Index label = -1;
  bool is_set = false, open = false;
  const auto close = [&](Index word) {
    if (open) components.back().end = word;
    open = false;
  };
  const auto finish = [&](Index word) {
    close(word);
    if (label >= 0)
      group_mentions(label, is_set, kinds, components,
                     [&](Mention mention) { found.push_back(std::move(mention)); });
    label = -1;
    components.clear();
    kinds.clear();
  };
  for (const auto& [word, number] : tags) {
    const TagMeaning& tag = space.meaning[number];
    if (tag.role == Role::inside) continue;
    if (tag.role == Role::gap) {
      close(word);
      continue;
    }
    if (tag.role != Role::component) finish(word);
    if (tag.role == Role::outside) continue;
    close(word);
    if (tag.role != Role::component) {
      label = tag.label;
      is_set = tag.role == Role::set;
      if (is_set && space.semantic) structure.insert(structure.end(), {word, tag.kind});
    }
    if (std::find(kinds.begin(), kinds.end(), tag.kind) == kinds.end()) kinds.push_back(tag.kind);
    components.push_back({tag.kind, word, word, tag.bare});
    open = true;
  }
  finish(n);
}

// Words left out, less mentions; with tags less what they open, as RESTRAINT in spaces/_tagging.py.
inline Index restraint_of(const Space& space, const Events& events) {
  Index sum = -Index(events.mentions.size());
  for (const auto& [start, end] : events.outside) sum += end - start;
  for (const auto& [word, tag] : events.tags) {
    if (space.kind == Kind::dynamic) sum -= tag > 0 && tag % 3 == 0;
    if (space.meaning.empty()) continue;
    const TagMeaning& meaning = space.meaning[tag];
    if (meaning.role == Role::outside || meaning.role == Role::gap) ++sum;
    if (meaning.role == Role::mention || meaning.role == Role::set) --sum;
    if (meaning.role == Role::component) sum -= 2;
    sum -= Index(meaning.bare);
  }
  return sum;
}

// The analysis that events tell, added to `out`.
inline void decode(const Space& space, Events& events, Index n, Analyses& out) {
  std::vector<Mention> found;
  std::vector<Index> structure;
  std::sort(events.tags.begin(), events.tags.end());
  switch (space.kind) {
    case Kind::chain:
    case Kind::automaton:
      read_tags(space, events.tags, n, found, structure);
      events.tags.clear();
      break;
    case Kind::dynamic: {
      // columns: O, then B, I, E of each label; a word can have several
      Index start = 0;
      for (const auto& [word, b] : events.tags) {
        if (b % 3 == 1) start = word;
        if (b > 0 && b % 3 == 0) found.push_back({b / 3 - 1, {{start, word + 1}}});
      }
      events.tags.clear();
      break;
    }
    default: {
      for (const auto& m : events.mentions) found.push_back({m.label, {{m.start, m.end}}});
      if (space.kind == Kind::label_chunk && space.chunks.adjacent) {
        std::sort(events.outside.begin(), events.outside.end());
        for (const auto& [start, end] : events.outside)
          structure.insert(structure.end(), {start, end});
      }
      if (space.chains) {
        auto& chain = events.mentions;  // inner chains are smaller, and come first in their numbers
        std::sort(chain.begin(), chain.end(), [](const auto& a, const auto& b) {
          return std::tie(a.start, a.end, b.chain) < std::tie(b.start, b.end, a.chain);
        });
        const auto same = [&](std::size_t a, std::size_t b) {
          return b < chain.size() && chain[a].start == chain[b].start &&
                 chain[a].end == chain[b].end;
        };
        for (std::size_t k = 0; k < chain.size(); ++k)
          if (same(k, k + 1) || (k > 0 && same(k, k - 1)))
            structure.insert(structure.end(), {chain[k].start, chain[k].end, chain[k].label});
      }
    }
  }
  out.add(found, events.tags, structure);
}

}  // namespace spanforest

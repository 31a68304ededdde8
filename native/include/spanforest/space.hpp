// A space as the engine is given it: which program, and its finite tables. Made once per space.
#pragma once

#include "spanforest/labels.hpp"
#include "spanforest/spaces/chain.hpp"
#include "spanforest/spaces/dynamic_chain.hpp"
#include "spanforest/spaces/grammar.hpp"
#include "spanforest/spaces/label_chunk.hpp"
#include "spanforest/spaces/nested.hpp"
#include "spanforest/spaces/segments.hpp"

namespace spanforest {

enum class Role { outside, mention, set, component, inside, gap };

// What a tag says of its word (spaces/_tagging.py): kind is the type of a component.
struct TagMeaning {
  Role role;
  Index label, kind;
  bool bare;
};

enum class Kind { segments, nested, chain, automaton, dynamic, label_chunk, grammar };

// The cells of the first arrays of a space, behind them none.
template <int kGiven, int kAll = kGiven, class CellsOf>
std::array<Cells, kAll> every(const CellsOf& cells_of_array) {
  std::array<Cells, kAll> result;
  for (int array = 0; array < kGiven; ++array) result[array] = cells_of_array(array);
  return result;
}

struct Space {
  Kind kind = Kind::segments;
  std::vector<ArrayShape> arrays{};   // the score arrays
  bool others_optional = false;       // whether only the first of them has to be given
  LabelOptions labels{};              // of spans: segments, nested
  Index narrow = kUnrestricted;       // nested
  ChainTable chain{};                 // chain
  AutomatonTable automaton{};         // automaton
  std::vector<TagMeaning> meaning{};  // chain, automaton
  bool semantic = false;              // automaton: sets are told by their first type
  DynamicTable dynamic{};             // dynamic
  ChunkTable chunks{};                // label_chunk
  bool across = false;                // label_chunk
  GrammarTable grammar{};             // grammar
  bool chains = false;                // grammar: spans can have several labels
  std::vector<Index> chain_sizes{};   // grammar: of each set of labels on a span
};

// f(make), where make(n, ends, cells) is the program for sentences of up to n words; `ends` are
// their lengths in order, `cells(array)` the cells of their scores. `mentions_explicit`: every
// mention is completed by an edge that knows all of it (tags aside).
template <class F>
decltype(auto) with_program(const Space& space, bool mentions_explicit, F&& f) {
  using Ends = std::vector<Index>;
  const auto nested = [&](auto narrow) {
    return f([&space](Index n, const Ends&, const auto&) {
      return Nested<decltype(narrow)::value>{n, space.narrow};
    });
  };
  const auto dynamic = [&](auto with_mentions) {
    return f([&space](Index n, const Ends&, const auto& cells) {
      return DynamicChain<decltype(with_mentions)::value>{n, &space.dynamic, every<5>(cells)};
    });
  };
  const auto label_chunk = [&](auto across) {
    return f([&space](Index n, const Ends&, const auto& cells) {
      constexpr bool tags_across = decltype(across)::value;
      return LabelChunk<tags_across>{n, &space.chunks, every<tags_across ? 5 : 4>(cells)};
    });
  };
  switch (space.kind) {
    case Kind::segments:
      return f([&space](Index n, const Ends&, const auto&) {
        const auto& limits = space.labels.longest;
        return Segments{n, limits.empty() ? n : *std::max_element(limits.begin(), limits.end())};
      });
    case Kind::nested:
      if (space.narrow == kUnrestricted) return nested(std::integral_constant<int, -2>{});
      if (space.narrow == 1) return nested(std::integral_constant<int, 1>{});
      return nested(std::integral_constant<int, kAnyNarrow>{});
    case Kind::chain:
      return f([&space](Index n, const Ends&, const auto& cells) {
        return Chain{n, &space.chain, every<4>(cells)};
      });
    case Kind::automaton:
      return f([&space](Index n, const Ends&, const auto& cells) {
        return Automaton{n, &space.automaton, every<1>(cells)};
      });
    case Kind::dynamic:
      return mentions_explicit ? dynamic(std::true_type{}) : dynamic(std::false_type{});
    case Kind::label_chunk:
      return space.across ? label_chunk(std::true_type{}) : label_chunk(std::false_type{});
    case Kind::grammar:
    default:
      return f([&space](Index n, const Ends& ends, const auto& cells) {
        return space.grammar.siblings ? Grammar{n, &space.grammar, every<4>(cells), ends}
                                      : Grammar{n, &space.grammar, every<3, 4>(cells), ends};
      });
  }
}

}  // namespace spanforest

// A grammar resolved into states: what can be reached from ROOT, and the rules of each state.
#include <set>

#include "spanforest/api.hpp"

namespace spanforest {
namespace {

class Builder {
 public:
  Builder(Index labels, Index tags, bool siblings, const std::vector<GrammarRow>& rows,
          const std::vector<std::vector<Index>>& below,
          const std::vector<std::vector<Index>>& chains)
      : rows_(rows), below_(below) {
    table_.labels = labels;
    table_.tags = tags;
    table_.siblings = siblings;
    for (const auto& chain : chains) chains_.emplace_back(chain.begin(), chain.end());
  }

  GrammarTable build() {
    const Index root = table_.symbols(), top = Index(below_[root].size()) - 1;
    reach(root, top);
    number_nodes();
    number_rests(root);
    for (const auto& node : table_.nodes) table_.node_rules.push_back(rules_of_node(node));
    table_.root.rest = rest_number(root, top, root);
    for (const auto& row : rows_)
      if (is_unary(row) && row.parent == root)
        for (const auto& child : children(row, row.first))
          table_.root.unary.push_back({row.rule, child});
    for (const auto& rest : table_.rests) table_.rest_rules.push_back(rules_of_rest(rest));
    return std::move(table_);
  }

 private:
  using Place = std::pair<Index, Index>;  // symbol, context

  static bool is_unary(const GrammarRow& row) { return row.second < 0 && !row.more; }
  Index context_below(const GrammarRow& row) const { return below_[row.parent][row.context]; }

  // The symbols that can stand below others, with their contexts.
  void reach(Index root, Index top) {
    std::vector<Place> agenda{{root, top}};
    reached_.insert({root, top});
    while (!agenda.empty()) {
      const Place place = agenda.back();
      agenda.pop_back();
      for (const auto& row : rows_) {
        if (Place{row.parent, row.context} != place) continue;
        for (const Index child : {row.first, row.second}) {
          if (child < 0) continue;
          const Place found{child, context_below(row)};
          if (reached_.insert(found).second && !table_.is_tag(child)) agenda.push_back(found);
        }
      }
    }
  }

  // Smaller chains first: on one span, larger ones are built from them.
  void number_nodes() {
    std::vector<std::pair<std::size_t, GrammarTable::Node>> found;
    for (const auto& [a, c] : reached_) {
      if (a == table_.symbols()) continue;
      if (table_.is_tag(a)) {
        tagged_[{a, c}] = Index(table_.tagged.size());
        table_.tagged.push_back({a, c});
        continue;
      }
      for (Index m = 0; m < Index(chains_.size()); ++m)
        if (chains_[m].contains(a)) found.push_back({chains_[m].size(), {a, c, m}});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (const auto& [size, node] : found) {
      nodes_[{node.a, node.c}].push_back(Index(table_.nodes.size()));
      table_.nodes.push_back(node);
    }
  }

  void number_rests(Index root) {
    std::set<std::tuple<Index, Index, Index>> found;
    for (const auto& row : rows_)
      if (!is_unary(row) && reached_.contains({row.parent, row.context}))
        found.insert({row.parent, row.context, row.before});
    for (const bool of_root : {true, false})
      for (const auto& [a, c, p] : found) {
        if ((a == root) != of_root) continue;
        rests_[{a, c, p}] = Index(table_.rests.size());
        table_.rests.push_back({a, c, p});
        table_.root_rests += of_root;
      }
  }
  Index rest_number(Index a, Index c, Index p) const {
    const auto entry = rests_.find({a, c, p});
    return entry == rests_.end() ? -1 : entry->second;
  }

  // The states that a child of a rule can be in: one for each chain of labels on its span.
  std::vector<GrammarTable::Child> children(const GrammarRow& row, Index symbol) const {
    const Place place{symbol, context_below(row)};
    if (table_.is_tag(symbol)) return {{symbol, tagged_.at(place)}};
    std::vector<GrammarTable::Child> result;
    const auto entry = nodes_.find(place);
    if (entry != nodes_.end())
      for (const Index state : entry->second) result.push_back({symbol, state});
    return result;
  }

  GrammarTable::NodeRules rules_of_node(const GrammarTable::Node& node) const {
    GrammarTable::NodeRules result{{}, -1};
    const auto& chain = chains_[node.m];
    for (const auto& row : rows_) {
      if (!is_unary(row) || row.parent != node.a || row.context != node.c) continue;
      for (const auto& child : children(row, row.first)) {
        std::set<Index> inner;
        if (!table_.is_tag(child.symbol)) inner = chains_[table_.nodes[child.state].m];
        if (inner.insert(node.a).second && inner == chain)
          result.unary.push_back({row.rule, child});
      }
    }
    if (chain.size() == 1) result.rest = rest_number(node.a, node.c, table_.symbols());
    return result;
  }

  GrammarTable::RestRules rules_of_rest(const GrammarTable::Rest& rest) const {
    GrammarTable::RestRules result;
    for (const auto& row : rows_) {
      if (is_unary(row) ||
          std::tie(row.parent, row.context, row.before) != std::tie(rest.a, rest.c, rest.p))
        continue;
      for (const auto& first : children(row, row.first)) {
        const bool tag = table_.is_tag(first.symbol);
        if (row.more) {
          const Index others =
              rest_number(rest.a, rest.c, table_.siblings ? row.first : table_.symbols());
          if (others >= 0)
            (tag ? result.tag_more : result.node_more).push_back({row.rule, first, others});
          continue;
        }
        for (const auto& second : children(row, row.second)) {
          const bool tag_behind = table_.is_tag(second.symbol);
          auto& rows = tag ? (tag_behind ? result.tag_tag : result.tag_node)
                           : (tag_behind ? result.node_tag : result.node_node);
          rows.push_back({row.rule, first, second});
        }
      }
    }
    return result;
  }

  const std::vector<GrammarRow>& rows_;
  const std::vector<std::vector<Index>>& below_;
  std::vector<std::set<Index>> chains_;
  GrammarTable table_;
  std::set<Place> reached_;
  std::map<Place, Index> tagged_;
  std::map<Place, std::vector<Index>> nodes_;
  std::map<std::tuple<Index, Index, Index>, Index> rests_;
};

}  // namespace

GrammarTable make_grammar(Index labels, Index tags, bool siblings,
                          const std::vector<GrammarRow>& rows,
                          const std::vector<std::vector<Index>>& below,
                          const std::vector<std::vector<Index>>& chains) {
  return Builder(labels, tags, siblings, rows, below, chains).build();
}

}  // namespace spanforest

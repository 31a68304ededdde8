// Best analyses of Segments and Nested from contiguous scores, one label a span.
//
// A sentence with few spans that score above 0 is done with these alone (Sparse), any other with
// tables over all spans (Dense), short ones many at a time. The choice hangs on the sentence alone.
#pragma once

#include "spanforest/check.hpp"
#include "spanforest/fast/dense.hpp"
#include "spanforest/threads.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

// Mentions found for each sentence, in lists of the tasks that found them.
struct FoundLists {
  struct Slice {
    Index list = -1, begin = 0, end = 0;
  };
  std::vector<std::vector<Found>> lists;
  std::vector<Slice> slices;  // by sentence; list -1: none

  explicit FoundLists(Index sentences) : slices(sentences) {}
};

template <class T>
class FastBest {
 public:
  // `found`: null if only scores are asked for.
  FastBest(const Space& space, const Batch& batch, double* scores, FoundLists* found)
      : space_(space), batch_(batch), labels_(space.labels.count), scores_(scores), found_(found) {}

  // Whether the space has this path at all.
  static bool serves(const Space& space) {
    const auto& longest = space.labels.longest;
    const bool one_limit =
        std::all_of(longest.begin(), longest.end(), [&](Index l) { return l == longest[0]; });
    const bool narrow = space.narrow == 0 || space.narrow == 1 || space.narrow == kUnrestricted;
    return space.labels.most == 1 &&
           ((space.kind == Kind::segments && one_limit) || (space.kind == Kind::nested && narrow));
  }

  // Answers; the sentences that are left to others.
  std::vector<Index> run() {
    std::vector<Index> own, others;
    for (Index s = 0; s < batch_.size(); ++s) (is_plain(s) ? own : others).push_back(s);
    const auto many = tasks(own);
    std::vector<std::vector<Index>> full(many.size());
    if (found_) found_->lists.resize(many.size());
    Pool::shared().each(int(many.size()), [&](int k) { sparse(many[k], k, full[k]); });
    std::vector<Index> left;
    for (const auto& some : full) left.insert(left.end(), some.begin(), some.end());
    if (!left.empty()) dense(left);
    return others;
  }

 private:
  bool is_segments() const { return space_.kind == Kind::segments; }
  bool has_units() const { return !is_segments() && space_.narrow != 0; }
  bool is_forest() const { return !is_segments() && space_.narrow == kUnrestricted; }
  Index longest(Index n) const {
    return is_segments() && !space_.labels.longest.empty() ? std::min(n, space_.labels.longest[0])
                                                           : n;
  }

  bool is_plain(Index s) const {
    const View& view = batch_.views[0][s];
    return view.is_double == std::is_same_v<T, double> && (view.stride[2] == 1 || labels_ == 1) &&
           (view.stride[1] == labels_ || batch_.lengths[s] < 2);
  }
  Rows<T> rows(Index s) const {
    const View& view = batch_.views[0][s];
    return {static_cast<const T*>(view.data), view.stride[0], batch_.lengths[s]};
  }

  // Sentences in runs that are each worth a thread's while.
  std::vector<std::vector<Index>> tasks(const std::vector<Index>& sentences) const {
    constexpr Index kWorth = 1 << 19;  // entries, about 100 us
    std::vector<std::vector<Index>> result(1);
    Index entries = 0;
    for (const Index s : sentences) {
      if (entries > kWorth) {
        result.emplace_back();
        entries = 0;
      }
      result.back().push_back(s);
      entries += batch_.lengths[s] * batch_.lengths[s] / 2 * labels_;
    }
    return result;
  }

  // Lanes for sentences of up to so many words; beyond, one sentence at a time is better.
  Index short_words() const { return is_forest() ? 128 : 64; }

  void sparse(const std::vector<Index>& sentences, int list, std::vector<Index>& left) const {
    Sparse<T> work;
    for (const Index s : sentences) {
      const auto [scores, row, n] = rows(s);
      const Index one_in = is_forest() && n > short_words() ? 1 : 16;  // spans
      bool bad = false;
      const bool few = work.collect(scores, row, n, labels_, longest(n), one_in, has_units(), bad);
      if (bad) check_scores(space_, batch_, s);
      if (!few) {
        left.push_back(s);
        continue;
      }
      if (is_segments()) {
        work.segments(n);
      } else if (is_forest()) {
        work.forests(n);
      } else {
        work.chains(n);
      }
      answer(s, double(work.total), list,
             [&](auto& out) { out.insert(out.end(), work.found.begin(), work.found.end()); });
    }
  }

  void dense(std::vector<Index> sentences) const {
    std::stable_sort(sentences.begin(), sentences.end(),
                     [&](Index a, Index b) { return batch_.lengths[a] < batch_.lengths[b]; });
    std::vector<std::vector<Index>> groups;
    for (const Index s : sentences) {
      if (groups.empty() || batch_.lengths[s] > short_words() ||
          Index(groups.back().size()) == kRowLanes<T>)
        groups.emplace_back();
      groups.back().push_back(s);
    }
    const int first = found_ ? int(found_->lists.size()) : 0;
    if (found_) found_->lists.resize(first + groups.size());
    Pool::shared().each(int(groups.size()), [&](int g) {
      if (batch_.lengths[groups[g].back()] > short_words()) {
        dense_group<1>(groups[g], first + g);
      } else {
        dense_group<kRowLanes<T>>(groups[g], first + g);
      }
    });
  }

  template <int kShift>
  void dense_group(const std::vector<Index>& group, int list) const {
    std::vector<Rows<T>> sentences;
    for (const Index s : group) sentences.push_back(rows(s));
    Dense<T, kShift> work(sentences, labels_, longest(sentences.back().n));
    if (!work.is_good())
      for (const Index s : group) check_scores(space_, batch_, s);
    if (is_segments()) {
      work.segments();
    } else if (is_forest()) {
      if constexpr (kShift > 1) work.forests();
    } else {
      work.chains(has_units());
    }
    for (int k = 0; k < int(group.size()); ++k)
      answer(group[k], double(work.total(k)), list, [&](auto& out) { work.read(k, out); });
  }

  template <class Read>
  void answer(Index s, double score, int list, Read read) const {
    scores_[s] = score;
    if (!found_) return;
    auto& out = found_->lists[list];
    const auto begin = Index(out.size());
    read(out);
    std::sort(out.begin() + begin, out.end());
    found_->slices[s] = {list, begin, Index(out.size())};
  }

  const Space& space_;
  const Batch& batch_;
  Index labels_;
  double* scores_;
  FoundLists* found_;
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

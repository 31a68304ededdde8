// What the fast paths of Segments and Nested share: which sentences they take, and how together.
#pragma once

#include "spanforest/check.hpp"
#include "spanforest/fast/widths.hpp"
#include "spanforest/threads.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

// Lanes for sentences of up to so many words; beyond, neighbouring starts of one are better.
constexpr Index kShortWords = 64;

template <class T>
class FastSpans {
 public:
  FastSpans(const Space& space, const Batch& batch)
      : space_(space), batch_(batch), labels_(space.labels.count) {}

  // Whether the space has fast paths at all.
  static bool serves(const Space& space) {
    const auto& longest = space.labels.longest;
    const bool one_limit =
        std::all_of(longest.begin(), longest.end(), [&](Index l) { return l == longest[0]; });
    const bool narrow = space.narrow == 0 || space.narrow == 1 || space.narrow == kUnrestricted;
    return space.labels.most == 1 &&
           ((space.kind == Kind::segments && one_limit) || (space.kind == Kind::nested && narrow));
  }

 protected:
  bool is_segments() const { return space_.kind == Kind::segments; }
  bool has_units() const { return !is_segments() && space_.narrow != 0; }
  bool is_forest() const { return !is_segments() && space_.narrow == kUnrestricted; }
  Index longest(Index n) const {
    return is_segments() && !space_.labels.longest.empty() ? std::min(n, space_.labels.longest[0])
                                                           : n;
  }

  // Whether an array, of scores or of counts, has the labels of the spans at a start in one piece.
  template <class Place>
  bool is_plain(const Place& place, Index n) const {
    return place.is_double == std::is_same_v<T, double> && (place.stride[2] == 1 || labels_ == 1) &&
           (place.stride[1] == labels_ || n < 2);
  }
  Rows<T> rows(Index s) const {
    const View& view = batch_.views[0][s];
    return {static_cast<const T*>(view.data), view.stride[0], batch_.lengths[s]};
  }

  // What the space asks of tables of best scores or sums. Forests are short.
  template <int kShift, class Tables>
  void solve(Tables& tables) const {
    if (is_segments()) {
      tables.segments();
    } else if (is_forest()) {
      if constexpr (kShift > 1) tables.forests();
    } else {
      tables.chains(has_units());
    }
  }

  // Sentences by length, short ones in groups of as many as there are lanes, others alone.
  std::vector<std::vector<Index>> groups(std::vector<Index> sentences, Index short_words,
                                         Index lanes = kRowLanes<T>) const {
    std::stable_sort(sentences.begin(), sentences.end(),
                     [&](Index a, Index b) { return batch_.lengths[a] < batch_.lengths[b]; });
    std::vector<std::vector<Index>> result;
    for (const Index s : sentences) {
      if (result.empty() || batch_.lengths[s] > short_words || Index(result.back().size()) == lanes)
        result.emplace_back();
      result.back().push_back(s);
    }
    return result;
  }
  // About how long sentences take, in nanoseconds, if a span takes `each`; forests take longer.
  double work(const std::vector<Index>& sentences, double each) const {
    double sum = 0;
    for (const Index s : sentences) sum += each * double(batch_.lengths[s] * batch_.lengths[s]) / 2;
    return sum;
  }
  void check(const std::vector<Index>& sentences) const {
    for (const Index s : sentences) check_scores(space_, batch_, s);
  }

  const Space& space_;
  const Batch& batch_;
  Index labels_;
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

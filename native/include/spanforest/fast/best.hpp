// Best analyses of Segments and Nested from contiguous scores, one label a span.
//
// A sentence with few spans that score above 0 is done with these alone (Sparse), any other with
// tables over all spans (Dense), short ones many at a time. The choice hangs on the sentence alone.
#pragma once

#include "spanforest/fast/dense.hpp"
#include "spanforest/fast/spans.hpp"

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
class FastBest : public FastSpans<T> {
  using Base = FastSpans<T>;
  using Base::batch_, Base::labels_, Base::longest, Base::rows;

 public:
  // `found`: null if only scores are asked for.
  FastBest(const Space& space, const Batch& batch, double* scores, FoundLists* found)
      : Base(space, batch), scores_(scores), found_(found) {}

  // Answers; the sentences that are left to others.
  std::vector<Index> run() {
    std::vector<Index> own, others;
    for (Index s = 0; s < batch_.size(); ++s)
      (Base::is_plain(batch_.views[0][s], batch_.lengths[s]) ? own : others).push_back(s);
    const auto many = tasks(own);
    std::vector<std::vector<Index>> full(many.size());
    if (found_) found_->lists.resize(many.size());
    Pool::shared().each(int(many.size()), Base::work(own, 0.3),
                        [&](int k) { sparse(many[k], k, full[k]); });
    std::vector<Index> left;
    for (const auto& some : full) left.insert(left.end(), some.begin(), some.end());
    if (!left.empty()) dense(left);
    return others;
  }

 private:
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

  // Beyond, forests are found from any number of spans above 0.
  Index short_words() const { return Base::is_forest() ? 2 * kShortWords : kShortWords; }

  void sparse(const std::vector<Index>& sentences, int list, std::vector<Index>& left) const {
    Sparse<T> work;
    for (const Index s : sentences) {
      const auto [scores, row, n] = rows(s);
      const Index one_in = Base::is_forest() && n > short_words() ? 1 : 16;  // spans
      bool bad = false;
      const bool few =
          work.collect(scores, row, n, labels_, longest(n), one_in, Base::has_units(), bad);
      if (bad) Base::check({s});
      if (!few) {
        left.push_back(s);
        continue;
      }
      if (Base::is_segments()) {
        work.segments(n);
      } else if (Base::is_forest()) {
        work.forests(n);
      } else {
        work.chains(n);
      }
      answer(s, double(work.total), list,
             [&](auto& out) { out.insert(out.end(), work.found.begin(), work.found.end()); });
    }
  }

  void dense(const std::vector<Index>& sentences) const {
    const auto groups = Base::groups(sentences, short_words());
    const int first = found_ ? int(found_->lists.size()) : 0;
    if (found_) found_->lists.resize(first + groups.size());
    Pool::shared().each(int(groups.size()), Base::work(sentences, 1), [&](int g) {
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
    if (!work.is_good()) Base::check(group);
    Base::template solve<kShift>(work);
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

  double* scores_;
  FoundLists* found_;
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

// Log Z and expected counts of Segments and Nested from contiguous scores, one label a span.
#pragma once

#include "spanforest/answers.hpp"
#include "spanforest/fast/spans.hpp"
#include "spanforest/fast/sums.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

template <class T>
class FastSums : public FastSpans<T> {
  using Base = FastSpans<T>;
  using Base::batch_, Base::labels_;

 public:
  // `targets`: null if only log Z is asked for.
  FastSums(const Space& space, const Batch& batch, double* log_z, const Targets* targets)
      : Base(space, batch), log_z_(log_z), targets_(targets) {}

  // Answers; the sentences that are left to others.
  std::vector<Index> run() {
    std::vector<Index> own, others;
    for (Index s = 0; s < batch_.size(); ++s) (is_own(s) ? own : others).push_back(s);
    each_group<T>(own);
    own = too_large(own);
    if constexpr (sizeof(T) == 4) {
      each_group<double>(own);
      own = too_large(own);
    }
    others.insert(others.end(), own.begin(), own.end());
    return others;
  }

 private:
  Index short_words() const { return Base::is_forest() ? 2 * kShortWords : kShortWords; }
  bool is_own(Index s) const {
    const Index n = batch_.lengths[s];
    if (Base::is_forest() && n > short_words()) return false;
    return Base::is_plain(batch_.views[0][s], n) &&
           (!targets_ || Base::is_plain((*targets_)[0][s], n));
  }
  std::vector<Index> too_large(const std::vector<Index>& sentences) const {
    std::vector<Index> result;
    for (const Index s : sentences)
      if (std::isnan(log_z_[s])) result.push_back(s);
    return result;
  }

  // Answers in numbers of type U.
  template <class U>
  void each_group(const std::vector<Index>& sentences) const {
    const auto groups = Base::groups(sentences, short_words(), kRowLanes<U>);
    Pool::shared().each(int(groups.size()), Base::work(sentences, 3), [&](int g) {
      if (batch_.lengths[groups[g].back()] > short_words()) {
        answer<U, 1>(groups[g]);
      } else {
        answer<U, kRowLanes<U>>(groups[g]);
      }
    });
  }
  template <class U, int kShift>
  void answer(const std::vector<Index>& group) const {
    std::vector<Rows<U>> sentences;
    std::vector<std::vector<U>> converted(group.size());
    for (std::size_t k = 0; k < group.size(); ++k)
      sentences.push_back(rows_of(Base::rows(group[k]), converted[k]));
    Sums<U, kShift> work(sentences, labels_, Base::longest(sentences.back().n));
    if (!work.is_good()) Base::check(group);
    Base::template solve<kShift>(work);
    for (std::size_t k = 0; k < group.size(); ++k) log_z_[group[k]] = work.log_z(Index(k));
    if (!targets_) return;
    std::vector<CountRows<U>> counts;
    for (std::size_t k = 0; k < group.size(); ++k)
      counts.push_back(counts_of((*targets_)[0][group[k]], group[k], converted[k]));
    work.write_counts(counts);
    for (std::size_t k = 0; k < group.size(); ++k) finish(group[k], counts[k]);
  }

  // The scores of a sentence as numbers of type U; converted, if they are not.
  template <class U>
  Rows<U> rows_of(const Rows<T>& own, std::vector<U>& converted) const {
    if constexpr (std::is_same_v<T, U>) {
      return own;
    } else {
      const Index row = own.n * labels_;
      converted.resize(own.n * row);
      for (Index i = 0; i < own.n; ++i)
        std::copy(own.scores + i * (own.row + labels_), own.scores + i * own.row + row,
                  converted.begin() + i * (row + labels_));
      return {converted.data(), row, own.n};
    }
  }
  // Where counts go: at once to their target, or to where the scores were converted.
  template <class U>
  CountRows<U> counts_of(const Target& target, Index s, std::vector<U>& converted) const {
    if (std::isnan(log_z_[s])) return {nullptr, 0, 0};
    if constexpr (std::is_same_v<T, U>) {
      return {static_cast<U*>(target.data), target.stride[0], target.words};
    } else {
      return {converted.data(), batch_.lengths[s] * labels_, batch_.lengths[s]};
    }
  }
  template <class U>
  void finish(Index s, const CountRows<U>& counts) const {
    if (!counts.counts) return;
    const Target& target = (*targets_)[0][s];
    const Index n = batch_.lengths[s];
    if (target.fresh) target.clear(std::is_same_v<T, U> ? n : 0);
    if constexpr (!std::is_same_v<T, U>) {
      for (Index i = 0; i < n; ++i)
        std::copy(counts.counts + i * counts.row, counts.counts + (i + 1) * counts.row,
                  static_cast<T*>(target.data) + i * target.stride[0]);
    }
  }

  double* log_z_;
  const Targets* targets_;
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

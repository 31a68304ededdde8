// Labels of a span: one, or a non-empty set of up to k (SPEC (a)), folded into one score per span.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "spanforest/scores.hpp"

namespace spanforest {

struct LabelOptions {
  Index count = 0;
  Index most = 1;              // labels on a span; 0: any number
  std::vector<Index> longest;  // of each label; empty: no limit

  Index at_most() const { return most == 0 ? count : std::min(most, count); }
  bool allows(Index label, Index width) const { return longest.empty() || width <= longest[label]; }
};

// The sum over all choices of labels: N_t = N_{t-1} ⊕ w_t ⊕ w_t ⊗ N_{t-1}, counted up to k.
template <class S, class Weight>
typename S::Value fold_labels(const LabelOptions& labels, Index width, const Weight& weight) {
  using V = typename S::Value;
  if (labels.most == 1) {
    V sum = S::zero();
    for (Index t = 0; t < labels.count; ++t)
      if (labels.allows(t, width)) sum = S::plus(sum, weight(t));
    return S::finish(sum);
  }
  std::vector<V> chosen(labels.at_most() + 1, S::zero());  // by the number of labels
  chosen[0] = S::one();
  for (Index t = 0; t < labels.count; ++t) {
    if (!labels.allows(t, width)) continue;
    for (Index c = labels.at_most(); c >= 1; --c)
      chosen[c] = S::finish(S::plus(chosen[c], S::times(chosen[c - 1], weight(t))));
  }
  V sum = S::zero();
  for (Index c = 1; c <= labels.at_most(); ++c) sum = S::plus(sum, chosen[c]);
  return S::finish(sum);
}

// The derivative of the fold by each weight: all choices of the other labels beside it.
template <class S, class Weight, class F>
void fold_gradient(const LabelOptions& labels, Index width, const Weight& weight, F f) {
  using V = typename S::Value;
  if (labels.most == 1) {
    for (Index t = 0; t < labels.count; ++t)
      if (labels.allows(t, width)) f(t, S::one());
    return;
  }
  const Index most = labels.at_most();
  const Index columns = most + 1;
  // before[t * columns + c]: choices of c of the labels 0 to t-1; behind: of t+1 and on
  std::vector<V> before((labels.count + 1) * columns, S::zero()), behind(columns, S::zero());
  before[0] = behind[0] = S::one();
  for (Index t = 0; t < labels.count; ++t)
    for (Index c = 0; c <= most; ++c) {
      V sum = before[t * columns + c];
      if (c > 0 && labels.allows(t, width))
        sum = S::finish(S::plus(sum, S::times(before[t * columns + c - 1], weight(t))));
      before[(t + 1) * columns + c] = sum;
    }
  for (Index t = labels.count - 1; t >= 0; --t) {
    if (!labels.allows(t, width)) continue;
    V sum = S::zero();
    for (Index a = 0; a < most; ++a)
      for (Index b = 0; a + b < most; ++b)
        sum = S::plus(sum, S::times(before[t * columns + a], behind[b]));
    f(t, S::finish(sum));
    for (Index c = most; c >= 1; --c)
      behind[c] = S::finish(S::plus(behind[c], S::times(behind[c - 1], weight(t))));
  }
}

// The entropy of the choice of labels, in nats.
inline double label_entropy(const LabelOptions& labels, Index width,
                            const std::vector<double>& scores) {
  using S = Scaled<1>;
  const auto weight = [&](Index t) { return S::of(scores[t]); };
  const auto total = fold_labels<S>(labels, width, weight);
  if (!(total.m > 0)) return 0;
  double expected = 0;
  fold_gradient<S>(labels, width, weight, [&](Index t, const auto& beside) {
    const double share = ratio(S::times(weight(t), beside), total);
    if (share > 0) expected += share * (labels.most == 1 ? std::log(share) : scores[t]);
  });
  return labels.most == 1 ? -expected : log_of(total) - expected;
}

// A choice of labels for a span, with its score.
struct LabelChoice {
  double score;
  std::vector<Index> labels;
};

// The k best choices, best first; equal scores in the order of fewer and earlier labels.
inline std::vector<LabelChoice> best_labels(const LabelOptions& labels, Index width,
                                            const std::vector<double>& scores, std::size_t k) {
  std::vector<std::vector<LabelChoice>> chosen(labels.at_most() + 1);  // by the number of labels
  chosen[0].push_back({0, {}});
  const auto better = [](const LabelChoice& a, const LabelChoice& b) { return a.score > b.score; };
  for (Index t = 0; t < labels.count; ++t) {
    if (!labels.allows(t, width) || scores[t] == -infinity<double>) continue;
    for (Index c = labels.at_most(); c >= 1; --c) {
      for (const LabelChoice& smaller : chosen[c - 1]) {
        chosen[c].push_back({smaller.score + scores[t], smaller.labels});
        chosen[c].back().labels.push_back(t);
      }
      std::stable_sort(chosen[c].begin(), chosen[c].end(), better);
      if (chosen[c].size() > k) chosen[c].resize(k);
    }
  }
  std::vector<LabelChoice> all;
  for (Index c = 1; c <= labels.at_most(); ++c)
    all.insert(all.end(), chosen[c].begin(), chosen[c].end());
  std::stable_sort(all.begin(), all.end(), better);
  if (all.size() > k) all.resize(k);
  return all;
}

// Labels drawn with probability proportional to exp(score); `uniform()` draws from [0, 1).
template <class Uniform>
std::vector<Index> sample_labels(const LabelOptions& labels, Index width,
                                 const std::vector<double>& scores, Uniform&& uniform) {
  using S = Scaled<1>;
  const Index most = labels.at_most(), columns = most + 1;
  // after[t * columns + c]: choices of at most c of the labels t and on
  std::vector<S::Value> after((labels.count + 1) * columns, S::one());
  std::vector<S::Value> weight(labels.count, S::zero());
  for (Index t = labels.count - 1; t >= 0; --t) {
    if (labels.allows(t, width)) weight[t] = S::of(scores[t]);
    for (Index c = 1; c <= most; ++c)
      after[t * columns + c] = S::finish(S::plus(
          after[(t + 1) * columns + c], S::times(weight[t], after[(t + 1) * columns + c - 1])));
  }
  // the first label of the set, then each of the others or not
  const auto leading = [&](Index t) {
    return S::times(weight[t], after[(t + 1) * columns + most - 1]);
  };
  S::Value total = S::zero();
  for (Index t = 0; t < labels.count; ++t) total = S::plus(total, leading(t));
  Index first = -1;
  double u = uniform();
  for (Index t = 0; t < labels.count && u >= 0; ++t) {
    const double share = ratio(leading(t), total);
    if (share > 0) first = t;
    u -= share;
  }
  std::vector<Index> drawn{first};
  for (Index t = first + 1, left = most - 1; t < labels.count && left > 0; ++t) {
    const auto with = S::times(weight[t], after[(t + 1) * columns + left - 1]);
    if (uniform() < ratio(with, after[t * columns + left])) {
      drawn.push_back(t);
      --left;
    }
  }
  return drawn;
}

}  // namespace spanforest

// The engine: questions put to a whole batch.
#pragma once

#include "spanforest/answers.hpp"
#include "spanforest/fast/best.hpp"
#include "spanforest/fast/marginals.hpp"
#include "spanforest/kbest.hpp"
#include "spanforest/problem.hpp"
#include "spanforest/threads.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

// What decides between equal scores, see Space.restraint in spaces/_space.py.
template <class P>
Index restraint_of(const P& p, const Step& step) {
  Events events;
  p.program.read(step, events);
  if (HasBlocks<typename P::Program> && step.parts) events.mention(0, 0, 0);
  return restraint_of(p.space, events);
}

// The best scores of some sentences, -inf where there is no analysis; if wanted, best analyses.
template <class T>
void best_by_program(const Space& space, const Batch& batch, const std::vector<Index>& sentences,
                     double* scores, std::vector<Analyses>* trees) {
  constexpr int N = kRowLanes<T>;
  with_program(space, false, [&](const auto& make) {
    const auto answer = [&](auto lanes, const std::vector<Index>& group) {
      using S = Max<T, decltype(lanes)::value>;
      const auto p = problem<S>(space, batch, make, group, false, true);
      std::vector<Step> steps;
      for (int k = 0; k < int(group.size()); ++k) {
        scores[group[k]] = p.total(k);
        if (!trees || p.total(k) == -infinity<T>) continue;
        steps.clear();
        BestDerivation<S, typename decltype(p)::Program>(p.program, p.parts, p.values.data(), k)
            .unfold(p.goal(k), [&](const Step& step) { return restraint_of(p, step); }, steps);
        const auto choose = [&](Index i, Index j) {
          return best_labels(space.labels, j - i, p.label_scores(k, i, j), 1)[0].labels;
        };
        p.read(k, steps, choose, (*trees)[group[k]]);
      }
    };
    const auto groups = groups_of(batch, sentences, N);
    Pool::shared().each(int(groups.size()), work_of(batch, sentences), [&](int g) {
      if (groups[g].size() == 1) return answer(std::integral_constant<int, 1>{}, groups[g]);
      answer(std::integral_constant<int, N>{}, groups[g]);
    });
  });
}

// The best scores of a batch and, if wanted, a best analysis of each sentence.
template <class T>
void best(const Space& space, const Batch& batch, double* scores, Analyses* trees) {
  FoundLists found(batch.size());
  std::vector<Index> rest = FastBest<T>::serves(space)
                                ? FastBest<T>(space, batch, scores, trees ? &found : nullptr).run()
                                : all_of(batch);
  std::vector<Analyses> others(trees && !rest.empty() ? batch.size() : 0);
  if (!rest.empty()) best_by_program<T>(space, batch, rest, scores, trees ? &others : nullptr);
  for (Index s = 0; trees && s < batch.size(); ++s) {
    const auto& [list, begin, end] = found.slices[s];
    if (list >= 0) {
      const Found* one = found.lists[list].data();
      for (Index k = begin; k < end; ++k) trees->add(one[k].start, one[k].end, one[k].label);
      trees->close();
    } else if (others[s].mentions.size() > 1) {
      trees->append(std::move(others[s]));
    } else {
      trees->close();  // no analysis
    }
  }
}

// Adds the expected counts of the parts of lane k to its targets.
template <class S, class P, class Gradient>
void write_expectations(const P& p, const Gradient& gradient, int k, const Targets& targets) {
  using One = Scaled<1>;
  const Index s = p.sentences[k], n = p.length(k);
  const auto total = p.total(k);
  if constexpr (HasBlocks<typename P::Program>) {
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j <= n; ++j) {
        const auto scores = p.label_scores(k, i, j);
        const auto around = S::take(gradient.cells[0][p.program.span(i, j).at], k);
        const auto weight = [&](Index t) { return One::of(scores[t]); };
        fold_gradient<One>(p.space.labels, j - i, weight, [&](Index t, const auto& beside) {
          const auto count = One::times(One::times(weight(t), beside), around);
          targets[0][s].add({i, j - 1, t}, std::min(1.0, ratio(count, total)));
        });
      }
  } else {
    for (int array = 0; array < int(p.batch.shapes.size()); ++array) {
      const int last = p.batch.shapes[array].axes - 1;
      const Cells& cells = p.cells[array];
      each_row(p.batch, array, cells, n, [&](auto at, Index cell, Index first, Index end) {
        for (Index x = first; x < end; ++x) {
          const Index own = cell + x * cells.stride[last];
          const auto count = One::times(S::take(p.parts.cells[array][own], k),
                                        S::take(gradient.cells[array][own], k));
          at[last] = x;
          targets[array][s].add(at, ratio(count, total));
        }
      });
    }
  }
}

// Outside values of all items, and the gradient of the parts, lane by lane.
template <class S, class P>
auto around_and_gradient(const P& p) {
  std::vector<typename S::Value> around(p.program.size(), S::zero());
  Parts<typename P::Program, S> gradient;
  for (std::size_t array = 0; array < gradient.cells.size(); ++array)
    gradient.cells[array].assign(p.parts.cells[array].size(), S::zero());
  for (int k = 0; k < int(p.sentences.size()); ++k)
    if (p.total(k).m > 0) S::put(around[p.goal(k)], k, S::One::one());
  outside<S>(p.program, p.parts, p.values.data(), around.data(), gradient);
  return std::pair(std::move(around), std::move(gradient));
}

template <class S, class P>
void expectations(const P& p, const Targets& targets) {
  const auto found = around_and_gradient<S>(p);
  for (int k = 0; k < int(p.sentences.size()); ++k)
    if (p.total(k).m > 0) write_expectations<S>(p, found.second, k, targets);
}

// Log Z of some sentences, -inf where there is no analysis; if there are targets, expected counts.
inline void sums_by_program(const Space& space, const Batch& batch,
                            const std::vector<Index>& sentences, double* log_z,
                            const Targets* targets) {
  constexpr int N = 8;
  with_program(space, false, [&](const auto& make) {
    const auto answer = [&](auto lanes, const std::vector<Index>& group) {
      using S = Scaled<decltype(lanes)::value>;
      const auto p = problem<S>(space, batch, make, group, targets != nullptr);
      for (int k = 0; k < int(group.size()); ++k) log_z[group[k]] = log_of(p.total(k));
      if (targets) expectations<S>(p, *targets);
    };
    const auto groups = groups_of(batch, sentences, N);
    Pool::shared().each(int(groups.size()), work_of(batch, sentences), [&](int g) {
      if (groups[g].size() == 1) return answer(std::integral_constant<int, 1>{}, groups[g]);
      answer(std::integral_constant<int, N>{}, groups[g]);
    });
  });
}

// Log Z of a batch and, if there are targets, expected counts.
inline void sums(const Space& space, const Batch& batch, double* log_z, const Targets* targets) {
  std::vector<Index> rest;
  if (!FastSums<float>::serves(space)) {
    rest = all_of(batch);
  } else if (batch.is_double) {
    rest = FastSums<double>(space, batch, log_z, targets).run();
  } else {
    rest = FastSums<float>(space, batch, log_z, targets).run();
  }
  if (rest.empty()) return;
  for (std::size_t array = 0; targets && array < targets->size(); ++array)
    for (const Index s : rest)
      if ((*targets)[array][s].fresh) (*targets)[array][s].clear(0);
  sums_by_program(space, batch, rest, log_z, targets);
}

// The entropy of each sentence's distribution, in nats; NaN where there is no analysis.
inline void entropies(const Space& space, const Batch& batch, double* out) {
  using S = Scaled<1>;
  with_program(space, false, [&](const auto& make) {
    Pool::shared().each(int(batch.size()), work_of(batch, all_of(batch)), [&](int s) {
      const auto p = problem<S>(space, batch, make, {s});
      if (!(p.total(0).m > 0)) {
        out[s] = std::numeric_limits<double>::quiet_NaN();
        return;
      }
      const auto found = around_and_gradient<S>(p);
      out[s] = entropy_of(
          p.program, p.parts, p.values.data(), found.first.data(), p.goal(0),
          [&]<class A>([[maybe_unused]] A antecedent) {
            if constexpr (HasBlocks<typename std::remove_cvref_t<decltype(p)>::Program> &&
                          !std::is_same_v<A, Item>) {
              const auto [i, j] = Spans{p.n}.at(antecedent.at);
              return label_entropy(space.labels, j - i, p.label_scores(0, i, j));
            } else {
              return 0.0;
            }
          });
    });
  });
}

// A generator of random numbers with a stream of its own for each seed and sentence (SplitMix64).
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
    state_ = next() ^ (stream + 1) * 0x9e3779b97f4a7c15ull;
    next();
  }
  double uniform() { return double(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
  }
  std::uint64_t state_;
};

inline void kbest(const Space& space, const Batch& batch, Index count, std::vector<Ranked>& out) {
  using S = Max<double, 1>;
  with_program(space, false, [&](const auto& make) {
    Pool::shared().each(int(batch.size()), work_of(batch, all_of(batch)), [&](int s) {
      const auto p = problem<S>(space, batch, make, {s});
      if (p.total(0) == -infinity<double>) return;
      std::unordered_map<Index, std::vector<LabelChoice>> known;
      const auto choices = [&](Index span) -> const std::vector<LabelChoice>& {
        const auto [entry, fresh] = known.try_emplace(span);
        if (fresh) {
          const auto [i, j] = Spans{p.n}.at(span);
          entry->second = best_labels(space.labels, j - i, p.label_scores(0, i, j), count);
        }
        return entry->second;
      };
      KBest ranked(p.program, p.parts, p.values.data(), choices);
      std::vector<LabelledStep> labelled;
      for (Index r = 0; r < count && ranked.find(p.goal(0), r); ++r) {
        labelled.clear();
        ranked.unfold(p.goal(0), r, labelled);
        out[s].scores.push_back(ranked.score(p.goal(0), r));
        p.read_labelled(labelled, out[s].analyses);
      }
    });
  });
}

inline void sample(const Space& space, const Batch& batch, Index count, std::uint64_t seed,
                   std::vector<Ranked>& out) {
  using S = Scaled<1>;
  with_program(space, false, [&](const auto& make) {
    Pool::shared().each(int(batch.size()), work_of(batch, all_of(batch)), [&](int s) {
      const auto p = problem<S>(space, batch, make, {s});
      if (!(p.total(0).m > 0)) return;
      Random random(seed, s);
      const auto uniform = [&] { return random.uniform(); };
      std::vector<Step> steps;
      for (Index k = 0; k < count; ++k) {
        steps.clear();
        unfold_sample(p.program, p.parts, p.values.data(), p.goal(0), uniform, steps);
        const auto choose = [&](Index i, Index j) {
          return sample_labels(space.labels, j - i, p.label_scores(0, i, j), uniform);
        };
        p.read(0, steps, choose, out[s].analyses);
        out[s].scores.push_back(0);
      }
    });
  });
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

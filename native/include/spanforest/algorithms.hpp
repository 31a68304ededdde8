// Inference, written once for all programs (program.hpp) and semirings (semiring.hpp).
#pragma once

#include <unordered_map>
#include <vector>

#include "spanforest/scores.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

template <class Program>
concept HasBlocks = requires { Program::kBlocks; };

// The values of the parts of a program, array by array.
template <class Program, class S>
struct Parts {
  std::array<std::vector<typename S::Value>, Program::kArrays> cells;

  template <int Array>
  const typename S::Value& operator()(Part<Array> part) const {
    return cells[Array][part.at];
  }
};

// What an antecedent is worth: an item what has been computed, a part its score.
template <class S, class Program>
struct Look {
  using V = typename S::Value;
  const V* values;
  const Parts<Program, S>& parts;

  const V& operator()(Item item) const { return values[item.at]; }
  template <int Array>
  const V& operator()(Part<Array> part) const {
    return parts(part);
  }
};

// For every item, ⊕ over its derivations of ⊗ over their parts.
template <class S, class Program>
void inside(const Program& program, const Parts<Program, S>& parts, typename S::Value* values) {
  using V = typename S::Value;
  const Look<S, Program> look{values, parts};
  program.visit([&](const auto& head) {
    V sum = S::zero();
    program.edges(head, [&](int, auto... antecedents) {
      sum = S::plus(sum, product_of<S>(look, antecedents...));
    });
    values[head.at] = S::finish(sum);
  });
}

template <class S, class Program, int Array>
typename S::Value& gradient_at(Parts<Program, S>& gradient, Part<Array> part) {
  return gradient.cells[Array][part.at];
}

// ⊕ over derivations of the goal around each item and part. `around` and `gradient` start as zero
// but for the goals; what reaches the parts is their derivative.
template <class S, class Program>
void outside(const Program& program, const Parts<Program, S>& parts,
             const typename S::Value* values, typename S::Value* around,
             Parts<Program, S>& gradient) {
  using V = typename S::Value;
  const Look<S, Program> look{values, parts};
  program.visit_back([&](const auto& head) {
    const V above = S::finish(around[head.at]);
    program.edges(head, [&](int, auto... antecedents) {
      if constexpr (sizeof...(antecedents) > 0) {
        const std::array<V, sizeof...(antecedents)> own{look(antecedents)...};
        std::size_t k = 0;
        const auto beside = [&] {
          V product = above;
          for (std::size_t m = 0; m < own.size(); ++m)
            if (m != k) product = S::times(product, own[m]);
          return product;
        };
        const auto add = [&]<class A>(A antecedent) {
          V* target;
          if constexpr (std::is_same_v<A, Item>) {
            target = &around[antecedent.at];
          } else {
            target = &gradient_at(gradient, antecedent);
          }
          *target = S::plus(*target, beside());
          ++k;
        };
        (add(antecedents), ...);
      }
    });
  });
}
// The entropy of the derivations of `goal`, in nats: that of choosing an edge, summed over items.
// `around` are outside values; `own(antecedent)` is the entropy inside a part.
template <class Program, class Own>
double entropy_of(const Program& program, const Parts<Program, Scaled<1>>& parts,
                  const ScaledValue<1>* values, const ScaledValue<1>* around, Index goal, Own own) {
  using S = Scaled<1>;
  const Look<S, Program> look{values, parts};
  double total = 0;
  program.visit([&](const auto& head) {
    const auto& value = values[head.at];
    const double used = ratio(S::times(S::finish(around[head.at]), value), values[goal]);
    if (!(used > 0)) return;
    program.edges(head, [&](int, auto... antecedents) {
      const double share = ratio(product_of<S>(look, antecedents...), value);
      if (share > 0) total += used * share * ((0.0 + ... + own(antecedents)) - std::log(share));
    });
  });
  return total;
}

// The steps of a derivation of `goal`, where choose(item) is the step to take for an item.
template <class Choose>
void unfold(Index goal, Choose choose, std::vector<Step>& steps) {
  std::vector<Index> agenda{goal};
  while (!agenda.empty()) {
    const Index at = agenda.back();
    agenda.pop_back();
    const Step step = choose(at);
    for (int k = step.items - 1; k >= 0; --k) agenda.push_back(step.item[k]);
    steps.push_back(step);
  }
}

// One lane of a pack of values and parts, as scalars.
template <class S, class Program>
struct OneLane {
  using One = typename S::One;
  using V = typename One::Value;
  const typename S::Value* values;
  const Parts<Program, S>& parts;
  int lane;

  V operator()(Item item) const { return S::take(values[item.at], lane); }
  template <int Array>
  V operator()(Part<Array> part) const {
    return S::take(parts(part), lane);
  }
};

// The best derivation of a lane: for every item the first edge that is as good as any, unless there
// are several somewhere; then of all best derivations the one with the greatest sum of restraint.
template <class S, class Program>
class BestDerivation {
 public:
  BestDerivation(const Program& program, const Parts<Program, S>& parts,
                 const typename S::Value* values, int lane)
      : program_(program), look_{values, parts, lane} {}

  template <class Restraint>
  void unfold(Index goal, Restraint restraint, std::vector<Step>& steps) {
    const std::size_t before = steps.size();
    bool tied = false;
    spanforest::unfold(
        goal,
        [&](Index at) {
          Step best;
          Index count = 0;
          each_best(at, [&](const Step& step) {
            if (count++ == 0) best = step;
          });
          tied |= count > 1;
          return best;
        },
        steps);
    if (!tied) return;
    steps.resize(before);
    weigh(goal, restraint);
    spanforest::unfold(goal, [&](Index at) { return known_.at(at).step; }, steps);
  }

 private:
  struct Known {
    Index restraint;
    Step step;
  };

  template <class F>
  void each_best(Index at, F f) const {
    const auto value = look_(Item{at});
    program_.edges(program_.head(at), [&](int rule, auto... antecedents) {
      if (product_of<typename S::One>(look_, antecedents...) == value)
        f(step_of(rule, at, antecedents...));
    });
  }
  // The greatest restraint of an item's best derivations, and the step that has it.
  template <class Restraint>
  void weigh(Index goal, Restraint restraint) {
    std::vector<Index> agenda{goal};
    while (!agenda.empty()) {
      const Index at = agenda.back();
      const std::size_t size = agenda.size();
      Known best{std::numeric_limits<Index>::min(), {}};
      each_best(at, [&](const Step& step) {
        Index sum = restraint(step);
        for (int k = 0; k < step.items; ++k) {
          const auto entry = known_.find(step.item[k]);
          if (entry == known_.end()) {
            agenda.push_back(step.item[k]);
          } else {
            sum += entry->second.restraint;
          }
        }
        if (sum > best.restraint) best = {sum, step};
      });
      if (agenda.size() > size) continue;  // once what it is built from is known
      agenda.pop_back();
      known_.insert_or_assign(at, best);
    }
  }

  const Program& program_;
  OneLane<S, Program> look_;
  std::unordered_map<Index, Known> known_;
};

// A derivation drawn with probability proportional to its value; `uniform()` draws from [0, 1).
template <class Program, class Uniform>
void unfold_sample(const Program& program, const Parts<Program, Scaled<1>>& parts,
                   const ScaledValue<1>* values, Index goal, Uniform&& uniform,
                   std::vector<Step>& steps) {
  const Look<Scaled<1>, Program> look{values, parts};
  unfold(
      goal,
      [&](Index at) {
        Step drawn;
        double u = uniform();
        bool found = false;
        program.edges(program.head(at), [&](int rule, auto... antecedents) {
          if (found) return;
          const double share = ratio(product_of<Scaled<1>>(look, antecedents...), values[at]);
          if (!(share > 0)) return;
          drawn = step_of(rule, at, antecedents...);
          found = (u -= share) < 0;
        });
        return drawn;
      },
      steps);
}

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

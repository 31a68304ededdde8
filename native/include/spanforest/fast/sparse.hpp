// Best analyses from the spans that score above 0 alone: dropping a mention keeps an analysis
// inside Segments and Nested, so no other span is ever needed.
//
// `Candidates` come start by start, last start first, and end by end.
#pragma once

#include "spanforest/fast/rows.hpp"

namespace spanforest {
inline namespace SPANFOREST_LEVEL {

template <class T>
struct Candidate {
  Index start, end;
  Index label;
  T score;       // of the mention alone, later with the best of what is inside
  Index inside;  // the candidate to go on with inside, -1 if none
};

struct Found {
  Index start, end, label;

  // In the order of the text, outer ones first.
  bool operator<(const Found& other) const {
    return start != other.start ? start < other.start : end > other.end;
  }
};

template <class T>
struct Sparse {
  std::vector<Candidate<T>> candidates;
  std::vector<T> best;        // by word: the best of the words from there on
  std::vector<Index> choice;  // by word: its first candidate from there on, or -1
  std::vector<T> reach;       // by end: the best chain of nested mentions up to there
  std::vector<Index> first;   // its first candidate
  std::vector<Found> found;
  std::vector<T> table;        // of forests: rows for the starts with candidates
  std::vector<const T*> rows;  // by start: row[j] is the best inside [start, j)
  std::vector<Index> behind;   // by start: one past its last candidate
  std::vector<T> within;       // by candidate: the best of what is inside
  T total = 0;

  // The best label of each span above 0; false as soon as there are many: of the spans seen so far
  // more than one in `few`.
  // `units`: mentions of one word are found at once, since they never cross anything.
  bool collect(const T* scores, Index row, Index n, Index labels, Index longest, Index few,
               bool units, bool& bad) {
    candidates.clear();
    found.clear();
    total = 0;
    const auto count = [&](Index i) { return std::min(n - i, longest) * labels; };
    for (Index i = n; i > 0;) {
      const Index behind = i--;
      Odd<T> odd;
      odd.see(scores + i * (row + labels), count(i));
      for (Index seen = count(i); i > 0 && seen + count(i - 1) <= kLooked<T>; seen += count(i))
        --i, odd.see(scores + i * (row + labels), count(i));
      if (!odd.any_seen()) continue;
      for (Index k = behind - 1; k >= i; --k) {
        collect_row(scores + k * (row + labels), k, count(k), labels, units, bad);
        if (Index(candidates.size()) > 16 + (n - k) * (n - k) / 2 / few) return false;
      }
    }
    return true;
  }

  // Best sets of mentions side by side; inside(c) adds to a candidate what is inside.
  template <class Inside>
  void side_by_side(Index n, Inside inside) {
    best.resize(n + 1);
    choice.resize(n + 1);
    Index done = n;
    best[n] = 0;
    choice[n] = -1;
    const auto fill = [&](Index start) {
      std::fill(best.begin() + start, best.begin() + done, best[done]);
      std::fill(choice.begin() + start, choice.begin() + done, choice[done]);
      done = start;
    };
    for (Index c = 0; c < Index(candidates.size()); ++c) {
      auto& one = candidates[c];
      if (one.start < done) fill(one.start);
      inside(c);
      if (one.score + best[one.end] > best[one.start]) {
        best[one.start] = one.score + best[one.end];
        choice[one.start] = c;
      }
    }
    fill(0);
    total += best[0];
  }
  // f(c) for the candidates of a best set.
  template <class F>
  void each_chosen(F f) const {
    for (Index c = choice[0]; c >= 0; c = choice[candidates[c].end]) f(c);
  }

  void segments(Index n) {
    side_by_side(n, [](Index) {});
    each_chosen([&](Index c) { take(c); });
  }

  // Chains: at most one mention inside another, the units aside. `reach[j]` is the best chain of
  // the candidates so far that end at j or before, so it never falls with j.
  void chains(Index n) {
    reach.assign(n + 1, T(0));
    first.assign(n + 1, -1);
    side_by_side(n, [&](Index c) {
      auto& one = candidates[c];
      one.inside = first[one.end];
      one.score += reach[one.end];
      for (Index j = one.end; j <= n && reach[j] < one.score; ++j) {
        reach[j] = one.score;
        first[j] = c;
      }
    });
    each_chosen([&](Index c) {
      for (; c >= 0; c = candidates[c].inside) take(c);
    });
  }

  // Any nesting: best sets inside [i, j) for all j at once, from those inside [i + 1, j).
  void forests(Index n) {
    const Index columns = n + 1;
    Index starts = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c)
      starts += c == 0 || candidates[c].start != candidates[c - 1].start;
    table.assign((starts + 1) * columns, T(0));
    rows.assign(columns, table.data());
    behind.assign(columns, 0);
    within.resize(candidates.size());
    T* row = table.data();
    Index c = 0;
    for (Index i = n - 1; i >= 0; --i) {
      rows[i] = rows[i + 1];
      if (c < Index(candidates.size()) && candidates[c].start == i) {
        row += columns;
        std::copy(rows[i + 1], rows[i + 1] + columns, row);
        rows[i] = row;
      }
      for (; c < Index(candidates.size()) && candidates[c].start == i; ++c) {
        auto& one = candidates[c];
        within[c] = row[one.end];
        one.score += within[c];
        const T* beside = rows[one.end];
        for (Index j = one.end; j < columns; ++j) row[j] = std::max(row[j], one.score + beside[j]);
      }
      behind[i] = c;
    }
    total += rows[0][n];
    unfold(0, n, behind[0], rows[0][n]);
  }
  // The mentions that make `value` inside [i, j), of those that start at i only candidates before
  // number `most`.
  void unfold(Index i, Index j, Index most, T value) {
    for (; value > 0; most = behind[i]) {
      const T without = rows[i + 1][j];
      if (without == value) {
        ++i;
        continue;
      }
      Index c = behind[i + 1];
      while (c < most &&
             (candidates[c].end > j || candidates[c].score + rows[candidates[c].end][j] != value))
        ++c;
      const auto& one = candidates[c];
      take(c);
      unfold(i, one.end, c, within[c]);
      value = rows[one.end][j];
      i = one.end;
    }
  }

 private:
  void take(Index c) {
    found.push_back({candidates[c].start, candidates[c].end, candidates[c].label});
  }
  void collect_row(const T* from, Index i, Index count, Index labels, bool units, bool& bad) {
    const auto begin = Index(candidates.size());
    each_positive(from, count, bad, [&](Index x) {
      const Index span = Index(std::uint32_t(x) / std::uint32_t(labels)), label = x - span * labels;
      auto* last = Index(candidates.size()) > begin ? &candidates.back() : nullptr;
      if (!last || last->end != i + 1 + span) {
        candidates.push_back({i, i + 1 + span, label, from[x], -1});
      } else if (from[x] > last->score) {
        last->score = from[x];
        last->label = label;
      }
    });
    if (units && begin < Index(candidates.size()) && candidates[begin].end == i + 1) {
      total += candidates[begin].score;
      take(begin);
      candidates.erase(candidates.begin() + begin);
    }
  }
};

}  // namespace SPANFOREST_LEVEL
}  // namespace spanforest

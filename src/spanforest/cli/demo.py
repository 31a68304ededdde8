"""`spanforest demo`: the example sentences of the papers, analysed with given scores."""

import numpy as np
import typer

from ..inference.forest import Forest
from ..spaces import Discontinuous, Nested, Segments
from ..spaces._space import Space
from ..types import Analysis, Mention
from ..viewer import draw
from .examples import DISCONTINUOUS, NESTED, Example

LABELS = ("PER", "ORG", "GPE")
GOOD, BAD = 3.0, -4.0


def demo() -> None:
    """Show the library at work: sentences of the papers, analysed exactly.

    There is no trained model behind this: the scores are given. Each right mention scores 3, a
    wrong one that crosses them up to 4, all others -4; the best analysis is found exactly, where
    taking the highest score first would go wrong.
    """
    for example in NESTED:
        _heading(example)
        scores = _span_scores(example)
        for space in (Segments(LABELS), Nested(LABELS)):
            _show(example, space, space.forest([scores]))
    _heading(DISCONTINUOUS)
    discontinuous = Discontinuous(["ADR"])
    tags = discontinuous.parts(
        discontinuous.encode(DISCONTINUOUS.mentions, len(DISCONTINUOUS.words)),
        len(DISCONTINUOUS.words),
    )
    word_scores = np.zeros((len(DISCONTINUOUS.words), len(discontinuous.tags)))
    word_scores[tuple(tags["word"].T)] = GOOD
    _show(DISCONTINUOUS, discontinuous, discontinuous.forest([word_scores]))


def _heading(example: Example) -> None:
    typer.secho(f"\n{example.title}", bold=True)


def _span_scores(example: Example) -> np.ndarray:
    """[first word, last word, label]: `BAD` but for the mentions and their rivals."""
    n = len(example.words)
    scores = np.full((n, n, len(LABELS)), BAD)
    for mention, score in (*example.rivals, *((m, GOOD) for m in example.mentions)):
        scores[mention.start, mention.end - 1, LABELS.index(mention.label)] = score
    return scores


def _show(example: Example, space: Space, forest: Forest[Space]) -> None:
    """The best analysis with the probability of each mention, and the runner-up's distance."""
    (score, best), (second, _) = forest.kbest(2)[0]
    count = space.count(len(example.words))
    log_prob = float(forest.log_prob([best])[0])
    typer.secho(f"\n{space!r}", fg="cyan")
    typer.echo(
        f"best of {count:,} analyses: p = {np.exp(log_prob):.2f}, score {score:.1f}, ", nl=False
    )
    typer.echo(f"{score - second:.1f} ahead of the next")
    typer.echo(draw(example.words, best.mentions))
    _probabilities(example, forest, best)


def _probabilities(example: Example, forest: Forest[Space], best: Analysis) -> None:
    mentions = sorted(best.mentions, key=lambda m: (m.start, -m.end))
    (probabilities,) = forest.probability([mentions])
    for mention, probability in zip(mentions, probabilities, strict=True):
        typer.echo(f"  {probability:.2f}  {mention.label:<4} {_text(example, mention)}")


def _text(example: Example, mention: Mention) -> str:
    return " … ".join(" ".join(example.words[a:b]) for a, b in mention.fragments)

"""Directives that write what the code says: rules of spaces, complexities, traces, pictures."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import spanforest as sf
from spanforest.cli.examples import DISCONTINUOUS, NESTED, Example
from spanforest.inference.scores import Axis
from spanforest.rules import Rule, System, degree, item_degree
from spanforest.rules._expressions import Atom
from spanforest.rules.notation import Predicate, pretty
from spanforest.viewer import draw_svg

EXAMPLES = {"1": NESTED[0], "2": NESTED[1], "3": NESTED[2], "4": NESTED[3], "sets": DISCONTINUOUS}
COUNTED = range(1, 7)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def space_of(text: str) -> sf.Space:
    """The space that a call such as `Nested(["PER"], narrow=2)` makes."""
    space = eval(text, {name: getattr(sf, name) for name in sf.__all__})
    assert isinstance(space, sf.Space)
    return space


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


class Generated(SphinxDirective):
    """A directive whose content is Markdown made by `lines`."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {}

    def lines(self, argument: str) -> Iterator[str]:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        lines = list(self.lines(self.arguments[0]))
        self.state.nested_parse(StringList(lines, "generated"), self.content_offset, container)
        return list(container.children)


class Rules(Generated):
    """Items, parts, rules, constants, relations, score arrays, complexity and counts of a space."""

    def lines(self, argument: str) -> Iterator[str]:
        space = space_of(argument)
        system = space.system
        yield f"Rules of `{space!r}`: {powers(degree(system), 'time')}, "
        yield f"{powers(item_degree(system), 'items')}."
        yield from table(
            ("item", "range", "meaning"),
            [(code(shown(item)), code(pretty(item.where)), item.meaning) for item in system.items],
        )
        parts = [
            (
                code(shown(part)),
                code(pretty(part.where)),
                code(f"{part.array}[{part.index}]"),
                part.meaning,
            )
            for part in system.parts
        ]
        yield from table(("part", "range", "score", "meaning"), parts)
        rules = [
            (f"({name})", code(f"{body} ⊢ {head}".strip()), code(where), completes(rule))
            for rule, (name, body, head, where) in zip(system.rules, system.table(), strict=True)
        ]
        yield from table(("rule", "antecedents ⊢ consequent", "if", "completes"), rules)
        yield from table(("constant or relation", "value", "meaning"), finite(system))
        arrays = [
            (code(array.name), code(sizes(array.axes)), array.meaning.partition(": ")[2])
            for array in space.score_arrays
        ]
        yield from table(("scores", "axes", "entry"), arrays)
        counts = [f"{space.count(n):,}" for n in COUNTED]
        yield from table(("words", *map(str, COUNTED)), [("analyses", *counts)])


class TraceOf(Generated):
    """The derivation of an example sentence: `EXAMPLE SPACE`."""

    def lines(self, argument: str) -> Iterator[str]:
        name, _, call = argument.partition(" ")
        example, space = EXAMPLES[name], space_of(call)
        yield f"{example.title}, in `{space!r}`: “{' '.join(example.words)}”."
        yield from picture(example)
        words = len(example.words)
        yield "```text"
        yield from str(space.trace(space.encode(example.mentions, words), words)).splitlines()
        yield "```"


class Picture(Generated):
    """The picture of an example sentence."""

    def lines(self, argument: str) -> Iterator[str]:
        yield from picture(EXAMPLES[argument])


def picture(example: Example) -> Iterator[str]:
    yield ""
    yield "```{raw} html"
    yield f"<div style='overflow-x: auto'>{draw_svg(example.words, example.mentions)}</div>"
    yield "```"
    yield ""


def completes(rule: Rule) -> str:
    """What applying a rule completes: a mention, a tag, a range of words in no mention."""
    events = {"mention": rule.mention, "tag": rule.tag, "outside": rule.outside}
    return ", ".join(f"{name} {code(f'({values})')}" for name, values in events.items() if values)


def finite(system: System) -> Iterator[tuple[str, str, str]]:
    """The constants of a system with their values, and the relations as rules ask for them."""
    for name, value in system.constants.items():
        yield (
            code(name),
            code(str(value if isinstance(value, int) else [*value])),
            system.meanings[name],
        )
    conditions = [c for rule in system.rules for c in rule.condition if isinstance(c, Atom)]
    for name, rows in system.relations.items():
        asked = next(str(c) for c in conditions if c.predicate == name)
        yield (
            code(asked),
            f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}",
            system.meanings[name],
        )


def powers(power: int, what: str) -> str:
    growth = {0: "1", 1: "n"}.get(power, "n" + str(power).translate(SUPERSCRIPTS))
    return f"O({growth}) {what}"


def shown(declared: Predicate) -> str:
    return declared.show(declared.variables)


def sizes(axes: Sequence[Axis]) -> str:
    return ", ".join(f"{axis.meaning} {axis.sizes}" for axis in axes)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("rules", Rules)
    app.add_directive("trace", TraceOf)
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}

"""The losses of a training as a drawing of its own: one file that any browser opens."""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from statistics import fmean
from xml.sax.saxutils import escape

__all__ = ["losses_svg"]

Scale = Callable[[float], float]

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 56, 40, 20, 46
TICKS = 5
AROUND = 5  # steps before and behind, of a running mean
ROUND = (1, 2, 2.5, 5, 10)


def losses_svg(losses: Sequence[float], title: str) -> str:
    """Every step as a dot, and the running mean as a line, from zero on."""
    unit = _round_up((max(losses, default=1.0) or 1.0) / TICKS)
    highest = unit * ceil(max(losses, default=1.0) / unit - 1e-9) or unit

    def x(step: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (step - 1) / max(1, len(losses) - 1)

    def y(loss: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * loss / highest

    means = [fmean(losses[max(0, place - AROUND) : place + AROUND + 1]) for place in range(len(losses))]
    line = " ".join(f"{x(step):.1f},{y(loss):.1f}" for step, loss in enumerate(means, 1))
    dots = "".join(f'<circle cx="{x(step):.1f}" cy="{y(loss):.1f}" r="1.6"/>' for step, loss in enumerate(losses, 1))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
        *_axes(len(losses), [unit * at for at in range(round(highest / unit) + 1)], x, y),
        f'<g fill="#9ab">{dots}</g>',
        f'<polyline points="{line}" fill="none" stroke="#0b5cad" stroke-width="2"/>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _round_up(least: float) -> float:
    """The next of 1, 2, 2.5, 5 or 10 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(power * each for each in ROUND if power * each >= least * 0.999)


def _axes(steps: int, ticks: Sequence[float], x: Scale, y: Scale) -> list[str]:
    parts = []
    for loss in ticks:
        parts.append(f'<path d="M{LEFT} {y(loss):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(loss) + 4:.1f}" text-anchor="end">{loss:g}</text>')
    for step in sorted({1 + round((steps - 1) * at / TICKS) for at in range(TICKS + 1)} if steps else {1}):
        parts.append(f'<text x="{x(step):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{step}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">step (line: mean of the steps around)</text>'
    )
    parts.append(
        f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">loss a token, in nats</text>'
    )
    return parts

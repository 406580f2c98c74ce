"""Probabilities and effects of a model, exact.

| function          | is                                                                                              |
|-------------------|-------------------------------------------------------------------------------------------------|
| probability       | P(event given)                                                                                  |
| interventional    | P(event do, given), with `given` seen after the intervention                                    |
| ate               | P(Y do(X = treated)) - P(Y do(X = control))                                                     |
| ett               | E[Y_treated - Y_control among those who are treated]                                            |
| natural_direct    | E[Y_{treated, M_control}] - E[Y_control], M all that mediates                                   |
| natural_indirect  | E[Y_{control, M_treated}] - E[Y_control]                                                        |
| necessity_bounds  | what is known of PN = P(Y_control = 0 given X = treated, Y = 1) without further assumptions     |
| necessity         | PN when the treatment never prevents the outcome (monotonicity)                                 |
"""

from collections.abc import Collection, Mapping
from fractions import Fraction

from calverify.effects._events import Contrast, Event, read_contrast, read_event, read_setting, shown_event
from calverify.effects._question import Arrow, Question, Switch, weigh
from calverify.effects._scm import SCM
from calverify.errors import QueryError

__all__ = [
    "ate",
    "ett",
    "interventional",
    "natural_direct",
    "natural_indirect",
    "necessity",
    "necessity_bounds",
    "probability",
]

Arms = tuple[str, str] | None
Outcome = Collection[str] | str | None
Seen = Mapping[int, tuple[int, ...]]


def probability(scm: SCM, event: Event, given: Event | None = None) -> Fraction:
    """P(event | given), of what is merely seen: `probability(scm, {"Y": 1}, {"X": 0})`."""
    return interventional(scm, event, {}, given)


def interventional(scm: SCM, event: Event, do: Mapping[str, str | int], given: Event | None = None) -> Fraction:
    """P(event | do, given): tables of the set variables are cut off, and `given` is seen after the intervention.

    Refused where `given` has probability zero: nothing is defined there.
    """
    setting = read_setting(scm, do)
    switches = tuple([Switch((state,), _arrows(scm, at)) for at, state in setting.items()])
    seen = read_event(scm, given or {})
    both = _intersection(seen, read_event(scm, event))
    below = _share(scm, seen, setting, switches) if seen else Fraction(1)
    if not below:
        done = f" under do({shown_event(scm, {at: (state,) for at, state in setting.items()})})" if setting else ""
        raise QueryError(f"the condition {shown_event(scm, seen)} has probability zero{done}")
    return _share(scm, both, setting, switches) / below


def ate(scm: SCM, treatment: str, outcome: str, *, arms: Arms = None, event: Outcome = None) -> Fraction:
    """The average treatment effect θ, from the model with X cut off from its causes.  It needs no adjustment set.

    X -> Y with P(Y=1 | X) = 0.1, 0.7 -> 3/5.
    """
    contrast = read_contrast(scm, treatment, outcome, arms, event)
    key = ("ate", contrast)
    if key not in scm.memo:
        treated, control = _dialled(scm, contrast, (_arrows(scm, contrast.treatment),))
        scm.memo[key] = treated - control
    found: Fraction = scm.memo[key]
    return found


def ett(scm: SCM, treatment: str, outcome: str, *, arms: Arms = None, event: Outcome = None) -> Fraction:
    """The effect among the treated: the sum over pa(X) of [P(y | do(x1), pa) - P(y | do(x0), pa)] P(pa | x1).

    A Markovian model fixes it: given pa(X), what X is says nothing about what Y would be under an intervention.
    """
    treated, control = _among_treated(scm, read_contrast(scm, treatment, outcome, arms, event))
    return treated - control


def natural_direct(scm: SCM, treatment: str, outcome: str, *, arms: Arms = None, event: Outcome = None) -> Fraction:
    """What X does to Y by the arrow X -> Y alone: that arrow carries the treated arm, the others the control arm."""
    table = _two_ways(scm, read_contrast(scm, treatment, outcome, arms, event))
    return table[1] - table[3]


def natural_indirect(scm: SCM, treatment: str, outcome: str, *, arms: Arms = None, event: Outcome = None) -> Fraction:
    """What X does to Y by all other arrows out of X: those carry the treated arm, X -> Y the control arm."""
    table = _two_ways(scm, read_contrast(scm, treatment, outcome, arms, event))
    return table[2] - table[3]


def necessity_bounds(
    scm: SCM, treatment: str, outcome: str, *, arms: Arms = None, event: Outcome = None
) -> tuple[Fraction, Fraction]:
    """The least and the largest probability of necessity that the tables allow (Tian and Pearl 2000).

    PN is the share of those with X = treated and Y = 1 who would not have had Y = 1 under the control arm.  Tables
    fix it up to max(0, [P(y) - P(y | do x0)] / P(x1, y)) <= PN <= min(1, [P(not y | do x0) - P(x0, not y)] / P(x1, y)).
    """
    factual, counterfactual = _necessity_parts(scm, read_contrast(scm, treatment, outcome, arms, event))
    least, most = (factual - counterfactual) / factual, (1 - counterfactual) / factual
    return max(Fraction(0), least), min(Fraction(1), most)


def necessity(scm: SCM, treatment: str, outcome: str, *, arms: Arms = None, event: Outcome = None) -> Fraction:
    """PN if the treatment never prevents the outcome: [P(y) - P(y | do x0)] / P(x1, y), the lower bound (Pearl 2000).

    Without confounding it is the excess risk ratio (P(y | x1) - P(y | x0)) / P(y | x1).  Tables cannot show that the
    treatment never prevents the outcome, but they can show that it does, and then the question is refused: among the
    treated the outcome must not be likelier under the control arm, nor among controls less likely under treatment.
    """
    contrast = read_contrast(scm, treatment, outcome, arms, event)
    factual, counterfactual = _necessity_parts(scm, contrast)
    _refuse_prevention(scm, contrast, factual, counterfactual)
    controls = contrast._replace(arms=contrast.arms[::-1])
    if _share(scm, {contrast.treatment: controls.arms[:1]}, {}, ()):
        untreated, had_they_been = _among_treated(scm, controls)
        _refuse_prevention(scm, controls, had_they_been, untreated)
    return (factual - counterfactual) / factual


def _refuse_prevention(scm: SCM, contrast: Contrast, treated: Fraction, control: Fraction) -> None:
    """Refuse a group whose outcome is likelier under the control arm."""
    if control > treated:
        x, y = (scm.variables[at].name for at in contrast[:2])
        raise QueryError(
            f"the probability of necessity needs {x} never to prevent {y}, and in this model it does: among "
            f"{shown_event(scm, {contrast.treatment: contrast.arms[:1]})} {y} has probability {treated} under "
            f"treatment and {control} under control"
        )


def _arrows(scm: SCM, at: int) -> frozenset[Arrow]:
    """The arrows out of one variable."""
    return frozenset((at, child) for child, parents in enumerate(scm.parents) if at in parents)


def _intersection(first: Seen, second: Seen) -> dict[int, tuple[int, ...]]:
    """Both events at once."""
    both = {**first, **second}
    for at in first.keys() & second.keys():
        both[at] = tuple(state for state in first[at] if state in second[at])
    return both


def _share(scm: SCM, event: Seen, setting: Mapping[int, int], switches: tuple[Switch, ...]) -> Fraction:
    """The probability of the event where the setting holds; a variable that is set has the state it is set to."""
    left = {at: states for at, states in event.items() if at not in setting}
    if not all(left.values()) or any(state not in event.get(at, (state,)) for at, state in setting.items()):
        return Fraction(0)
    (weight,), scale = weigh(scm, Question(seen=left, switches=switches))
    return Fraction(weight, scale)


def _dialled(
    scm: SCM,
    contrast: Contrast,
    groups: tuple[frozenset[Arrow], ...],
    seen: Mapping[int, tuple[int, ...]] | None = None,
) -> list[Fraction]:
    """P(outcome event, seen) for each position of one dial a group of arrows; the treated arm stands first."""
    switches = tuple([Switch(contrast.arms, group) for group in groups])
    narrowed = {**(seen or {}), contrast.outcome: contrast.event}
    weights, scale = weigh(scm, Question(seen=narrowed, switches=switches))
    return [Fraction(weight, scale) for weight in weights]


def _among_treated(scm: SCM, contrast: Contrast) -> list[Fraction]:
    """P(outcome event | X = treated) had X been set to the treated, and to the control arm."""
    key = ("among treated", contrast)
    if key not in scm.memo:
        group = {contrast.treatment: contrast.arms[:1]}
        mass = _share(scm, group, {}, ())
        if not mass:
            raise QueryError(f"nobody is treated: {shown_event(scm, group)} has probability zero")
        joint = _dialled(scm, contrast, (_arrows(scm, contrast.treatment),), group)
        scm.memo[key] = [share / mass for share in joint]
    found: list[Fraction] = scm.memo[key]
    return found


def _two_ways(scm: SCM, contrast: Contrast) -> list[Fraction]:
    """P(outcome event) by (arm on X -> Y, arm on the other arrows): (1, 1), (1, 0), (0, 1), (0, 0)."""
    direct = frozenset({(contrast.treatment, contrast.outcome)})
    return _dialled(scm, contrast, (direct, _arrows(scm, contrast.treatment) - direct))


def _necessity_parts(scm: SCM, contrast: Contrast) -> tuple[Fraction, Fraction]:
    """Among the treated: P(outcome event), and what it would have been under the control arm."""
    factual, counterfactual = _among_treated(scm, contrast)
    if not factual:
        raise QueryError("the probability of necessity is about treated units with the outcome, and there are none")
    return factual, counterfactual

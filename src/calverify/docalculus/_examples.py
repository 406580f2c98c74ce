"""Textbook graphs with their known answers: a gallery to learn from, and rows for the tests of every engine.

An estimand is written as books write it; None says that the effect cannot be identified.  A variable that stands in an
estimand and not in the effect may have any value (the napkin's R, Verma's A).
"""

from dataclasses import dataclass

from calverify.graphs import Graph

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True, slots=True)
class Example:
    """P(outcomes | do(treatments), given) in a graph; `about` says in a few words what there is to see."""

    name: str
    about: str
    text: str
    treatments: tuple[str, ...]
    outcomes: tuple[str, ...]
    estimand: str | None
    given: tuple[str, ...] = ()

    @property
    def graph(self) -> Graph:
        return Graph.parse(self.text)


X, Y = ("X",), ("Y",)
FRONT_DOOR = "sum_{M} P(M|X) sum_{X'} P(Y|M,X') P(X')"

EXAMPLES = (
    # ---- nothing is confounded
    Example("chain", "a mediator needs no adjustment", "X -> M -> Y", X, Y, "P(Y|X)"),
    Example("mediator trap", "adjusting for M would take away its share", "X -> M -> Y, X -> Y", X, Y, "P(Y|X)"),
    Example("confounded mediator", "adjusting for M would open a path", "X -> M -> Y, X -> Y, M <-> Y", X, Y, "P(Y|X)"),
    Example("collider", "a common effect stays out", "X -> C <- Y, X -> Y", X, Y, "P(Y|X)"),
    Example("m bias", "Z lies between two latents", "X -> Y, X <-> Z <-> Y", X, Y, "P(Y|X)"),
    Example("reversed", "the treatment is the effect", "Y -> X", X, Y, "P(Y)"),
    Example("fork", "a common cause and no effect", "Z -> X, Z -> Y", X, Y, "P(Y)"),
    Example("latent fork", "a latent cause and no effect", "X <-> Y", X, Y, "P(Y)"),
    # ---- back-door
    Example("backdoor", "one confounder", "Z -> X -> Y, Z -> Y", X, Y, "sum_{Z} P(Y|X,Z) P(Z)"),
    Example("two confounders", "both are needed, and they are independent", "A -> X -> Y, A -> Y, B -> X, B -> Y",
            X, Y, "sum_{A,B} P(Y|X,A,B) P(A) P(B)"),
    Example("proxy", "one node on the way is enough", "A -> X -> Y, A -> B -> Y", X, Y, "sum_{A} P(Y|X,A) P(A)"),
    Example("butterfly", "Z is a collider and a confounder: Z and one of its parents (Pearl 1995)",
            "A -> Z <- B, A -> X -> Y, Z -> X, Z -> Y, B -> Y", X, Y, "sum_{B,Z} P(Y|B,X,Z) P(B,Z)"),
    Example("latent confounder upstream", "the latent acts through Z", "Z -> X -> Y, Z <-> Y", X, Y,
            "sum_{Z} P(Y|X,Z) P(Z)"),
    Example("sequential treatments", "the second was chosen after seeing the first's result (Pearl and Robins 1995)",
            "A -> Z -> B -> Y, A -> Y, Z <-> Y", ("A", "B"), Y, "sum_{Z} P(Y|A,B,Z) P(Z|A)"),
    # ---- front-door
    Example("frontdoor", "a mediator that nothing confounds (Pearl 1995)", "X -> M -> Y, X <-> Y", X, Y, FRONT_DOOR),
    Example("smoking", "Pearl's front-door story", "Smoking -> Tar -> Cancer, Smoking <-> Cancer", ("Smoking",),
            ("Cancer",), "sum_{Tar} P(Tar|Smoking) sum_{Smoking'} P(Cancer|Smoking',Tar) P(Smoking')"),
    Example("frontdoor and backdoor", "Z confounds all three", "X -> M -> Y, X <-> Y, Z -> X, Z -> M, Z -> Y", X, Y,
            "sum_{M,Z} P(M|X,Z) P(Z) sum_{X'} P(Y|M,X',Z) P(X'|Z)"),
    Example("two mediators", "front-door by a set", "X -> A -> Y, X -> B -> Y, X <-> Y, A <-> B", X, Y,
            "sum_{A,B} P(A,B|X) sum_{X'} P(Y|A,B,X') P(X')"),
    Example("mediator and outcome", "an effect on a pair", "X -> M -> Y, X <-> Y", X, ("M", "Y"),
            "P(M|X) sum_{X'} P(Y|M,X') P(X')"),
    # ---- the ID algorithm
    Example("napkin", "no adjustment and no front-door; any R will do (Pearl and Mackenzie 2018)",
            "W -> R -> X -> Y, W <-> X, W <-> Y", X, Y,
            "(sum_{W} P(X,Y|R,W) P(W)) / (sum_{W} P(X|R,W) P(W))"),
    Example("verma", "the same for every A, which is a constraint and no independence (Verma and Pearl 1990)",
            "A -> B -> C -> D, B <-> D", ("C",), ("D",), "sum_{B} P(D|A,B,C) P(B|A)"),
    Example("crossed latents", "two districts of two (Tian and Pearl 2002)", "X -> A -> B -> Y, X <-> B, A <-> Y",
            X, Y, "sum_{A,B} P(Y|X,A,B) P(A|X) sum_{X'} P(B|X',A) P(X')"),
    Example("four latents", "A and M are enough (Tian and Pearl 2002)",
            "A -> X -> M -> Y, A -> M, A -> B -> Y, X <-> A, X <-> Y, X <-> B, A <-> Y", X, Y,
            "sum_{A,M} P(M|X,A) P(A) sum_{X'} P(Y|X',A,M) P(X'|A)"),
    Example("two outcomes", "an outcome that the treatment does not reach (Shpitser and Pearl 2006)",
            "A -> X -> Y, B -> Z, A <-> Y, A <-> B, X <-> B", X, ("Y", "Z"), "P(Z) sum_{A} P(Y|A,X) P(A)"),
    # ---- conditional effects
    Example("given the confounder", "in each stratum seeing is doing", "Z -> X -> Y, Z -> Y", X, Y, "P(Y|X,Z)", ("Z",)),
    Example("given one of two", "the other is adjusted for", "A -> B, A -> X -> Y, A -> Y, B -> X, B -> Y", X, Y,
            "sum_{A} P(Y|A,B,X) P(A|B)", ("B",)),
    Example("given an effect", "Z is below the outcome", "X -> M -> Y -> Z, X <-> Y", X, Y,
            "P(Z|Y) (sum_{M} P(M|X) sum_{X'} P(Y|M,X') P(X')) / "
            "(sum_{Y'} P(Z|Y') sum_{M} P(M|X) sum_{X'} P(Y'|M,X') P(X'))", ("Z",)),
    # ---- not identifiable
    Example("bow", "a latent at both ends of the arrow", "X -> Y, X <-> Y", X, Y, None),
    Example("bow at the mediator", "the first arrow is confounded", "X -> M -> Y, X <-> M", X, Y, None),
    Example("bow behind the mediator", "the latent reaches the mediator's path", "X -> M -> Y, X <-> Y, M <-> Y", X, Y,
            None),
    Example("instrument", "bounds only, without linearity", "Z -> X -> Y, X <-> Y", X, Y, None),
    Example("latent collider", "Z is a confounder and opens the latents", "Z -> X -> Y, X <-> Z <-> Y", X, Y, None),
    Example("leaky frontdoor", "an arrow past the mediator", "X -> M -> Y, X -> Y, X <-> Y", X, Y, None),
    Example("napkin given W", "P(Y | do(X)) is identified, and this is not", "W -> R -> X -> Y, W <-> X, W <-> Y", X, Y,
            None, ("W",)),
    Example("joint with a bow", "each treatment alone would do harm enough", "A -> B -> Y, B <-> Y, A <-> B",
            ("A", "B"), Y, None),
)  # fmt: skip

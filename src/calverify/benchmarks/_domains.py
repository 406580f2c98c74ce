"""Ten domains for generated texts: variables that could stand in any causal role, and scenery that states no edge."""

from typing import NamedTuple

__all__ = ["DOMAINS", "Domain"]


class Domain(NamedTuple):
    """`trap` is something that the treatment acts on.  `scene` opens a narrative; `asides` are true of no variable."""

    name: str
    treatment: str
    outcome: str
    trap: str
    others: tuple[str, ...]
    scene: str
    asides: tuple[str, ...]


DOMAINS = (
    Domain(
        "medicine", "statin use", "heart attack", "muscle pain",
        ("age", "diet quality", "family history", "cholesterol", "clinic visits"),
        "A regional hospital followed its patients for six years.",
        ("The ward was repainted twice in that time.", "Two of the nurses wrote the forms by hand."),
    ),
    Domain(
        "education", "tutoring", "exam score", "homework time",
        ("parental income", "motivation", "school quality", "prior grades", "commute length"),
        "A school district looked back at one year of its pupils.",
        ("The canteen changed its menu in spring.", "Half of the records came from an old filing cabinet."),
    ),
    Domain(
        "agriculture", "irrigation", "crop yield", "soil salinity",
        ("rainfall", "soil type", "farm size", "seed variety", "field slope"),
        "An extension officer drove from farm to farm over two seasons.",
        ("Her car broke down near the river once.", "Most farmers offered her coffee."),
    ),
    Domain(
        "labour", "job training", "wages", "overtime hours",
        ("schooling", "union membership", "local unemployment", "work experience", "firm size"),
        "A ministry wanted to know what its programme had done.",
        ("The report was due in November.", "Its first draft ran to four hundred pages."),
    ),
    Domain(
        "marketing", "ad exposure", "purchases", "page visits",
        ("customer age", "brand loyalty", "season", "income level", "newsletter signup"),
        "A shop for bicycles kept a log of its customers.",
        ("The shop dog is called Otto.", "The log is kept in green notebooks."),
    ),
    Domain(
        "transport", "toll price", "traffic volume", "toll revenue",
        ("fuel cost", "road width", "population density", "transit supply", "weather severity"),
        "A city council argued about its bridges for a decade.",
        ("One of the bridges is older than the council.", "The minutes are public but few people read them."),
    ),
    Domain(
        "ecology", "wolf presence", "elk numbers", "carcass counts",
        ("forest cover", "snow depth", "hunting pressure", "altitude", "road access"),
        "Rangers in a national park counted what they saw each winter.",
        ("One winter the radio failed for a week.", "The cabin has no running water."),
    ),
    Domain(
        "software", "code review", "defect rate", "merge delay",
        ("team size", "deadline pressure", "developer seniority", "module age", "test coverage"),
        "A company looked through the history of forty repositories.",
        ("The office moved to another floor in between.", "Nobody agreed on tabs or blanks."),
    ),
    Domain(
        "sports", "altitude camp", "race time", "sleep quality",
        ("training load", "athlete age", "coaching budget", "injury record", "iron intake"),
        "A running club wrote down everything about its athletes.",
        ("Its club house stands beside a canal.", "The treasurer is a retired postman."),
    ),
    Domain(
        "housing", "rent subsidy", "eviction", "savings",
        ("household income", "neighbourhood", "family size", "job stability", "building age"),
        "A tenants' association collected cases from its members.",
        ("It meets on Tuesdays above a bakery.", "The association has had three chairs."),
    ),
)  # fmt: skip

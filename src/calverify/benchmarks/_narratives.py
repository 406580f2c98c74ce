"""Twelve narratives written by hand: harder than the generated ones, each with the graph that it tells.

What makes them hard: an effect told before its cause, a cause taken up again sentences later, denials ("had no bearing
on"), two words for one variable, and company that causes nothing.
"""

from typing import NamedTuple

__all__ = ["NARRATIVES", "Narrative"]


class Narrative(NamedTuple):
    targets: tuple[str, str]
    edges: tuple[str, ...]
    text: str


NARRATIVES = (
    Narrative(
        ("fertiliser", "harvest"),
        ("fertiliser -> harvest", "soil -> fertiliser", "soil -> harvest", "fertiliser -> algae", "rain -> harvest"),
        "The pond below the fields turned green every June, and old Marek knew why: what he spread on the slope "
        "washed down and fed the algae. He spread more where the soil was poor, and poor soil gave him little to "
        "begin with, whatever he did. Rain, too, made or ruined his harvest, though it never changed how much he "
        "spread. He still bought fertiliser every year, because in his experience it paid at the threshing floor."
        " His brother, who kept bees, had opinions on all of this, and no influence on any of it.",
    ),
    Narrative(
        ("mentoring", "promotion"),
        ("talent -> reputation", "reputation -> mentoring", "talent -> promotion", "mentoring -> confidence",
         "mentoring -> promotion"),
        "Nobody at the bank was assigned a mentor by lot. The partners picked those with a name in the corridors,"
        " and a name in the corridors came from talent. Talent was rewarded in its own right when the promotion "
        "list was drawn up, reputation was not. Being mentored did help to get on the list. It also left people "
        "more sure of themselves, but the committee, which met abroad, never saw any of that confidence. The "
        "coffee was the same on every floor.",
    ),
    Narrative(
        ("screening", "survival"),
        ("wealth -> insurance", "insurance -> screening", "wealth -> diet", "diet -> survival", "screening -> survival",
         "screening -> worry"),
        "Screening finds tumours early and so it saves lives; it also makes people worry, and the worry kills "
        "nobody. Who turns up for it? Mostly those whose insurance pays, and good insurance is bought with "
        "wealth. Wealth does one thing more. It changes the diet, that is what comes to the table, and what comes"
        " to the table shows decades later in survival. Dr. Osei wrote this on the back of a train ticket, which "
        "she then lost.",
    ),
    Narrative(
        ("overtime", "accidents"),
        ("orders -> overtime", "orders -> machine speed", "machine speed -> accidents", "overtime -> accidents",
         "overtime -> wages paid", "shift foreman -> overtime"),
        "When orders pile up the plant does two things: it asks people to stay longer, and it turns the machines "
        "up. Fast machines hurt people. Tired people hurt themselves, and staying longer makes them tired, so "
        "overtime counts among the causes of accidents without any detour that we keep track of. The wage bill "
        "grows with the overtime, of course. Some foremen ask for more of it than others do, out of habit; a "
        "foreman has no other hand in what happens on the floor.",
    ),
    Narrative(
        ("vaccination", "school absence"),
        ("mother's schooling -> vaccination", "mother's schooling -> school absence", "distance -> vaccination",
         "distance -> school absence", "vaccination -> school absence", "vaccination -> sore arms"),
        "Two things decided whether a child in the valley got its vaccination: the distance of its house from the"
        " road, and how long the mother had been to school herself. Both had a second life. From the farthest "
        "houses children stayed away when the path was mud, and mothers with some schooling sent theirs in any "
        "weather. The shot kept children out of bed and in class. The morning after there were many sore arms, "
        "which excused nobody. The teacher rode a mule named after a general.",
    ),
    Narrative(
        ("curfew", "burglary"),
        ("tourism -> curfew", "tourism -> burglary", "curfew -> burglary", "curfew -> bar takings",
         "tourism -> bar takings", "street lights -> burglary"),
        "The town has a curfew at midnight in the months when strangers come; in the winter it does not bother. "
        "Strangers bring burglars with them, or are burgled, and either way the count goes up with tourism. What "
        "bars take in depends on how many strangers there are, and on the hour at which they must stop pouring. "
        "An early night keeps thieves at home too. So do street lights, which were put up where the cable "
        "happened to run. Nothing was ever decided by looking at the bars' books.",
    ),
    Narrative(
        ("aspirin", "stroke"),
        ("blood pressure -> aspirin", "salt -> blood pressure", "salt -> stroke", "aspirin -> stroke",
         "aspirin -> stomach bleeding", "alcohol -> stomach bleeding"),
        "Salt raises the blood pressure, and it has another way to the brain that the pressure gauge does not "
        "see: strokes follow salt even where pressure is held. Those whose pressure is high are given aspirin; "
        "nobody else in this ward is. Aspirin thins the blood, which bears on strokes, and it makes stomachs "
        "bleed. Alcohol makes them bleed as well. We have found nothing else that alcohol does here, though we "
        "have looked, and pressure itself, salt aside, changed no one's chances.",
    ),
    Narrative(
        ("remote work", "output"),
        ("seniority -> remote work", "seniority -> network", "network -> output", "remote work -> output",
         "remote work -> meetings", "output -> bonus", "mood -> network"),
        "Seniors are let go home first. They also know everybody, since years in the house make a network, and it"
        " is the network through which work gets done; years alone write no code. A good mood makes friends, so "
        "mood goes into the network too. Working from home adds to the output, or takes away from it, that is "
        "what we are asked about. It certainly adds meetings. The bonus is computed from the output, and from "
        "nothing else, by a spreadsheet that its author has left behind.",
    ),
    Narrative(
        ("logging", "landslide"),
        ("slope -> logging", "slope -> landslide", "road -> logging", "logging -> landslide", "logging -> stream silt",
         "rock type -> landslide", "rock type -> slope"),
        "Soft rock weathers into gentle slopes, hard rock stands steep. Soft rock also slides by itself. The "
        "steeper a hillside the fewer trees are taken from it, and the more readily it comes down in a landslide."
        " Trees are taken along the road; the road was built long ago along the old border and disturbs nothing. "
        "Where trees are gone, roots are gone, and the ground lets go. The stream runs brown with silt wherever "
        "there has been logging, and in that case the trout leave for the lake.",
    ),
    Narrative(
        ("dietary advice", "weight"),
        ("referral -> dietary advice", "income -> referral", "income -> food budget", "food budget -> weight",
         "dietary advice -> weight", "dietary advice -> cooking", "cooking -> weight", "dietary advice -> app use"),
        "Advice works twice, once through what people cook afterwards and once through what they leave out. It "
        "also gets them to open the app, which changes nothing. A family doctor's referral is the only way to get"
        " the advice, and doctors refer patients from the better streets: income. Income fills the fridge as "
        "well. The food budget decides a good part of what the scale says, and that is the only road from money "
        "to weight that the team believes in.",
    ),
    Narrative(
        ("fishing ban", "cod stock"),
        ("lobby -> fishing ban", "fleet size -> lobby", "fleet size -> cod stock", "fishing ban -> cod stock",
         "fishing ban -> harbour jobs", "fleet size -> harbour jobs", "water temperature -> cod stock"),
        "It is a small island, and its parliament listens to whoever shouts. A big fleet makes a loud lobby. The "
        "lobby, not the fish, settled where the ban applied. A big fleet empties the sea by itself; the ban, "
        "where there is one, refills it. When the water is warm there are fewer cod, ban or no ban. Jobs in the "
        "harbour hang on boats, and were lost where boats had to stay in. The parliament building burnt down and "
        "was rebuilt in the same style.",
    ),
    Narrative(
        ("night lighting", "moth decline"),
        ("town growth -> night lighting", "town growth -> hedge loss", "hedge loss -> moth decline",
         "night lighting -> moth decline", "night lighting -> bat hunting", "bat hunting -> moth decline",
         "pesticide -> moth decline", "town growth -> pesticide"),
        "As the town grew it lit its lanes at night, grubbed up its hedges and sprayed its verges with pesticide."
        " The moths went. Each of the three had its share: a moth without hedges has nowhere to lay, a sprayed "
        "one dies, and one that circles a lamp does neither feed nor mate. The lamps did more. Bats learnt to "
        "hunt under them, and what bats eat does not fly again. Growth as such never harmed a moth, only what "
        "came with it. The mayor collects stamps.",
    ),
)  # fmt: skip

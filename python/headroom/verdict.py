"""The levels and the words of verdicts, on which the program decides (judge.py):

    lower, higher    the interval of the change excludes zero
    none             it lies within ± resolution, the smallest change that matters
    undecided        neither: more seeds may decide

*Looks.* A user who looks after each batch of seeds, and stops when the interval excludes zero, finds an effect of
chance more often than one who looks once. So the looks of a sequence are planned: there are LOOKS of them, each with
half as many seeds again, and all with one level (`level_of_a_look`). At that level the intervals of all looks together
miss the true change as seldom as one interval of the stated confidence. This also holds for the interval at which a
user stops early. Source: Pocock, Group sequential methods in the design and analysis of clinical trials, Biometrika 64,
1977; Jennison and Turnbull, Interim analyses: the repeated confidence interval approach, J. R. Statist. Soc. B 51,
1989; the recursion for the level: Armitage, McPherson, Rowe, Repeated significance tests on accumulating data, J. R.
Statist. Soc. A 132, 1969.

*Several changes* that are examined together share the probability of an error (Bonferroni).
"""

import math

from headroom.text_table import tells_nothing

RESOLUTION, CONFIDENCE = 0.03, 0.95
LOOKS = 10
# {probability that any of LOOKS intervals misses: level of each}, for seeds that grow by half from look to look. The
# recursion gives the levels for 85 % of each probability: the standard deviation is estimated from few seeds, which
# uses the rest.
_LEVELS = {
    0.2: 3.240e-2, 0.1: 1.457e-2, 0.05: 6.722e-3, 0.02: 2.481e-3, 0.01: 1.182e-3, 0.005: 5.680e-4,
    0.002: 2.176e-4, 0.001: 1.059e-4, 0.0001: 9.906e-6,
}  # fmt: skip


def looks(first):
    """The number of seeds at each look of a sequence. `first`: number at the first look."""
    counts = [first]
    for k in range(1, LOOKS):
        counts.append(max(counts[-1] + 1, round(first * 1.5**k)))
    return counts


def level_of_a_look(chance):
    """The level with which all looks of a sequence together miss with this probability; between the table's rows by
    logarithms."""
    rows = sorted(_LEVELS.items())
    if chance <= rows[0][0]:
        return chance * rows[0][1] / rows[0][0]
    if chance >= rows[-1][0]:
        return chance * rows[-1][1] / rows[-1][0]
    (low, first), (high, last) = next((a, b) for a, b in zip(rows, rows[1:]) if chance <= b[0])
    share = math.log(chance / low) / math.log(high / low)
    return first * (last / first) ** share


def level(looked_at=1, confidence=CONFIDENCE, sequence=False):
    """The probability that one interval misses."""
    chance = (1 - confidence) / looked_at
    return level_of_a_look(chance) if sequence else chance


def percent_text(share):
    """A size with two digits below ten, a whole number above."""
    percent = 100 * abs(share)
    return f"{percent:.0f} %" if percent >= 9.95 or percent == 0 else f"{percent:.2g} %"


def is_lopsided(change, low, high):
    """Whether "change ± half" would mislead about an interval: one side is more than twice as long as the other, or the
    half, rounded, would cover zero where the interval does not."""
    halves = sorted((high - change, change - low))
    return halves[1] > 2 * halves[0] or low * high > 0 and halves[1] >= 0.95 * abs(change)


def change_text(change, low, high, signed=False):
    """ "16 ± 5 %", or "388 % (13 to 2015 %)" if the interval is lopsided. Half the width is rounded up. `signed`: with
    the sign of the change; otherwise the interval must exclude zero."""

    def sign(value):
        return "" if not signed or value == 0 else "+" if value > 0 else "−"

    if low == high:
        return f"{sign(change)}{percent_text(change)} at each seed"
    if low * high <= 0 and tells_nothing(1, max(high - change, change - low)):
        return f"{sign(change)}{percent_text(change)} ±?, too few seeds"
    if is_lopsided(change, low, high):
        ends = [low, high] if signed else sorted((abs(low), abs(high)))
        first, last = [sign(end) + percent_text(end) for end in ends]
        return f"{sign(change)}{percent_text(change)} ({first.removesuffix(' %')} to {last})"
    size, half = 100 * abs(change), 100 * max(high - change, change - low)
    if max(size, half) >= 9.95:
        return f"{sign(change)}{size:.0f} ± {math.ceil(half - 0.05)} %"
    return f"{sign(change)}{size:.1f} ± {math.ceil(10 * half - 0.05) / 10:.1f} %"


def verdict_text(said, found, resolution, more="more seeds would decide"):
    """"better by 16 ± 5 %". `said`: the verdict in the reader's words; `found`: in the form of judge.Effect.json; `more`:
    what would decide it."""
    if said in ("none", "no difference"):
        return f"no difference larger than {percent_text(resolution)}"
    undecided = said == "undecided"
    size = change_text(found["change"], found["low"], found["high"], undecided)
    return f"undecided ({size}): {more}" if undecided else f"{said} by {size}"


def more_text(seeds, time=""):
    """Advice on how to get a verdict; `seeds`: judge.Effect.more_seeds."""
    if seeds is None:
        return "more seeds than are planned would be needed"
    return f"{seeds} more seed{'' if seeds == 1 else 's'}{time} would decide"

"""The result of a search, for people and as JSON."""

import json
import re
import textwrap

from headroom.explain.keys import COSTS
from headroom.explain.search import LEAST, REPAIR, search
from headroom.explain.words import WIDTH
from headroom.format import counted, format_percent, format_time
from headroom.judge import over_seeds
from headroom.say import say
from headroom.study.arguments import assignments, seconds
from headroom.text_table import number_text, text_table
from headroom.verdict import RESOLUTION, percent_text

_SAYS = {"lower": "helps", "higher": "hurts", "none": "no effect", "undecided": "undecided", None: None}  # verdicts on
                                                                                                          # a time
_SMALL = 0.01  # with one seed: smaller effects are listed in one line
_ALIKE = 0.9  # share of the best cut: changes that cut about as much are equally good, and the cheaper comes first
_WORDS = 42  # letters of a change in a line of a table
_FINDINGS = 3  # of check that are printed
_MOST = 8  # changes with one run each that are listed


def _value(metric, value):
    return format_time(value) if "_us." in metric else number_text(value)


def _signed(change):
    return f"{'+' if change > 0 else '−'}{format_percent(abs(change))}" if abs(change) >= 0.0005 else "0 %"


def _interval(effect):
    same = effect.low is not None and effect.high - effect.low < 1e-9
    return "" if effect.low is None else "in every seed" if same else f"{_signed(effect.low)} to {_signed(effect.high)}"


def _set(settings):
    return " ".join(f"--set '{key}={value}'" for key, value in settings.items())


def _whose(metric):
    """"the p99 of gets (get)"; a metric that is not a time of messages or operations keeps its own name."""
    found = re.fullmatch(r"messages\.([^.]+)\.completion_us\.(\w+)|operations\.([^.]+)\.([^.]+)\.latency_us\.(\w+)", metric)
    if not found:
        return metric
    return f"the {found[2]} of {found[1]}" if found[1] else f"the {found[5]} of {found[3]} ({found[4]})"


def _rows(words, *cells):
    """A row of the table; long words continue below."""
    first, *more = textwrap.wrap(words, _WORDS, break_long_words=False, break_on_hyphens=False) or [""]
    return [[f"  {first}", *cells], *([f"    {line}", *[""] * len(cells)] for line in more)]


def _row(search, trial):
    """Columns of the table: words, verdict, value after the change, change, interval."""
    surely = trial.effect and trial.effect.low is not None
    said = _SAYS[trial.effect.verdict] if surely else trial.failure
    change = trial.effect and _signed(trial.effect.change)
    value = _value(search.metric, trial.value) if trial.value is not None else "–"
    return _rows(trial.variant.words, said, value, change or "–", _interval(trial.effect) if surely else "")


def _wrapped(text):
    text = text.replace(" %", "\u00a0%")  # a number and its unit stay together
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False).replace("\u00a0", " ")


def _net(trial):
    """Its change with those of the workloads that it makes slower, multiplied."""
    net = 1 + trial.effect.change
    for harm in trial.harms.values():
        net *= 1 + harm.change
    return net - 1


def _price(trial, alike):
    """The order of trials: by cost, then by the steps of a factor, among those that cut nearly as much as the best."""
    return (0, COSTS.index(trial.variant.cost), trial.variant.id.count("²")) if alike else (1, 0, 0)


def best_of(search):
    """Trials that certainly reduce the metric, those that an operator can make before those that only show a cause.
    Among those with nine tenths of the largest net cut, the cheapest comes first; a repair also with half of it. The
    others follow, the largest cut first."""
    helping = [trial for trial in search.trials if trial.helps and _net(trial) < 0]
    out = []
    for had in (True, False):
        single = [trial for trial in helping if trial.variant.can_be_had == had and not trial.pair]
        most = min(map(_net, single), default=0.0)
        alike = {id(trial) for trial in single if _net(trial) <= (REPAIR if trial.variant.cost == "repair" else _ALIKE) * most}
        out += sorted(single, key=lambda trial: (*_price(trial, id(trial) in alike), _net(trial)))
        out += [trial for trial in helping if trial.pair and had and _net(trial) < most / _ALIKE]
    return out


def answer_text(search):
    """The text of the page."""
    ((before, _),) = over_seeds([(search.before, search.metric)])
    subject, seeds = _whose(search.metric), counted(len(search.fresh), "fresh seed")
    was = f"{subject.replace('the ', 'The ', 1) if subject.startswith('the ') else subject}: {_value(search.metric, before.mean) if before else 'not measured'}, over {seeds}"
    if search.before.censored(search.metric):
        was += "; a lower bound, because unfinished messages are among the slowest"
    lines = [_wrapped(was), ""]
    if search.checked.get("vary"):
        lines[-1:] = ["`vary` is ignored: the answer is for the scenario without it.", ""]
    if search.shortened:
        lines[-1:] = [_wrapped(search.shortened), ""]
    found = [f"check: {finding['where']}: {finding['what']}" for finding in search.checked["findings"] if finding["severity"] != "note"]
    lines[-1:] = [*map(_wrapped, found[:_FINDINGS]), ""] if found else [""]
    least = "at least " if search.before.censored(search.metric) else ""
    best = [trial for trial in best_of(search) if trial.variant.can_be_had]
    first = next((trial for trial in best if not trial.pair), None)
    if first:
        worse = ", and " + ", ".join(f"raises {_whose(metric)} by {format_percent(harm.change)}" for metric, harm in first.harms.items()) if first.harms else ""
        lines += [_wrapped(f"What to change: {first.variant.words}. It cuts {subject} by {least}{format_percent(-first.effect.change)} ({_interval(first.effect)}){worse}."), f"  {_set(search.given | first.settings)}"]
        others = [trial for trial in best if trial is not first]
        for title, of_these in (
            ("Two changes together cut more", [trial for trial in others if trial.pair and trial.effect.change < first.effect.change / _ALIKE]),
            ("As good", [trial for trial in others if not trial.pair and not trial.harms and trial.effect.change <= _ALIKE * first.effect.change]),
            ("Cuts more, but makes other workloads slower", [trial for trial in others if trial.harms and not trial.pair and trial.effect.change < first.effect.change]),
        ):
            if of_these:
                lines.append(_wrapped(f"{title}: " + "; ".join(f"{trial.variant.words} ({_signed(trial.effect.change)})" for trial in of_these) + "."))
    else:
        lines += _nothing(search, subject)
    confirmed = [trial for trial in search.trials if trial.effect is not None]
    for title, had in ((f"tried with {seeds}; 95 % intervals for all {len(confirmed)} together; 'no effect': none larger than {percent_text(RESOLUTION)}", True), ("shows the cause, but operators cannot make this change", False)):
        rows = [row for trial in confirmed if trial.variant.can_be_had == had for row in _row(search, trial)]
        if rows:
            lines += ["", f"{title}:", text_table(["", "", "then", "change", "interval"], rows, left=2)]
    hurt = [_wrapped(f"  {trial.variant.words}: {_whose(metric)} {_signed(harm.change)}") for trial in confirmed for metric, harm in trial.harms.items()]
    lines += ["", "makes other workloads slower:", *hurt] if hurt else []
    lines += _screened(search, [trial for trial in search.trials if trial.effect is None])
    if search.refused:
        lines += [_wrapped(f"not possible in this scenario: {counted(len(search.refused), 'change')} (--json lists them)")]
    if search.stopped and first:
        lines += ["", "The budget ended before all changes were confirmed."]
    if search.not_tried:
        lines += ["", _wrapped(f"not tried, because the budget ended: {counted(len(search.not_tried), 'change')}: " + "; ".join(trial.variant.words for trial in search.not_tried))]
    parts = ", ".join(f"{format_percent(share)} {part.replace('_', ' ')}" for part, share in sorted(search.parts.items(), key=lambda item: -item[1]) if share >= LEAST)
    lines += ["", _wrapped(f"This time (seed {search.first}): {parts}"), f"study: {search.study.folder}"]
    lines += [f"cores: {search.cores_text}"] if search.cores_text else []
    return "\n".join(lines)


def _nothing(search, subject):
    if search.stopped:
        return ["The budget ended before a helpful change was confirmed. With a larger budget, the same command continues."]
    had = [trial for trial in search.trials if trial.variant.can_be_had]
    compared = [trial for trial in had if trial.screened]
    if had and not compared:
        return [_wrapped(f"Nothing could be compared: {had[0].failure}. With a longer deadline, or a longer duration, messages may end.")]
    unsure = [trial for trial in search.trials if trial.effect and trial.effect.verdict == "undecided" and trial.effect.change < 0 and trial.variant.can_be_had]
    if not unsure:
        return [_wrapped(f"None of the changes that operators can make helps: {counted(len(compared), 'change')}, listed below.")]
    best = min(unsure, key=lambda trial: trial.effect.change)
    seeds = best.effect.seeds_to_decide
    more = f"Probably --seeds {seeds} would decide." if seeds else "No number of seeds is likely to decide."
    return [_wrapped(f"No change helps with certainty. {best.variant.words[:1].upper()}{best.variant.words[1:]} cut {subject} by {format_percent(-best.effect.change)}, but the seeds differ too much to be sure ({_interval(best.effect)}). {more}")]


def _screened(search, others):
    """The changes with one run each, sorted by their effect."""
    ran = sorted((trial for trial in others if trial.screened), key=lambda trial: trial.screened.change)
    cut = [trial for trial in ran if trial.screened.change <= -_SMALL]
    rows = [row for trial in cut[:_MOST] for row in _rows(trial.variant.words, _signed(trial.screened.change))]
    lines = ["", f"with seed {search.first} alone, so only a hint:", text_table(["", "change"], rows)] if rows else []
    counts = [(f"{len(cut) - _MOST} more that cut it", len(cut) > _MOST)]
    raised = sum(trial.screened.change >= _SMALL for trial in ran)
    counts += [(f"{raised} that raise it", raised), (f"{len(ran) - len(cut) - raised} that move it by less than 1 %", len(ran) - len(cut) - raised)]
    told = ", ".join(text for text, there in counts if there)
    lines += ["", _wrapped(f"also tried with seed {search.first}, listed by --json: {told}")] if told else []
    lost = [trial for trial in others if not trial.screened and trial.failure]
    return lines + ([_wrapped(f"not measured: {counted(len(lost), 'change')}, for example {lost[0].variant.words}: {lost[0].failure}")] if lost else [])


def answer_json(search):
    """The JSON form; a change with one seed has no interval and no verdict."""
    ((before, _),) = over_seeds([(search.before, search.metric)])
    told = {"workload": search.workload, "metric": search.metric, "baseline_us": before.mean if before else None}
    told |= {"tried": [_as_json(trial) for trial in search.trials], "best": [_as_json(trial) for trial in best_of(search)]}
    told |= {"not_tried": {trial.variant.words: "budget" for trial in search.not_tried} | search.refused}
    return told | {"parts": search.parts, "shortened": search.shortened or None, "study": str(search.study.folder), "runs_by_ranks": search.runs_by_ranks}


def _as_json(trial):
    found = trial.effect or trial.screened
    told = {"id": trial.variant.id, "words": trial.variant.words, "set": trial.settings, "seeds": found.seeds if found else 0, "change": found.change if found else None}
    told |= {"interval": [found.low, found.high] if found and found.low is not None else None}
    told |= {"verdict": _SAYS[found.verdict] if found and found.verdict != "undecided" else None, "can_be_had": trial.variant.can_be_had, "cost": trial.variant.cost}
    return told | {"grouped": trial.grouped, "harms": {metric: harm.change for metric, harm in trial.harms.items()}, "failure": trial.failure or None}


def measure(options):
    """Runs the command; returns its exit code."""
    options.budget = seconds(options.budget) if options.budget is not None else None
    options.sets = {key: value for _, setting in assignments("set", options.set) for key, value in setting.items()}
    found = search(options, assignments("try", options.inputs[1:]))
    say(json.dumps(answer_json(found), indent=2, ensure_ascii=False) if options.json else answer_text(found))
    for run in found.failed[:3]:
        say(f"failed: {run.settings}, seed {run.seed}: {run.message}")
    return 1 if found.failed else 0

"""Tables for a user."""


def number_text(value):
    """Three significant digits below a thousand, whole numbers above."""
    if value is None:
        return "–"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value)}"
    return f"{value:.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def tells_nothing(mean, half):
    """Whether an interval is so wide that its number would mislead: more than the value, as two seeds often give."""
    return mean != 0 and half > abs(mean)


def interval_text(interval, censored=False):
    """"268 ± 12"; with ≥ for a lower bound."""
    if interval is None:
        return "–"
    text = number_text(interval.mean)
    if interval.half_width is not None:
        wide = tells_nothing(interval.mean, interval.half_width)
        text += " ±?" if wide else f" ± {number_text(interval.half_width)}"
    return ("≥ " if censored else "") + text


def text_table(header, rows, left=1):
    """Columns with the necessary widths, the first `left` of them flush left, the others flush right."""
    lines = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    text = []
    for line in lines:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ]
        text.append("  ".join(cells).rstrip())
    return "\n".join(text)

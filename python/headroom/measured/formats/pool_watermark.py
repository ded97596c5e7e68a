"""`show buffer_pool watermark` and `show headroom-pool watermark`."""

from headroom.measured.formats.row import Row


def takes(table):
    return table.header == ["Pool", "Bytes"] and "pool" in table.title.lower()


def rows(table, source):
    counter = "peak_headroom_bytes" if table.title.lower().startswith("headroom") else "peak_pool_bytes"
    for line, row, _, value in table.numbers(source, ["Bytes"]):
        yield Row(table.node, "", row["Pool"], counter, value, place=f"{source.path}:{line}")

"""The colour of each part of a time, for messages and operations: one part has the same colour everywhere."""

from headroom.csv_file import MESSAGE_PARTS, PARTS

_OF_MESSAGES = "#7A4E9E #B9DDBE #E69F00 #F0E442 #009E73 #0072B2 #D55E00 #000000 #D9D9D9 #7CC0E8 #F5B08A #EDEDED #B0413E #3B5B5B #8C6D31"
_OF_OPERATIONS = {
    "core": "#5B8C2A",
    "core_queue": "#B5D48A",
    "credits": "#A6761D",
    "chunk": "#CC79A7",
    "memory": "#8C564B",
    "device": "#17A2A2",
    "network": "#4C72B0",
    "connection": "#A05195",
    "order": "#E7298A",
    "timeout": "#666666",
    "copy": "#E6AB02",
    "wake": "#9ECAE1",
    "buffer": "#D6616B",
    "peer": "#8CA252",
}
PART_COLOURS = dict(zip(MESSAGE_PARTS, _OF_MESSAGES.split(), strict=True)) | _OF_OPERATIONS
assert set(PART_COLOURS) == {*PARTS, *MESSAGE_PARTS}

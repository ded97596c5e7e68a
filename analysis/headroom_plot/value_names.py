"""Short names for values of a study that are maps or lists: the anchors that the scenario's `vary:` gives them (`&tuned`),
else the key's last words and a number: "nics.0 #2"."""

from pathlib import Path

import yaml


class _Anchors(yaml.BaseLoader):
    """Remembers by which anchor each node was defined. Scalars stay texts."""

    def __init__(self, text):
        super().__init__(text)
        self.names = {}

    def compose_node(self, parent, index):
        event = self.peek_event()
        node = super().compose_node(parent, index)
        if not isinstance(event, yaml.AliasEvent) and event.anchor:
            self.names[id(node)] = event.anchor
        return node


def _entry(node, key):
    """The value of a key of a mapping; None of anything else."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for name, value in pairs if name.value == key), None)


def _anchored(file, key):
    """[(value, anchor)] of the values that the scenario file varies `key` over; nothing of a file that has gone."""
    try:
        loader = _Anchors(Path(file).read_text(encoding="utf-8"))
        items = _entry(_entry(loader.get_single_node(), "vary"), key)
        nodes = items.value if isinstance(items, yaml.SequenceNode) else []
        named = [node for node in nodes if id(node) in loader.names]
        return [(loader.construct_object(node, deep=True), loader.names[id(node)]) for node in named]
    except (OSError, ValueError, yaml.YAMLError):
        return []


def _read(text):
    try:
        return yaml.load(text, yaml.BaseLoader)
    except yaml.YAMLError:
        return text


def value_names(file, key, short, texts):
    """{text: name} of those values that are maps or lists. `short`: the key's last words. The anchors count only for the
    values that they have in the file now."""
    long = [text for text in texts if text.startswith(("{", "["))]
    if not long:
        return {}
    anchored = _anchored(file, key) if file else []
    names = {}
    for text in long:
        value = _read(text)
        number = texts.index(text) + 1
        names[text] = next((name for found, name in anchored if found == value), f"{short} #{number}")
    return names

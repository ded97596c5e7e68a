"""The causes that a tail is put down to: what they are called, and in words. What shows them is in evidence.py, what takes
them away in counterfactuals.py."""

CAUSES = {
    "host_link": "more comes for a host, or from it, than its link takes",
    "fabric_link": "more goes over a link between switches than it takes",
    "collision": "flows meet on one of several equal links while others are idle",
    "limiter": "congestion control holds senders back from links that have room",
    "generations": "receivers notify for every packet, and senders cut for every notification",
    "queue_pairs": "messages wait in order on few queue pairs while the link has room",
    "weight": "other classes have most of the port's turns",
    "ack_class": "ACKs wait in the class of the data",
    "buffer": "groups pause their peers while most of the buffer is free",
    "headroom": "headroom is too small: what comes after a pause is lost",
    "lossy": "the class has no PFC, and its queue was full",
    "loss": "links lose frames",
    "watchdog": "a PFC watchdog drops what waits in a queue that it takes for stormed",
    "storm": "a broken port pauses its peer whatever it holds",
    "slow_receiver": "a NIC takes frames out slower than they come",
    "blocked": "a port may not send, or its link is down",
    "nic": "stations of NICs: messages or contexts are more than they handle",
    "registration": "memory is registered ahead of each message",
    "distance": "the way is long",
    "own_size": "the message's own bytes at the rate of its link",
    "earlier": "earlier messages or losses, which the results do not tell of",
    "program": "its program, not the network",
}

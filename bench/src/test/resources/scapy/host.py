"""One end of a cable, as scapy sees it.

usage: host.py INTERFACE

Reads one request a line from standard input and answers each with one line, both JSON:

  {"op": "define", "names": {"TO_ROUTER": "Ether(...)"}}              -> {}
  {"op": "send", "frames": ["Ether(...)/IP(...)", ...], "repeat": N, "interval": S}   -> {"sent": ["hex", ...]}
  {"op": "clear"}                                                     -> {}
  {"op": "receive", "count": N, "seconds": S, "where": "IP in p"}     -> {"frames": [...]}
  {"op": "replay", "frames": ["hex", ...]}                            -> {}
  {"op": "collect", "until": "hex", "count": N, "start": "hex", "seconds": S}         -> {"frames": ["hex", ...]}

A frame to send is a Python expression over scapy's layers. "receive" yields the frames since the last "clear" or
"receive" that satisfy the Python expression over p, in the order of their arrival, and returns as soon as it has
"count" of them, or, with "until", one for which that expression holds too. "replay" sends bytes as they are, and
"collect" yields all frames, not read by scapy, until it has one that ends with the bytes of "until" and "count" others
that begin with the bytes of "start". Nothing here knows how the router under test builds or reads a frame.
"""
import json
import socket
import struct
import sys
import time

from scapy.config import conf

# All layers take a second to load.
conf.load_layers = ["l2", "inet", "inet6"]
from scapy.all import *  # noqa: E402,F401,F403
from scapy.utils import checksum

ETH_P_ALL = 3
SOL_PACKET = 263
PACKET_AUXDATA = 8
PACKET_IGNORE_OUTGOING = 23
TP_STATUS_VLAN_VALID = 1 << 4
TP_STATUS_VLAN_TPID_VALID = 1 << 6
SO_RCVBUFFORCE = 33
SO_TIMESTAMPNS = 35


class Capture:
    """All frames that arrived at an interface; the kernel keeps them, with the time of their arrival, until asked."""

    def __init__(self, interface):
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        self.socket.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        self.socket.bind((interface, ETH_P_ALL))

    def clear(self):
        """Reads until nothing is left: a bulk transfer before may have filled the kernel's buffer."""
        deadline = time.monotonic() + 10
        while self.next(0):
            if time.monotonic() > deadline:
                raise TimeoutError("frames have not stopped to arrive for 10 s")

    def next(self, seconds):
        """The next frame and its time, or None where none arrives in time."""
        self.socket.settimeout(seconds)
        try:
            data, ancillary, _, _ = self.socket.recvmsg(65535, 128)
        except (BlockingIOError, TimeoutError):
            return None
        when = 0
        for level, _, value in ancillary:
            if level == SOL_PACKET:
                data = with_tag(data, value)
            else:
                whole, nanos = struct.unpack("qq", value)
                when = whole + nanos * 1e-9
        return when, data

    def receive(self, count, seconds, where, until):
        wanted = []
        deadline = time.monotonic() + seconds
        while len(wanted) < count:
            arrived = self.next(max(deadline - time.monotonic(), 0))
            if not arrived:
                break
            p = Ether(arrived[1])
            if where(p):
                wanted.append(arrived)
                if until(p):
                    break
        return wanted


def with_tag(data, auxdata):
    """The frame as it was on the wire: the kernel puts its outer tag beside it (struct tpacket_auxdata)."""
    status, tci, tpid = struct.unpack("I12xHH", auxdata[:20])
    if not status & TP_STATUS_VLAN_VALID:
        return data
    return data[:12] + struct.pack("!HH", tpid if status & TP_STATUS_VLAN_TPID_VALID else 0x8100, tci) + data[12:]


# RFC 4861 and RFC 3810: neighbour discovery and listener reports of kernels, which may arrive at any time.
LINK_CHATTER = (130, 131, 132, 133, 134, 135, 136, 143)
ICMPV6 = 58
# Their checksums cover the pseudo-header and everything; UDP-Lite's may cover less.
WITH_SUM = (socket.IPPROTO_UDP, socket.IPPROTO_TCP, socket.IPPROTO_UDPLITE)
HOP_BY_HOP = 0


def is_ip(p):
    """Whether a frame is IPv4 or IPv6, without the chatter of neighbours."""
    ether_type = p.original[12:14]
    return ether_type == b"\x08\x00" or ether_type == b"\x86\xdd" and not is_chatter(p.original[14:])


def is_chatter(packet):
    at, header = 40, packet[6] if len(packet) > 40 else None
    if header == HOP_BY_HOP and len(packet) > 48:
        header, at = packet[40], 48 + packet[41] * 8
    return header == ICMPV6 and len(packet) > at and packet[at] in LINK_CHATTER


def describe(when, data):
    """A frame's fields; every checksum is computed again over the bytes as they are."""
    p = Ether(data)
    fields = {
        "time": when, "hex": data.hex(), "length": len(data),
        "destination": p.dst, "source": p.src, "etherType": p.type,
    }
    if IP in p:
        fields["ip"] = describe_ip(data[14:])
    elif p.type == 0x86DD and len(data) >= 54:
        fields["ipv6"] = describe_ip6(data[14:])
    return fields


def describe_ip6(data):
    first, length, header, hop_limit = struct.unpack("!IHBB", data[:8])
    payload = data[40:40 + length]
    fields = {
        "version": first >> 28, "trafficClass": first >> 20 & 0xFF, "flowLabel": first & 0xFFFFF,
        "payloadLength": length, "nextHeader": header, "hopLimit": hop_limit,
        "source": socket.inet_ntop(socket.AF_INET6, data[8:24]),
        "destination": socket.inet_ntop(socket.AF_INET6, data[24:40]),
        "payload": payload.hex(), "trailing": data[40 + length:].hex(),
    }
    pseudo = data[8:40] + struct.pack("!II", len(payload), header)
    if header == ICMPV6 and len(payload) >= 8:
        kind, code, _, rest = struct.unpack("!BBHI", payload[:8])
        fields["icmp"] = {
            "type": kind, "code": code, "checksumRight": checksum(pseudo + payload) == 0, "rest": rest,
            "body": payload[8:].hex(),
        }
    if header in WITH_SUM:
        fields["transportChecksumRight"] = checksum(pseudo + payload) == 0
    return fields


def describe_ip(data):
    ip = IP(data)
    header = data[:ip.ihl * 4]
    payload = data[ip.ihl * 4:ip.len]
    fields = {
        "source": ip.src, "destination": ip.dst, "ttl": ip.ttl, "tos": ip.tos, "id": ip.id, "totalLength": ip.len,
        "protocol": ip.proto, "headerLength": ip.ihl * 4, "dontFragment": "DF" in ip.flags,
        "moreFragments": "MF" in ip.flags, "fragmentOffset": ip.frag * 8, "checksum": ip.chksum,
        "checksumRight": checksum(header) == 0, "payload": payload.hex(), "options": header[20:].hex(),
        "trailing": data[ip.len:].hex(),
    }
    if ip.proto == socket.IPPROTO_ICMP and ip.frag == 0 and len(payload) >= 8:
        kind, code, _, rest, mtu = struct.unpack("!BBHHH", payload[:8])
        fields["icmp"] = {
            "type": kind, "code": code, "checksumRight": checksum(payload) == 0, "unused": rest, "mtu": mtu,
            "quote": payload[8:].hex(),
        }
    if ip.proto in WITH_SUM and ip.frag == 0 and "MF" not in ip.flags:
        pseudo = socket.inet_aton(ip.src) + socket.inet_aton(ip.dst) + struct.pack("!BBH", 0, ip.proto, len(payload))
        fields["transportChecksumRight"] = checksum(pseudo + payload) == 0
    return fields


class Host:
    """Answers requests; each is a method of the same name."""

    def __init__(self, interface):
        self.capture = Capture(interface)
        self.out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.out.bind((interface, 0))

    def define(self, names):
        for name, expression in names.items():
            globals()[name] = eval(expression)
        return {}

    def send(self, frames, repeat, interval):
        frames = [bytes(eval(frame)) for frame in frames]
        for _ in range(repeat):
            for frame in frames:
                self.out.send(frame)
                if interval:
                    time.sleep(interval)
        return {"sent": [frame.hex() for frame in frames]}

    def clear(self):
        self.capture.clear()
        return {}

    def receive(self, count, seconds, where, until="False"):
        frames = self.capture.receive(count, seconds, eval("lambda p: " + where), eval("lambda p: " + until))
        return {"frames": [describe(when, data) for when, data in frames]}

    def replay(self, frames):
        for frame in frames:
            self.out.send(bytes.fromhex(frame))
        return {}

    def collect(self, until, count, start, seconds):
        end, begin = bytes.fromhex(until), bytes.fromhex(start)
        frames = []
        deadline = time.monotonic() + seconds
        ended = False
        while not ended or count > 0:
            arrived = self.capture.next(max(deadline - time.monotonic(), 0))
            if not arrived:
                break
            data = arrived[1]
            frames.append(data)
            if data.endswith(end):
                ended = True
            elif data.startswith(begin):
                count -= 1
        return {"frames": [frame.hex() for frame in frames]}


def main():
    host = Host(sys.argv[1])
    print(json.dumps({}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(host, request.pop("op"))(**request)
        except Exception as error:  # pylint: disable=broad-except
            answer = {"error": "%s: %s in %s" % (type(error).__name__, error, line.strip())}
        print(json.dumps(answer), flush=True)


main()

# A second opinion on TLP headers, written from the PCI Express layout for scapy, which has none of its own.
#   tlp.py read  < lines of hex      prints the fields of each, as decimal numbers
#   tlp.py build < lines of fields   prints the bytes of each in hex
import sys

from scapy.fields import BitField, ByteField, ConditionalField, ShortField
from scapy.packet import Packet


class Tlp(Packet):
    name = "TLP"
    fields_desc = [
        BitField("fmt", 0, 3),
        BitField("type", 0, 5),
        BitField("reserved1", 0, 1),
        BitField("tc", 0, 3),
        BitField("reserved2", 0, 4),
        BitField("td", 0, 1),
        BitField("ep", 0, 1),
        BitField("attr", 0, 2),
        BitField("at", 0, 2),
        BitField("length", 0, 10),
    ]


class Request(Packet):
    name = "TLP request"
    fields_desc = Tlp.fields_desc + [
        ShortField("requester", 0),
        ByteField("tag", 0),
        BitField("last_be", 0, 4),
        BitField("first_be", 0, 4),
        ConditionalField(BitField("high", 0, 32), lambda packet: packet.fmt & 1),
        BitField("low", 0, 30),
        BitField("ph", 0, 2),
    ]


class Completion(Packet):
    name = "TLP completion"
    fields_desc = Tlp.fields_desc + [
        ShortField("completer", 0),
        BitField("status", 0, 3),
        BitField("bcm", 0, 1),
        BitField("byte_count", 0, 12),
        ShortField("requester", 0),
        ByteField("tag", 0),
        BitField("reserved3", 0, 1),
        BitField("lower_address", 0, 7),
    ]


REQUEST = ["fmt", "type", "length", "requester", "tag", "last_be", "first_be", "high", "low"]
COMPLETION = ["fmt", "type", "length", "completer", "status", "byte_count", "requester", "tag", "lower_address"]
IS_COMPLETION = 0x0A


def read(line):
    data = bytes.fromhex(line)
    if data[0] & 0x1F == IS_COMPLETION:
        packet, names = Completion(data), COMPLETION
    else:
        packet, names = Request(data), REQUEST
    values = [packet.getfieldval(name) or 0 for name in names]
    return " ".join(str(value) for value in values) + " " + bytes(packet.payload).hex()


def build(line):
    values = [int(value) for value in line.split()]
    kind, names = (Completion, COMPLETION) if values[1] == IS_COMPLETION else (Request, REQUEST)
    return bytes(kind(**dict(zip(names, values)))).hex()


for line in sys.stdin:
    print((read if sys.argv[1] == "read" else build)(line.strip()))

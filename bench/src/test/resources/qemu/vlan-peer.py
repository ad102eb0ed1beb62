"""Hosts in VLANs at one end of a cable; their tags are made and read here, because the machine's kernel has no VLANs.

usage: vlan-peer.py INTERFACE ROUTER_MAC

Answers ARP for every address whose last byte is 2, and pings to these, with the tags of the request. A line "ping TAGS
SOURCE DESTINATION" on standard input, tags in hex or -, sends an echo request to the router each second until its
reply arrives, and prints "reply TAGS SOURCE TTL". "arp TAGS SOURCE DESTINATION" prints "arp TAGS SOURCE MAC".
"""
import socket
import struct
import sys
import threading
import time

SOL_PACKET = 263
PACKET_AUXDATA = 8
PACKET_IGNORE_OUTGOING = 23
TP_STATUS_VLAN_VALID = 1 << 4

wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
wire.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
wire.bind((sys.argv[1], 3))
router = bytes.fromhex(sys.argv[2].replace(":", ""))
own = wire.getsockname()[4]
replies = set()


def receive():
    data, ancillary, _, _ = wire.recvmsg(65535, 64)
    for _, _, value in ancillary:
        status, tci, tpid = struct.unpack("I12xHH", value[:20])
        if status & TP_STATUS_VLAN_VALID:
            data = data[:12] + struct.pack("!HH", tpid, tci) + data[12:]
    at = 12
    while data[at:at + 2] in (b"\x81\x00", b"\x88\xa8"):
        at += 4
    return data[12:at], data[at:at + 2], data[at + 2:]


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def echo(kind, source, destination, rest):
    icmp = struct.pack("!BBH", kind, 0, 0) + rest
    icmp = icmp[:2] + struct.pack("!H", checksum(icmp)) + icmp[4:]
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(icmp), 1, 0, 64, 1, 0, source, destination)
    return ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:] + icmp


def arp(operation, target_mac, source, destination):
    return struct.pack("!HHBBH6s4s6s4s", 1, 0x0800, 6, 4, operation, own, source, target_mac, destination)


def answer():
    while True:
        tags, kind, packet = receive()
        if kind == b"\x08\x06" and packet[6:8] == b"\0\1" and packet[27] == 2:
            wire.send(packet[8:14] + own + tags + kind + arp(2, packet[8:14], packet[24:28], packet[14:18]))
        elif kind == b"\x08\x06" and packet[6:8] == b"\0\2":
            report("arp %s %s %s" % (tags.hex(), socket.inet_ntoa(packet[14:18]), packet[8:14].hex(":")))
        elif kind == b"\x08\x00" and packet[9] == 1 and packet[20] == 8 and packet[19] == 2:
            wire.send(router + own + tags + kind + echo(0, packet[16:20], packet[12:16], packet[24:84]))
        elif kind == b"\x08\x00" and packet[9] == 1 and packet[20] == 0:
            report("reply %s %s %d" % (tags.hex() or "-", socket.inet_ntoa(packet[12:16]), packet[8]))


def report(line):
    replies.add(line.split()[2])
    print(line, flush=True)


threading.Thread(target=answer, daemon=True).start()
print("peering", flush=True)
for line in sys.stdin:
    what, tags, source, destination = line.split()
    tags = b"" if tags == "-" else bytes.fromhex(tags)
    replies.discard(destination)
    addresses = socket.inet_aton(source), socket.inet_aton(destination)
    deadline = time.time() + 120
    while destination not in replies and time.time() < deadline:
        if what == "ping":
            wire.send(router + own + tags + b"\x08\x00" + echo(8, *addresses, struct.pack("!HH", 7, 1) + b"x" * 56))
        else:
            wire.send(b"\xff" * 6 + own + tags + b"\x08\x06" + arp(1, b"\0" * 6, *addresses))
        time.sleep(1)

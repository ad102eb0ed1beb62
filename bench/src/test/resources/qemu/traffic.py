"""UDP packets through a router, both ways at once, each compared with what a router must make of it.

usage: traffic.py NAMESPACE DEVICE ADDRESS ROUTER_MAC   NAMESPACE DEVICE ADDRESS ROUTER_MAC   FRAMES SHORTEST LONGEST SEED

The first four words are the left host, the next four the right one: its namespace's file, its device, its address, and the
MAC address of the router's port on its cable. FRAMES are sent each way: every length from SHORTEST to LONGEST bytes without
FCS once, in random order, then each again, with random TTL, TOS, identification, ports and payload, from random addresses
in 198.18.0.0/15. As many packets are on their way as fit a small ring, so that a correct router loses none however slow it
is. Headers and checksums are built here by hand; what arrives is compared byte by byte. Prints one line of JSON.
"""
import ctypes
import fcntl
import json
import os
import random
import select
import socket
import struct
import sys
import time

CLONE_NEWNET = 0x40000000
ETH_P_IP = 0x0800
SO_RCVBUFFORCE = 33
PACKET_IGNORE_OUTGOING = 23
SOL_PACKET = 263
SIOCGIFHWADDR = 0x8927
PORT = 4791
WINDOW = 48
LOST_AFTER = 10.0


def checksum(data):
    if len(data) & 1:
        data += b"\0"
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Side:
    def __init__(self, namespace, device, address, router):
        with open(namespace) as file:
            if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns " + namespace)
        self.address = socket.inet_aton(address)
        self.router = bytes.fromhex(router.replace(":", ""))
        # Keeps the kernel from answering that the port is closed.
        self.sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sink.bind(("", PORT))
        self.raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_IP))
        self.raw.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
        self.raw.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        self.raw.bind((device, ETH_P_IP))
        self.raw.setblocking(False)
        request = struct.pack("16s16x", device.encode())
        self.mac = fcntl.ioctl(self.sink, SIOCGIFHWADDR, request)[18:24]


def ipv4(ttl, tos, identification, source, destination, payload):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, tos, 20 + len(payload), identification, 0x4000 & (identification << 14),
                       ttl, 17, 0, source, destination)
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + payload


class Way:
    """The packets from one side to the other."""

    def __init__(self, number, sender, receiver, random_numbers):
        self.number, self.sender, self.receiver, self.random = number, sender, receiver, random_numbers
        self.sent = self.exact = self.wrong = self.duplicate = self.lost = 0
        self.expected = {}
        self.done = set()
        self.lengths = []
        self.example = None
        self.last = time.monotonic()

    def send(self, shortest, longest):
        if not self.lengths:
            self.lengths = list(range(shortest, longest + 1))
            self.random.shuffle(self.lengths)
        length = self.lengths[-1]
        # IPv4, UDP, and the number of the packet; Ethernet pads what is shorter than 60 bytes.
        udp = max(16, length - 34)
        source = struct.pack("!I", 0xC6120000 | self.random.getrandbits(17))
        body = struct.pack("!II", self.number, self.sent) + self.random.randbytes(udp - 16)
        head = struct.pack("!HHHH", self.random.randint(1024, 65535), PORT, udp, 0)
        pseudo = source + self.receiver.address + struct.pack("!HH", 17, udp)
        datagram = head[:6] + struct.pack("!H", checksum(pseudo + head + body) or 0xFFFF) + body
        ttl, tos, identification = self.random.randint(2, 255), self.random.getrandbits(8), self.random.getrandbits(16)
        packet = [ipv4(now, tos, identification, source, self.receiver.address, datagram) for now in (ttl, ttl - 1)]
        try:
            self.sender.raw.send(self.sender.router + self.sender.mac + b"\x08\0" + packet[0])
        except BlockingIOError:
            return
        self.expected[self.sent] = self.receiver.mac + self.receiver.router + b"\x08\0" + packet[1]
        self.sent += 1
        self.lengths.pop()
        self.last = time.monotonic()

    def take(self, frame):
        number = struct.unpack("!I", frame[46:50])[0]
        self.last = time.monotonic()
        if number in self.done:
            self.duplicate += 1
            return
        expected = self.expected.pop(number, None)
        self.done.add(number)
        if expected is not None and frame[:len(expected)] == expected and len(frame) <= max(60, len(expected)):
            self.exact += 1
        else:
            self.wrong += 1
            self.example = self.example or [expected and expected.hex(), frame.hex()]


def main():
    words = sys.argv[1:]
    left, right = Side(*words[0:4]), Side(*words[4:8])
    frames, shortest, longest, seed = (int(word) for word in words[8:12])
    numbers = random.Random(seed)
    ways = [Way(1, left, right, numbers), Way(2, right, left, numbers)]
    by_socket = {way.receiver.raw: way for way in ways}
    other = 0
    lengths_lost = []
    quiet_until = None
    while True:
        for way in ways:
            for _ in range(8):
                if way.sent < frames and len(way.expected) < WINDOW:
                    way.send(shortest, longest)
            if way.expected and time.monotonic() - way.last > LOST_AFTER:
                way.lost += len(way.expected)
                lengths_lost += [len(frame) for frame in way.expected.values()]
                way.expected.clear()
        if all(way.sent == frames and not way.expected for way in ways):
            # Duplicates may come late.
            quiet_until = quiet_until or time.monotonic() + 0.5
            if time.monotonic() > quiet_until:
                break
        # A lost window costs the time of LOST_AFTER: what has lost several does not get better.
        if any(way.lost > 3 * WINDOW for way in ways):
            break
        for ready in select.select(list(by_socket), [], [], 0.01)[0]:
            for _ in range(64):
                try:
                    frame = ready.recv(65535)
                except BlockingIOError:
                    break
                way = by_socket[ready]
                if frame[23] == 17 and frame[36:38] == struct.pack("!H", PORT) and \
                        frame[42:46] == struct.pack("!I", way.number):
                    way.take(frame)
                else:
                    other += 1
    print(json.dumps({
        "ways": [{name: getattr(way, name) for name in ("sent", "exact", "wrong", "duplicate", "lost", "example")}
                 for way in ways],
        "shortest-lost": min(lengths_lost, default=0), "other": other}))


main()

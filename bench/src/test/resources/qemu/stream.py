"""UDP packets of one length at a fixed rate, from the namespace in which it runs.

usage: stream.py DEVICE ADDRESS MAC LENGTH RATE SECONDS

ADDRESS is the destination, MAC the router's. LENGTH is in bytes without FCS, at least 60; RATE in packets a second;
with SECONDS 0 it sends until it is killed. The sources are 256 addresses of 198.18.0.0/15, so that RSS uses all queues.
A packet that the device does not take counts as offered and is not sent again. Prints one line of JSON.
"""
import fcntl
import json
import random
import socket
import struct
import sys
import time

SO_SNDBUFFORCE = 32
SIOCGIFHWADDR = 0x8927
PORT = 4791
BURST = 32


def checksum(head):
    total = sum(struct.unpack("!10H", head))
    total = (total & 0xFFFF) + (total >> 16)
    return ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def frame(mac, own, destination, length, numbers):
    source = struct.pack("!I", 0xC6120000 | numbers.getrandbits(17))
    udp = max(8, length - 34)
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + udp, 0, 0x4000, 64, 17, 0, source, destination)
    head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
    return mac + own + b"\x08\0" + head + struct.pack("!HHHH", numbers.randint(1024, 65535), PORT, udp, 0) + \
        bytes(udp - 8)


def main():
    device, address, mac = sys.argv[1:4]
    length, rate, seconds = int(sys.argv[4]), float(sys.argv[5]), float(sys.argv[6])
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    out.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 64 << 20)
    out.bind((device, 0))
    out.setblocking(False)
    own = fcntl.ioctl(out, SIOCGIFHWADDR, struct.pack("16s16x", device.encode()))[18:24]
    numbers = random.Random(1)
    frames = [frame(bytes.fromhex(mac.replace(":", "")), own, socket.inet_aton(address), length, numbers)
              for _ in range(256)]
    offered = accepted = 0
    start = time.monotonic()
    now = start
    while seconds == 0 or now < start + seconds:
        due = int((now - start) * rate)
        for _ in range(min(BURST, due - offered)):
            try:
                out.send(frames[offered & 255])
                accepted += 1
            except (BlockingIOError, OSError):
                pass
            offered += 1
        if due <= offered:
            time.sleep(min(0.001, 8 / rate))
        now = time.monotonic()
    print(json.dumps({"offered": offered, "accepted": accepted, "seconds": now - start}))


main()

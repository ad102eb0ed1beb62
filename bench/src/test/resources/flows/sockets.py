"""Sockets at one end of connections through a router.

usage: sockets.py

Prints "ready", then reads one command a line from standard input and answers each with one line, "failed: ..." if it
fails:

  serve tcp|udp PORT [ADDRESS]        echoes from now on what arrives at a port of one or all addresses
  ends                       -> number of TCP connections that the server has seen end, then of those that were reset
  open tcp|udp ADDRESS PORT COUNT     connects so many sockets
  exchange SIZE              sends bytes by each socket and receives their echo
  close | reset              ends every connection by FIN and waits for the other side's, or ends it by RST
  short ADDRESS PORT COUNT   opens so many TCP connections in turn, each with one exchange and its end
  bind PORT                  a socket of UDP that counts what it receives
  to ADDRESS PORT | back     sends 1,000 numbered datagrams a second from it, to an address or to the last sender
  stop                       sends nothing any more
  counts                     -> number of datagrams sent, then of those received
"""
import socket
import struct
import sys
import threading
import time

PATIENCE = 120


class Server:
    """Echoes, and counts how connections end."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ended = 0
        self.were_reset = 0

    def serve(self, kind, port, address):
        bound = socket.socket(socket.AF_INET6, socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)
        bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address, port))
        if kind == "tcp":
            bound.listen(1024)
        threading.Thread(target=self.accept if kind == "tcp" else self.echo, args=(bound,), daemon=True).start()

    def accept(self, bound):
        while True:
            connection = bound.accept()[0]
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        try:
            while True:
                data = connection.recv(65536)
                if not data:
                    break
                connection.sendall(data)
            with self.lock:
                self.ended += 1
            connection.close()
        except ConnectionResetError:
            with self.lock:
                self.were_reset += 1

    @staticmethod
    def echo(bound):
        while True:
            data, sender = bound.recvfrom(65536)
            bound.sendto(data, sender)


class Stream:
    """Datagrams at a steady rate."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self.socket.bind(("::", port))
        self.destination = None
        self.sender = None
        self.sent = 0
        self.received = 0
        for task in (self.send, self.receive):
            threading.Thread(target=task, daemon=True).start()

    def send(self):
        while True:
            destination = self.destination
            if destination:
                try:
                    self.socket.sendto(b"%08d" % self.sent, destination)
                    self.sent += 1
                except OSError:
                    pass
            time.sleep(0.001)

    def receive(self):
        while True:
            try:
                self.sender = self.socket.recvfrom(2048)[1]
                self.received += 1
            except OSError:
                pass


class Sockets:
    """Answers commands; each is a method of the same name."""

    def __init__(self):
        self.server = Server()
        self.opened = []
        self.stream = None

    def serve(self, kind, port, address="::"):
        self.server.serve(kind, int(port), address)

    def ends(self):
        return "%d %d" % (self.server.ended, self.server.were_reset)

    def open(self, kind, address, port, count):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        for _ in range(int(count)):
            opened = socket.socket(family, socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)
            opened.settimeout(PATIENCE)
            opened.connect((address, int(port)))
            self.opened.append(opened)

    def exchange(self, size):
        data = b"f" * int(size)
        for opened in self.opened:
            opened.sendall(data)
        for opened in self.opened:
            received = 0
            while received < len(data):
                part = len(opened.recv(65536))
                if not part:
                    raise ConnectionError("ended after %d bytes" % received)
                received += part

    def close(self):
        for opened in self.opened:
            opened.shutdown(socket.SHUT_WR)
            if opened.recv(1):
                raise ConnectionError("data at the end")
            opened.close()
        self.opened = []

    def reset(self):
        for opened in self.opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            opened.close()
        self.opened = []

    def short(self, address, port, count):
        others, self.opened = self.opened, []
        for _ in range(int(count)):
            self.open("tcp", address, port, 1)
            self.exchange(10)
            self.close()
        self.opened = others

    def bind(self, port):
        self.stream = Stream(int(port))

    def to(self, address, port):
        self.stream.destination = (address if ":" in address else "::ffff:" + address, int(port))

    def back(self):
        self.stream.destination = self.stream.sender

    def stop(self):
        self.stream.destination = None

    def counts(self):
        return "%d %d" % (self.stream.sent, self.stream.received)


def main():
    sockets = Sockets()
    print("ready", flush=True)
    for line in sys.stdin:
        command, *arguments = line.split()
        try:
            answer = getattr(sockets, command)(*arguments) or "done"
        except Exception as error:  # pylint: disable=broad-except
            answer = "failed: %s: %s in %s" % (type(error).__name__, error, line.strip())
        print(answer, flush=True)


main()

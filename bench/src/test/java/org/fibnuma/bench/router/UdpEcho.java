package org.fibnuma.bench.router;

import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

/** A UDP connection between the hosts of a {@link RouterLifeLab}: twenty requests a second from left, and answers. */
final class UdpEcho implements AutoCloseable
{
    private static final String SERVER = "import socket\n" +
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.bind(('10.0.1.2', 7))\n" +
        "while True:\n d, a = s.recvfrom(2048)\n s.sendto(d, a)\n";
    /** Packets of 84 bytes. */
    private static final String CLIENT = "import socket, time\n" +
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.settimeout(1)\n" +
        "while True:\n s.sendto(bytes(56), ('10.0.1.2', 7))\n time.sleep(0.05)\n" +
        " try: s.recv(2048)\n except TimeoutError: pass\n";

    private final ChildProcess server;
    private final ChildProcess client;

    UdpEcho(final Host left, final Host right)
    {
        server = right.start("python3", "-c", SERVER);
        client = left.start("python3", "-c", CLIENT);
    }

    /** Returns whether both ends still run. */
    boolean isAlive()
    {
        return server.isAlive() && client.isAlive();
    }

    @Override
    public void close()
    {
        client.close();
        server.close();
    }
}

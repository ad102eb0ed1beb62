package org.fibnuma.bench.memif;

import org.fibnuma.bench.lab.Host;
import org.fibnuma.bench.lab.LabException;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.routes.RouteList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Where it all happens.
 *
 * @param host          that programs run in.
 * @param directory     for the socket by which two ends find each other.
 * @param tableFile     the routes as a file.
 * @param routes        with a next hop each.
 * @param nextHops      of the routes.
 * @param core          that forwards.
 * @param generatorCore that generates and receives.
 */
public record MemifRig(
    Host host, Path directory, Path tableFile, RouteList routes, Set<Integer> nextHops, int core, int generatorCore)
{
    /** What flowgen writes as destination, app/test-pmd/flowgen.c of DPDK 22.11. */
    static final long ROUTER_MAC = MacAddress.parse("00:01:02:03:04:01");
    static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    /** Name of the socket in the directory, which the last server leaves behind. */
    public static final String SOCKET = "memif.sock";

    private static final int PORTS = 2;

    /** One end of a link; the client makes the memory and has to come second. */
    String device(final int link, final boolean isServer)
    {
        return device(link, link, isServer);
    }

    /** As above, with a number of its own for the device where one process has both ends. */
    String device(final int link, final int number, final boolean isServer)
    {
        return "net_memif" + number + ",role=" + (isServer ? "server" : "client") + ",id=" + link + ",socket=" +
            directory.resolve(SOCKET) + ",socket-abstract=no,rsize=11";
    }

    /** Takes away what a server left behind, which keeps the next one from starting. */
    void removeSocket()
    {
        try
        {
            Files.deleteIfExists(directory.resolve(SOCKET));
        }
        catch (final IOException ex)
        {
            throw new LabException("cannot remove " + directory.resolve(SOCKET), ex);
        }
    }

    /** The number of a client's device in a process that has all servers. */
    static int clientNumber(final int link)
    {
        return PORTS + link;
    }
}

package org.fibnuma.bench.memif;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.routes.RouteList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Environment of the measurements.
 *
 * @param host          that programs run in.
 * @param directory     for the socket through which the ends of a link connect.
 * @param tableFile     file with the routes.
 * @param routes        with a next hop each.
 * @param nextHops      of the routes.
 * @param core          of the forwarder.
 * @param generatorCore of the generator.
 */
public record MemifRig(
    Host host, Path directory, Path tableFile, RouteList routes, Set<Integer> nextHops, int core, int generatorCore)
{
    /** Destination MAC address of flowgen's frames, app/test-pmd/flowgen.c of DPDK 22.11. */
    static final long ROUTER_MAC = MacAddress.parse("00:01:02:03:04:01");
    static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    /** Name of the socket in the directory, which the last server does not remove. */
    private static final String SOCKET = "memif.sock";

    private static final int PORTS = 2;

    /** Returns the device of one end of a link; the client creates the memory and must start second. */
    String device(final int link, final boolean isServer)
    {
        return device(link, link, isServer);
    }

    /** Returns the device of one end of a link, with a device number of its own for a process that has both ends. */
    String device(final int link, final int number, final boolean isServer)
    {
        return "net_memif" + number + ",role=" + (isServer ? "server" : "client") + ",id=" + link + ",socket=" +
            directory.resolve(SOCKET) + ",socket-abstract=no,rsize=11";
    }

    /** Removes the socket of an earlier server, with which the next one could not start. */
    void removeSocket()
    {
        try
        {
            Files.deleteIfExists(directory.resolve(SOCKET));
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + directory.resolve(SOCKET), ex);
        }
    }

    /** Returns the number of a client's device in a process that has all servers. */
    static int clientNumber(final int link)
    {
        return PORTS + link;
    }
}

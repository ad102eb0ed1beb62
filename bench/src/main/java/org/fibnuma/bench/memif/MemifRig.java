package org.fibnuma.bench.memif;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Environment of the measurements.
 *
 * @param host          that programs run in.
 * @param directory     for the socket through which the ends of a link connect.
 * @param tableFile     file with the routes, each with a next hop.
 * @param nextHops      of the routes, of both families.
 * @param core          of the forwarder.
 * @param generatorCore of the generator.
 */
public record MemifRig(
    Host host, Path directory, Path tableFile, Set<IpAddress> nextHops, int core, int generatorCore)
{
    /** Destination MAC address of flowgen's frames, app/test-pmd/flowgen.c of DPDK 22.11. */
    public static final long ROUTER_MAC = MacAddress.parse("00:01:02:03:04:01");
    /** MAC address of all next hops. */
    public static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    /** Name of the socket in the directory, which the last server does not remove. */
    private static final String SOCKET = "memif.sock";

    /** Returns the device of one end of a link; the client creates the memory and must start second. */
    public String device(final int link, final boolean isServer)
    {
        return "net_memif" + link + ",role=" + (isServer ? "server" : "client") + ",id=" + link + ",socket=" +
            directory.resolve(SOCKET) + ",socket-abstract=no,rsize=11";
    }

    boolean hasIpv6()
    {
        return nextHops.stream().anyMatch(nextHop -> !nextHop.isIpv4());
    }

    /** Removes the socket of an earlier server, with which the next one could not start. */
    public void removeSocket()
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
}

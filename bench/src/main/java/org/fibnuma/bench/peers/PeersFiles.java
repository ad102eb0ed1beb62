package org.fibnuma.bench.peers;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Configurations of the measured endpoint and of its active peer, at both ends of one {@code shm:} link. */
final class PeersFiles
{
    /** PC ID of the active peer at the measured endpoint; idle peers have the next ones. */
    static final int ACTIVE = 1;
    /** Address of the number that the measured endpoint reads from its active peer. */
    static final long NUMBER = RemoteAddress.of(1, 0);
    /** Key of the region of the number. */
    static final long KEY = Region.NO_KEY;
    /** The idle peers' addresses end before 10.10.0.0. */
    static final int MAX_IDLE = 60_000;

    private static final String NETWORK = "/16";
    private static final String MEASURED_ADDRESS = "10.9.0.1";
    private static final String ACTIVE_ADDRESS = "10.9.0.2";
    private static final int FIRST_IDLE = Ipv4Address.parse("10.9.1.0");

    private PeersFiles()
    {
    }

    /** Writes the configuration of the active peer, which has one peer and a region, and returns the file. */
    static Path writeActive(final Path directory, final String name, final int core) throws IOException
    {
        return Files.writeString(directory.resolve("active.toml"),
            endpoint(name + "-active", "shm:" + name + "@far", ACTIVE_ADDRESS, core) + peer(1, MEASURED_ADDRESS) + """
            [[region]]
            name = "number"
            id = 1
            size-kib = 4
            access = "read"
            key = "none"
            """);
    }

    /** Writes the configuration of the measured endpoint and returns the file. */
    static Path writeMeasured(final Path directory, final String name, final int idlePeers) throws IOException
    {
        final StringBuilder text = new StringBuilder(endpoint(name, "shm:" + name, MEASURED_ADDRESS, -1))
            .append(peer(ACTIVE, ACTIVE_ADDRESS));
        for (int i = 0; i < idlePeers; i++)
        {
            // Its hellos need no ARP, and the active peer drops them.
            text.append(peer(ACTIVE + 1 + i, Ipv4Address.format(FIRST_IDLE + i)))
                .append("mac = \"02:00:00:00:00:02\"\n");
        }
        return Files.writeString(directory.resolve("measured.toml"), text);
    }

    private static String endpoint(final String name, final String device, final String address, final int core)
    {
        return """
            [endpoint]
            name = "%s"
            device = "%s"
            address = "%s%s"
            idle = "yield"
            core = %d
            """.formatted(name, device, address, NETWORK, core);
    }

    private static String peer(final int id, final String address)
    {
        return """
            [[peer]]
            id = %d
            address = "%s"
            """.formatted(id, address);
    }
}

package org.fibnuma.ipnuma.config;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.table.PageMap;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the tables {@code [[peer]]}. */
final class PeerReader
{
    private static final String PEER = "peer";
    private static final String ID = "id";
    private static final String FORMAT = "format";
    private static final String SEAL_KEY = "seal-key";
    private static final String SEAL_KEY_FILE = "seal-key-file";

    private static final int MULTICAST_FIRST_OCTET = 224;

    private final TomlSection root;
    private final NetworkConfig network;
    private final List<PeerConfig> peers = new ArrayList<>();

    PeerReader(final TomlSection root, final NetworkConfig network)
    {
        this.root = root;
        this.network = network;
    }

    List<PeerConfig> read()
    {
        for (final TomlSection section : root.tables(PEER))
        {
            read(section);
            section.refuseUnknownKeys();
        }
        if (!root.has(PEER))
        {
            root.missing(PEER, "give the other endpoints, each as a table [[peer]] with id and address");
        }
        return peers;
    }

    private void read(final TomlSection section)
    {
        if (!section.has(ID))
        {
            section.missing(ID, "give its PC ID, 1 to " + PageMap.MAX_PC_ID);
        }
        if (!section.has(EndpointConfigReader.ADDRESS))
        {
            section.missing(EndpointConfigReader.ADDRESS, "give the peer's IPv4 address");
        }
        final int id = section.integer(ID, 1, PageMap.MAX_PC_ID, 0);
        final int ipv4 = section.parsed(EndpointConfigReader.ADDRESS, PeerReader::unicast, 0);
        final WireFormat format = section.parsed(FORMAT, WireFormat::of, WireFormat.FIBNUMA);
        final long mac = section.parsed("mac", EndpointConfigReader::station, 0L);
        check(section, id, ipv4);
        peers.add(new PeerConfig(
            id, ipv4, format, mac, section.parsed(ServiceReader.NAMES, ServiceReader::hostAndPort, null),
            seal(section, format)));
    }

    private static SealKey seal(final TomlSection section, final WireFormat format)
    {
        if (section.has(SEAL_KEY) && section.has(SEAL_KEY_FILE))
        {
            section.wrong(SEAL_KEY, "is in " + SEAL_KEY_FILE + " too; give one of them");
        }
        final SealKey inFile = section.parsed(SEAL_KEY_FILE, PeerReader::keyFile, null);
        final SealKey key = section.parsed(SEAL_KEY, SealKey::parse, inFile);
        if (key != null && format != WireFormat.FIBNUMA)
        {
            section.wrong(section.has(SEAL_KEY) ? SEAL_KEY : SEAL_KEY_FILE,
                "only datagrams of format = \"fibnuma\" can be sealed");
        }
        return key;
    }

    private static SealKey keyFile(final String file)
    {
        try
        {
            return SealKey.parse(Files.readString(Path.of(file), StandardCharsets.US_ASCII));
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("cannot read " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    private void check(final TomlSection section, final int id, final int ipv4)
    {
        if (id != 0 && peers.stream().anyMatch(peer -> peer.id() == id))
        {
            section.wrong(ID, id + " is another peer's; give each its own");
        }
        if (ipv4 == 0)
        {
            return;
        }
        if (peers.stream().anyMatch(peer -> peer.ipv4() == ipv4))
        {
            section.wrong(EndpointConfigReader.ADDRESS, Ipv4Address.format(ipv4) + " is another peer's");
        }
        if (ipv4 == network.ipv4())
        {
            section.wrong(EndpointConfigReader.ADDRESS, Ipv4Address.format(ipv4) + " is the endpoint's own");
        }
        else if (network.ipv4() != 0 && network.nextHop(ipv4) == 0)
        {
            section.wrong(EndpointConfigReader.ADDRESS, Ipv4Address.format(ipv4) + " is on another segment than " +
                Ipv4Address.format(network.ipv4()) + "/" + network.prefixLength() +
                "; give gateway in [endpoint], or another address");
        }
    }

    private static int unicast(final String text)
    {
        final int ipv4 = Ipv4Address.parse(text);
        requireUnicast(ipv4);
        return ipv4;
    }

    /** Refuses addresses that no station has. */
    static void requireUnicast(final int ipv4)
    {
        final int first = ipv4 >>> 24;
        if (first == 0 || first >= MULTICAST_FIRST_OCTET)
        {
            throw new IllegalArgumentException(Ipv4Address.format(ipv4) + " is not the address of one station");
        }
    }
}

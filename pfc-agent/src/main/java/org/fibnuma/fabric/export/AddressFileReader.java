package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TextFile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a site's addresses from lines {@code server NAME PREFIX} and {@code port SWITCH INTERFACE ADDRESS}, each of
 * either family. A server may have several prefixes, a port one address of each family. {@code #} begins a remark.
 */
public final class AddressFileReader
{
    /** The lines of 100,000 servers and their ports have less than 32 MiB. */
    private static final long MAX_BYTES = 32L << 20;

    private final Fabric fabric;
    private final List<List<IpPrefix>> prefixes = new ArrayList<>();
    private final Map<IpPrefix, String> owners = new HashMap<>();
    private final IpAddress[][] ports;
    private final Map<String, Integer> servers = new HashMap<>();
    private final Map<String, Integer> switches = new HashMap<>();

    private AddressFileReader(final Fabric fabric)
    {
        this.fabric = fabric;
        this.ports = new IpAddress[fabric.channelCount()][2];
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            prefixes.add(new ArrayList<>());
            servers.put(fabric.serverName(server), server);
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            switches.put(fabric.switchName(node), node);
        }
    }

    /**
     * Reads a file of at most 32 MiB.
     *
     * @return the addresses; every server has a prefix.
     * @throws UserException with one line, if the file cannot be read or has a fault.
     */
    public static Addressing read(final Fabric fabric, final Path file)
    {
        final AddressFileReader reader = new AddressFileReader(fabric);
        final String text =
            TextFile.read(file, MAX_BYTES, "a list of addresses", "lines such as server H0 192.0.2.0/24");
        TextFile.forEachLine(file.toString(), text, reader::readLine);
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            if (reader.prefixes.get(server).isEmpty())
            {
                throw UserException.usage(file + ": server \"" + fabric.serverName(server) +
                    "\" has no prefix; add a line server " + fabric.serverName(server) + " PREFIX");
            }
        }
        return reader.addressing();
    }

    private void readLine(final String place, final String line)
    {
        final String[] words = line.split("\\s+");
        try
        {
            if (words[0].equals("server") && words.length == 3)
            {
                addPrefix(words[1], IpPrefix.parse(words[2]));
                return;
            }
            if (words[0].equals("port") && words.length == 4)
            {
                addAddress(words[1], words[2], IpAddress.parse(words[3]));
                return;
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw UserException.usage(place + ": " + ex.getMessage());
        }
        throw UserException.usage(place + ": is neither server NAME PREFIX nor port SWITCH INTERFACE ADDRESS");
    }

    private void addPrefix(final String name, final IpPrefix prefix)
    {
        final Integer server = servers.get(name);
        require(server != null, "unknown server \"" + name + "\"; is this its topology?");
        final String other = owners.putIfAbsent(prefix, name);
        require(other == null, "prefix " + prefix + " is that of server \"" + other + "\" too; remove one");
        prefixes.get(server).add(prefix);
    }

    private void addAddress(final String name, final String port, final IpAddress address)
    {
        final Integer node = switches.get(name);
        require(node != null, "unknown switch \"" + name + "\"; is this its topology?");
        final int channel = fabric.channelAt(node, port);
        require(channel >= 0, "switch \"" + name + "\" has no cable to another switch at " + port);
        final int family = address.isIpv4() ? 0 : 1;
        require(ports[channel][family] == null, "port " + port + " of switch \"" + name +
            "\" has two addresses of a family; remove one");
        ports[channel][family] = address;
    }

    private static void require(final boolean holds, final String problem)
    {
        if (!holds)
        {
            throw new IllegalArgumentException(problem);
        }
    }

    private Addressing addressing()
    {
        return new Addressing()
        {
            @Override
            public List<IpPrefix> prefixes(final int server)
            {
                return prefixes.get(server);
            }

            @Override
            public IpAddress port(final int channel, final boolean isIpv6)
            {
                return ports[channel][isIpv6 ? 1 : 0];
            }
        };
    }
}

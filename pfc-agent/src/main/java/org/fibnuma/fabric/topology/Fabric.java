package org.fibnuma.fabric.topology;

import java.util.Arrays;
import java.util.List;

/**
 * An immutable network of switches, cables and servers.
 * <p>
 * A cable is two <em>channels</em>, one for each direction. The channels that leave a switch have consecutive numbers,
 * so a channel is the first channel of its switch plus a local port. The servers of a switch have consecutive numbers
 * too. Two switches may have several cables between them.
 * <p>
 * Switches, channels and servers are numbered from 0. Parameters {@code node}, {@code channel} and {@code server} are
 * such numbers.
 */
public final class Fabric
{
    /** The GUID of a device without one. */
    public static final long NO_GUID = 0;

    private final List<String> leftOut;
    private final String[] switchNames;
    private final long[] switchGuids;
    private final int[] levels;
    private final int[] firstChannel;
    private final int[] source;
    private final int[] target;
    private final int[] reverse;
    private final String[] portNames;
    private final int[] portNumbers;
    private final int[] firstServer;
    private final int[] serverSwitch;
    private final int[] serverPort;
    private final String[] serverNames;
    private final long[] serverGuids;

    Fabric(
        final List<FabricBuilder.Switch> switches,
        final List<FabricBuilder.Cable> cables,
        final List<String> leftOut)
    {
        this.leftOut = List.copyOf(leftOut);
        this.switchNames = switches.stream().map(node -> node.name).toArray(String[]::new);
        this.switchGuids = switches.stream().mapToLong(node -> node.guid).toArray();
        this.levels = switches.stream().anyMatch(node -> node.level == -1) ? null :
            switches.stream().mapToInt(node -> node.level).toArray();
        this.firstChannel = new int[switchNames.length + 1];
        this.source = new int[2 * cables.size()];
        this.target = new int[source.length];
        this.reverse = new int[source.length];
        this.portNumbers = new int[source.length];
        this.portNames = new String[source.length];
        connect(cables);
        final int servers = switches.stream().mapToInt(node -> node.servers.size()).sum();
        this.firstServer = new int[switchNames.length + 1];
        this.serverSwitch = new int[servers];
        this.serverPort = new int[servers];
        this.serverNames = new String[servers];
        this.serverGuids = new long[servers];
        attach(switches);
    }

    private void connect(final List<FabricBuilder.Cable> cables)
    {
        final int[] degree = new int[switchNames.length];
        for (final FabricBuilder.Cable cable : cables)
        {
            degree[cable.a()]++;
            degree[cable.b()]++;
        }
        for (int node = 0; node < degree.length; node++)
        {
            firstChannel[node + 1] = firstChannel[node] + degree[node];
        }
        final int[] next = firstChannel.clone();
        for (final FabricBuilder.Cable cable : cables)
        {
            final int there = next[cable.a()]++;
            final int back = next[cable.b()]++;
            setChannel(there, cable.a(), back, cable.portA(), cable.portNameA());
            setChannel(back, cable.b(), there, cable.portB(), cable.portNameB());
            target[there] = cable.b();
            target[back] = cable.a();
        }
    }

    private void setChannel(
        final int channel, final int from, final int back, final int portNumber, final String portName)
    {
        source[channel] = from;
        reverse[channel] = back;
        portNumbers[channel] = portNumber;
        portNames[channel] = portName;
    }

    private void attach(final List<FabricBuilder.Switch> switches)
    {
        int next = 0;
        for (int node = 0; node < switchNames.length; node++)
        {
            firstServer[node] = next;
            for (final FabricBuilder.Server server : switches.get(node).servers)
            {
                serverSwitch[next] = node;
                serverPort[next] = server.port();
                serverNames[next] = server.name();
                serverGuids[next] = server.guid();
                next++;
            }
        }
        firstServer[switchNames.length] = next;
    }

    /**
     * {@return a line with place and reason for each part that was left out, such as a cable from a switch to itself}
     */
    public List<String> leftOut()
    {
        return leftOut;
    }

    /** {@return the number of switches, 1 or more} */
    public int switchCount()
    {
        return switchNames.length;
    }

    /** {@return the number of channels, two for each cable between switches} */
    public int channelCount()
    {
        return source.length;
    }

    /** {@return the number of servers, 0 or more} */
    public int serverCount()
    {
        return serverSwitch.length;
    }

    /** {@return the name of a switch, unique in the fabric} */
    public String switchName(final int node)
    {
        return switchNames[node];
    }

    /** {@return the switch of a name, or -1 if there is none} */
    public int switchNamed(final String name)
    {
        for (int node = 0; node < switchNames.length; node++)
        {
            if (switchNames[node].equals(name))
            {
                return node;
            }
        }
        return -1;
    }

    /** {@return the InfiniBand GUID of a switch, or {@link #NO_GUID}} */
    public long switchGuid(final int node)
    {
        return switchGuids[node];
    }

    /** {@return the level of a switch in a network of levels, 0 with servers; -1 in a network without levels} */
    public int level(final int node)
    {
        return levels == null ? -1 : levels[node];
    }

    /** {@return the channel that leaves a switch through an interface, or -1} */
    public int channelAt(final int node, final String portName)
    {
        for (int channel = firstChannel[node]; channel < firstChannel[node + 1]; channel++)
        {
            if (portName(channel).equals(portName))
            {
                return channel;
            }
        }
        return -1;
    }

    /** {@return the hops of each switch from a root, without regard to turns} */
    public int[] distancesFrom(final int root)
    {
        final int[] distance = new int[switchNames.length];
        final int[] queue = new int[switchNames.length];
        Arrays.fill(distance, -1);
        distance[root] = 0;
        queue[0] = root;
        int tail = 1;
        for (int head = 0; head < tail; head++)
        {
            for (int channel = firstChannel[queue[head]]; channel < firstChannel[queue[head] + 1]; channel++)
            {
                final int neighbor = target[channel];
                if (distance[neighbor] < 0)
                {
                    distance[neighbor] = distance[queue[head]] + 1;
                    queue[tail++] = neighbor;
                }
            }
        }
        return distance;
    }

    /** {@return the number of switches with servers} */
    public int switchesWithServers()
    {
        return (int)Arrays.stream(serverSwitch).distinct().count();
    }

    /** {@return the number of cables from a switch to other switches} */
    public int degree(final int node)
    {
        return firstChannel[node + 1] - firstChannel[node];
    }

    /**
     * {@return the first of the channels that leave a switch} For {@code node = switchCount()} it is channelCount().
     */
    public int firstChannel(final int node)
    {
        return firstChannel[node];
    }

    /** {@return the switch that a channel leaves} */
    public int source(final int channel)
    {
        return source[channel];
    }

    /** {@return the switch that a channel leads to} */
    public int target(final int channel)
    {
        return target[channel];
    }

    /** {@return the channel of the same cable in the other direction} */
    public int reverse(final int channel)
    {
        return reverse[channel];
    }

    /** {@return the number, from 1, of the port through which a channel leaves its switch} */
    public int portNumber(final int channel)
    {
        return portNumbers[channel];
    }

    /** {@return the interface name of the port through which a channel leaves; "p" and the port number by default} */
    public String portName(final int channel)
    {
        return portNames[channel] == null ? "p" + portNumbers[channel] : portNames[channel];
    }

    /** {@return the first server of a switch} For {@code node = switchCount()} it is serverCount(). */
    public int firstServer(final int node)
    {
        return firstServer[node];
    }

    /** {@return the number of servers of a switch} */
    public int serversAt(final int node)
    {
        return firstServer[node + 1] - firstServer[node];
    }

    /** {@return the switch of a server} */
    public int serverSwitch(final int server)
    {
        return serverSwitch[server];
    }

    /** {@return the number, from 1, of the switch port to which a server is connected} */
    public int serverPort(final int server)
    {
        return serverPort[server];
    }

    /** {@return the name of a server} */
    public String serverName(final int server)
    {
        return serverNames[server];
    }

    /** {@return the InfiniBand GUID of a server's port, or {@link #NO_GUID}} */
    public long serverGuid(final int server)
    {
        return serverGuids[server];
    }

    /** {@return a channel as {@code source port number -> target}} */
    public String describe(final int channel)
    {
        return switchNames[source[channel]] + " port " + portNumbers[channel] + " -> " + switchNames[target[channel]];
    }
}

package org.fibnuma.fabric.topology;

/**
 * Switches, cables and servers, immutable.
 * <p>
 * A cable is two <em>channels</em>, one for each direction. The channels that leave a switch have consecutive numbers,
 * so that a channel is its switch's first channel plus a local port. Switches, channels and servers are numbered from
 * 0; servers of one switch have consecutive numbers too. A switch may have several cables to the same neighbour.
 */
public final class Fabric
{
    /** The GUID of a device that has none. */
    public static final long NO_GUID = 0;

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

    Fabric(final FabricBuilder builder)
    {
        final int switches = builder.switchCount();
        this.switchNames = builder.switchNames();
        this.switchGuids = builder.switchGuids();
        this.levels = builder.levels();
        this.firstChannel = new int[switches + 1];
        this.source = new int[2 * builder.cableCount()];
        this.target = new int[source.length];
        this.reverse = new int[source.length];
        this.portNumbers = new int[source.length];
        this.portNames = new String[source.length];
        connect(builder);
        this.firstServer = new int[switches + 1];
        final int servers = builder.serverCount();
        this.serverSwitch = new int[servers];
        this.serverPort = new int[servers];
        this.serverNames = new String[servers];
        this.serverGuids = new long[servers];
        attach(builder);
    }

    private void connect(final FabricBuilder builder)
    {
        final int[] degree = new int[switchNames.length];
        for (int cable = 0; cable < builder.cableCount(); cable++)
        {
            degree[builder.cableEnd(cable, 0)]++;
            degree[builder.cableEnd(cable, 1)]++;
        }
        for (int node = 0; node < degree.length; node++)
        {
            firstChannel[node + 1] = firstChannel[node] + degree[node];
        }
        final int[] used = new int[switchNames.length];
        for (int cable = 0; cable < builder.cableCount(); cable++)
        {
            final int a = builder.cableEnd(cable, 0);
            final int b = builder.cableEnd(cable, 1);
            final int there = firstChannel[a] + used[a]++;
            final int back = firstChannel[b] + used[b]++;
            source[there] = a;
            target[there] = b;
            reverse[there] = back;
            source[back] = b;
            target[back] = a;
            reverse[back] = there;
            portNumbers[there] = builder.cablePort(cable, 0);
            portNumbers[back] = builder.cablePort(cable, 1);
            portNames[there] = builder.cablePortName(cable, 0);
            portNames[back] = builder.cablePortName(cable, 1);
        }
    }

    private void attach(final FabricBuilder builder)
    {
        int next = 0;
        for (int node = 0; node < switchNames.length; node++)
        {
            firstServer[node] = next;
            for (final FabricBuilder.Server server : builder.serversOf(node))
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
     * How many switches there are.
     *
     * @return at least 1.
     */
    public int switchCount()
    {
        return switchNames.length;
    }

    /**
     * How many channels there are, two for each cable between switches.
     *
     * @return an even number.
     */
    public int channelCount()
    {
        return source.length;
    }

    /**
     * How many servers there are.
     *
     * @return 0 or more.
     */
    public int serverCount()
    {
        return serverSwitch.length;
    }

    /**
     * What a switch is called.
     *
     * @param node a switch.
     * @return its name, unique in the fabric.
     */
    public String switchName(final int node)
    {
        return switchNames[node];
    }

    /**
     * Finds a switch.
     *
     * @param name of a switch.
     * @return its number, or -1 where no switch is called so.
     */
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

    /**
     * The InfiniBand identity of a switch.
     *
     * @param node a switch.
     * @return its GUID or {@link #NO_GUID}.
     */
    public long switchGuid(final int node)
    {
        return switchGuids[node];
    }

    /**
     * How far a switch is above the servers, in networks that were built in levels.
     *
     * @param node a switch.
     * @return 0 at the bottom; -1 in a network without levels.
     */
    public int level(final int node)
    {
        return levels == null ? -1 : levels[node];
    }

    /**
     * How many cables to other switches a switch has.
     *
     * @param node a switch.
     * @return 0 or more.
     */
    public int degree(final int node)
    {
        return firstChannel[node + 1] - firstChannel[node];
    }

    /**
     * The first of the channels that leave a switch; the others follow.
     *
     * @param node a switch, or the number of switches for the end of the last one's.
     * @return a channel, or the number of channels.
     */
    public int firstChannel(final int node)
    {
        return firstChannel[node];
    }

    /**
     * The switch that a channel leaves.
     *
     * @param channel a channel.
     * @return a switch.
     */
    public int source(final int channel)
    {
        return source[channel];
    }

    /**
     * The switch that a channel leads to.
     *
     * @param channel a channel.
     * @return a switch.
     */
    public int target(final int channel)
    {
        return target[channel];
    }

    /**
     * The same cable in the other direction.
     *
     * @param channel a channel.
     * @return another channel.
     */
    public int reverse(final int channel)
    {
        return reverse[channel];
    }

    /**
     * The port through which a channel leaves its switch.
     *
     * @param channel a channel.
     * @return the number that the switch gives it, from 1.
     */
    public int portNumber(final int channel)
    {
        return portNumbers[channel];
    }

    /**
     * What the port through which a channel leaves is called on its switch.
     *
     * @param channel a channel.
     * @return an interface name, {@code p} and the port number where the topology gives none.
     */
    public String portName(final int channel)
    {
        return portNames[channel] == null ? "p" + portNumbers[channel] : portNames[channel];
    }

    /**
     * The first server of a switch; the others follow.
     *
     * @param node a switch, or the number of switches for the end of the last one's.
     * @return a server, or the number of servers.
     */
    public int firstServer(final int node)
    {
        return firstServer[node];
    }

    /**
     * How many servers a switch has.
     *
     * @param node a switch.
     * @return 0 or more.
     */
    public int serversAt(final int node)
    {
        return firstServer[node + 1] - firstServer[node];
    }

    /**
     * The switch of a server.
     *
     * @param server a server.
     * @return a switch.
     */
    public int serverSwitch(final int server)
    {
        return serverSwitch[server];
    }

    /**
     * The port of its switch at which a server is.
     *
     * @param server a server.
     * @return the number that the switch gives it, from 1.
     */
    public int serverPort(final int server)
    {
        return serverPort[server];
    }

    /**
     * What a server is called.
     *
     * @param server a server.
     * @return its name.
     */
    public String serverName(final int server)
    {
        return serverNames[server];
    }

    /**
     * The InfiniBand identity of a server's port.
     *
     * @param server a server.
     * @return its GUID or {@link #NO_GUID}.
     */
    public long serverGuid(final int server)
    {
        return serverGuids[server];
    }

    /**
     * A channel in words.
     *
     * @param channel a channel.
     * @return {@code source port number -> target}.
     */
    public String describe(final int channel)
    {
        return switchNames[source[channel]] + " port " + portNumbers[channel] + " -> " + switchNames[target[channel]];
    }
}

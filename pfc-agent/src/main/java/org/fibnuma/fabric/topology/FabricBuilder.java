package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects switches, cables and servers and builds a {@link Fabric}. A fault is a {@link UserException} that starts
 * with the place of the last {@link #at(String)}. Parameters {@code a}, {@code b} and {@code node} are switches,
 * {@code port} is a port of a switch, from 1.
 */
public final class FabricBuilder
{
    private final String name;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Switch> switches = new ArrayList<>();
    private final List<Cable> cables = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private String place;

    /** A switch. Its place is where it was read, or where its first cable was read. */
    static final class Switch
    {
        final String name;
        final long guid;
        final int level;
        final List<Server> servers = new ArrayList<>();
        private final Map<Integer, String> peerOfPort = new HashMap<>();
        private String place;
        private int firstFree = 1;

        Switch(final String name, final long guid, final int level, final String place)
        {
            this.name = name;
            this.guid = guid;
            this.level = level;
            this.place = place;
        }

        private int nextPort()
        {
            while (peerOfPort.containsKey(firstFree))
            {
                firstFree++;
            }
            return firstFree;
        }
    }

    record Server(String name, int port, long guid)
    {
    }

    /** A cable between two switches; port names may be null. */
    record Cable(int a, int portA, String portNameA, int b, int portB, String portNameB)
    {
    }

    /** Creates a builder; the name, usually that of a file, starts the messages of faults of the whole fabric. */
    public FabricBuilder(final String name)
    {
        this.name = name;
        this.place = name;
    }

    /** Sets the place that starts the messages of later faults, usually {@code file:line}. */
    public FabricBuilder at(final String newPlace)
    {
        this.place = newPlace;
        return this;
    }

    /** {@return an exception at the current place; the message has the fault and how to correct it} */
    public UserException fault(final String message)
    {
        return UserException.usage(place + ": " + message);
    }

    /** Notes something that the fabric does not contain, and why, for {@link Fabric#leftOut}. */
    public void leaveOut(final String what)
    {
        leftOut.add(place + ": " + what);
    }

    /**
     * Adds a switch.
     *
     * @param guid  or {@link Fabric#NO_GUID}.
     * @param level above the servers, or -1.
     * @return its number.
     * @throws UserException if there is a switch of this name.
     */
    public int addSwitch(final String switchName, final long guid, final int level)
    {
        if (numbers.putIfAbsent(switchName, switches.size()) != null)
        {
            throw fault("switch \"" + switchName + "\" is defined twice; remove one");
        }
        switches.add(new Switch(switchName, guid, level, place));
        return switches.size() - 1;
    }

    /** {@return the number of a switch} Throws a fault if there is none of this name. */
    public int require(final String switchName)
    {
        final Integer number = numbers.get(switchName);
        if (number == null)
        {
            throw fault("unknown switch \"" + switchName + "\"; declare it or correct the name");
        }
        return number;
    }

    /**
     * Adds a cable between the next free ports of two switches that have no cable yet. A cable from a switch to itself
     * is left out.
     */
    public void addCable(final int a, final int b)
    {
        if (switches.get(a).peerOfPort.containsValue(switches.get(b).name))
        {
            throw fault("duplicate link " + switches.get(a).name + " " + switches.get(b).name +
                "; remove it, or name the ports of parallel cables (JSON)");
        }
        addParallelCable(a, b);
    }

    /** Adds a cable between the next free ports of two switches, which may have other cables. */
    public void addParallelCable(final int a, final int b)
    {
        addParallelCable(a, null, b, null);
    }

    /** Adds a cable as {@link #addParallelCable(int, int)}, with the names of its interfaces, which may be null. */
    public void addParallelCable(final int a, final String portNameA, final int b, final String portNameB)
    {
        add(new Cable(a, switches.get(a).nextPort(), portNameA, b, switches.get(b).nextPort(), portNameB));
    }

    /** Adds a cable between two ports. */
    public void addCable(final int a, final int portA, final int b, final int portB)
    {
        add(new Cable(a, portA, null, b, portB, null));
    }

    private void add(final Cable cable)
    {
        final Switch a = switches.get(cable.a());
        final Switch b = switches.get(cable.b());
        if (a == b)
        {
            leaveOut("a cable from switch \"" + a.name + "\" to itself is left out");
            return;
        }
        usePort(a, cable.portA(), b.name);
        usePort(b, cable.portB(), a.name);
        for (final Switch end : List.of(a, b))
        {
            if (end.peerOfPort.size() == end.servers.size() + 1)
            {
                end.place = place;
            }
        }
        cables.add(cable);
    }

    /** Adds a server to the next free port of a switch. */
    public void addServer(final int node, final String serverName)
    {
        addServer(node, switches.get(node).nextPort(), serverName, Fabric.NO_GUID);
    }

    /** Adds a server to a port of a switch, with the GUID of the server's port or {@link Fabric#NO_GUID}. */
    public void addServer(final int node, final int port, final String serverName, final long guid)
    {
        usePort(switches.get(node), port, "");
        switches.get(node).servers.add(new Server(serverName, port, guid));
    }

    private void usePort(final Switch node, final int port, final String peer)
    {
        if (node.peerOfPort.putIfAbsent(port, peer) != null)
        {
            throw fault("port " + port + " of switch \"" + node.name + "\" is used twice (duplicate link)");
        }
    }

    /** {@return the fabric of everything added} Throws a fault if it has no switch or is not connected. */
    public Fabric build()
    {
        place = name;
        if (switches.isEmpty())
        {
            throw fault("no switches; a link is a line \"a b\"");
        }
        requireConnected();
        return new Fabric(switches, cables, leftOut);
    }

    private void requireConnected()
    {
        final List<List<Integer>> neighbors = new ArrayList<>();
        switches.forEach(node -> neighbors.add(new ArrayList<>()));
        for (final Cable cable : cables)
        {
            neighbors.get(cable.a()).add(cable.b());
            neighbors.get(cable.b()).add(cable.a());
        }
        final boolean[] reached = new boolean[switches.size()];
        final ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(0));
        reached[0] = true;
        while (!queue.isEmpty())
        {
            for (final int neighbor : neighbors.get(queue.remove()))
            {
                if (!reached[neighbor])
                {
                    reached[neighbor] = true;
                    queue.add(neighbor);
                }
            }
        }
        for (int node = 0; node < reached.length; node++)
        {
            if (!reached[node])
            {
                throw at(switches.get(node).place).fault("not connected: no path from switch \"" +
                    switches.get(0).name + "\" to \"" + switches.get(node).name +
                    "\"; plan each part separately or add the missing link");
            }
        }
    }
}

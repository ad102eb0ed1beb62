package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects switches, cables and servers. Faults are thrown as {@link UserException} whose message begins with the
 * place that {@link #at(String)} named last.
 */
public final class FabricBuilder
{
    private final String name;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final List<Long> guids = new ArrayList<>();
    private final List<Integer> levels = new ArrayList<>();
    private final List<List<Server>> servers = new ArrayList<>();
    private final List<Map<Integer, String>> ports = new ArrayList<>();
    private final List<int[]> cables = new ArrayList<>();
    private final List<String[]> cablePortNames = new ArrayList<>();
    /** Where each switch was read, or better its first cable. */
    private final List<String> switchPlaces = new ArrayList<>();
    private int serverCount;
    private String place;

    record Server(String name, int port, long guid)
    {
    }

    /**
     * An empty fabric.
     *
     * @param name what faults of the whole are said of, as a rule the file.
     */
    public FabricBuilder(final String name)
    {
        this.name = name;
        this.place = name;
    }

    /**
     * Says where what follows was read.
     *
     * @param newPlace as a rule {@code file:line}.
     * @return this.
     */
    public FabricBuilder at(final String newPlace)
    {
        this.place = newPlace;
        return this;
    }

    /**
     * The fault at the place that is being read.
     *
     * @param message what is wrong and what to do.
     * @return the exception, to be thrown.
     */
    public UserException fault(final String message)
    {
        return UserException.usage(place + ": " + message);
    }

    /**
     * Adds a switch.
     *
     * @param switchName unique.
     * @param guid       or {@link Fabric#NO_GUID}.
     * @param level      above the servers, or -1.
     * @return its number.
     */
    public int addSwitch(final String switchName, final long guid, final int level)
    {
        if (numbers.putIfAbsent(switchName, names.size()) != null)
        {
            throw fault("switch \"" + switchName + "\" is there twice; remove one");
        }
        names.add(switchName);
        guids.add(guid);
        levels.add(level);
        servers.add(new ArrayList<>());
        ports.add(new HashMap<>());
        switchPlaces.add(place);
        return names.size() - 1;
    }

    /**
     * The number of a switch.
     *
     * @param switchName what it is called.
     * @return its number, -1 where it is unknown.
     */
    public int numberOf(final String switchName)
    {
        return numbers.getOrDefault(switchName, -1);
    }

    /**
     * The number of a switch which must be there.
     *
     * @param switchName what it is called.
     * @return its number.
     */
    public int require(final String switchName)
    {
        final int number = numberOf(switchName);
        if (number < 0)
        {
            throw fault("unknown switch \"" + switchName + "\"; declare it or correct the name");
        }
        return number;
    }

    /**
     * Adds a cable between the next free ports of two switches. A second one between the same two is a fault.
     *
     * @param a a switch.
     * @param b another.
     */
    public void addCable(final int a, final int b)
    {
        for (final String neighbor : ports.get(a).values())
        {
            if (neighbor.equals(names.get(b)))
            {
                throw fault("duplicate link " + names.get(a) + " " + names.get(b) +
                    "; remove it, or name the ports of parallel cables (JSON)");
            }
        }
        addParallelCable(a, b);
    }

    /**
     * Adds a cable between the next free ports of two switches, which may have others between them.
     *
     * @param a a switch.
     * @param b another.
     */
    public void addParallelCable(final int a, final int b)
    {
        addCable(a, nextPort(a), b, nextPort(b));
    }

    /**
     * Adds a cable between ports.
     *
     * @param a     a switch.
     * @param portA its port, from 1.
     * @param b     another switch.
     * @param portB its port, from 1.
     */
    public void addCable(final int a, final int portA, final int b, final int portB)
    {
        if (a == b)
        {
            throw fault("switch \"" + names.get(a) + "\" is linked to itself");
        }
        usePort(a, portA, names.get(b));
        usePort(b, portB, names.get(a));
        placeFirstCable(a);
        placeFirstCable(b);
        cables.add(new int[]{a, b, portA, portB});
        cablePortNames.add(new String[2]);
    }

    private void placeFirstCable(final int node)
    {
        if (ports.get(node).size() == servers.get(node).size() + 1)
        {
            switchPlaces.set(node, place);
        }
    }

    /**
     * Names the ports of the cable that was added last.
     *
     * @param portNameA interface of the first switch.
     * @param portNameB interface of the second.
     */
    public void namePorts(final String portNameA, final String portNameB)
    {
        cablePortNames.set(cables.size() - 1, new String[]{portNameA, portNameB});
    }

    /**
     * Adds a server to the next free port of a switch.
     *
     * @param node       a switch.
     * @param serverName what it is called.
     */
    public void addServer(final int node, final String serverName)
    {
        addServer(node, nextPort(node), serverName, Fabric.NO_GUID);
    }

    /**
     * Adds a server to a port of a switch.
     *
     * @param node       a switch.
     * @param port       of the switch, from 1.
     * @param serverName what it is called.
     * @param guid       of its port, or {@link Fabric#NO_GUID}.
     */
    public void addServer(final int node, final int port, final String serverName, final long guid)
    {
        usePort(node, port, "");
        servers.get(node).add(new Server(serverName, port, guid));
        serverCount++;
    }

    private int nextPort(final int node)
    {
        int port = ports.get(node).size() + 1;
        while (ports.get(node).containsKey(port))
        {
            port++;
        }
        return port;
    }

    private void usePort(final int node, final int port, final String peer)
    {
        if (ports.get(node).putIfAbsent(port, peer) != null)
        {
            throw fault("port " + port + " of switch \"" + names.get(node) + "\" is used twice (duplicate link)");
        }
    }

    /**
     * The fabric. Every switch must be reached from the first one.
     *
     * @return what was added so far.
     */
    public Fabric build()
    {
        place = name;
        if (names.isEmpty())
        {
            throw fault("no switches; a link is a line \"a b\"");
        }
        requireConnected();
        return new Fabric(this);
    }

    private void requireConnected()
    {
        final List<List<Integer>> neighbors = new ArrayList<>();
        names.forEach(node -> neighbors.add(new ArrayList<>()));
        for (final int[] cable : cables)
        {
            neighbors.get(cable[0]).add(cable[1]);
            neighbors.get(cable[1]).add(cable[0]);
        }
        final boolean[] reached = new boolean[names.size()];
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
                throw at(switchPlaces.get(node)).fault("not connected: no way from switch \"" + names.get(0) +
                    "\" to \"" + names.get(node) + "\"; plan each part by itself or add the missing link");
            }
        }
    }

    int switchCount()
    {
        return names.size();
    }

    int cableCount()
    {
        return cables.size();
    }

    int serverCount()
    {
        return serverCount;
    }

    String[] switchNames()
    {
        return names.toArray(new String[0]);
    }

    long[] switchGuids()
    {
        return guids.stream().mapToLong(Long::longValue).toArray();
    }

    /** The levels, or null where a switch has none. */
    int[] levels()
    {
        return levels.contains(-1) ? null : levels.stream().mapToInt(Integer::intValue).toArray();
    }

    int cableEnd(final int cable, final int side)
    {
        return cables.get(cable)[side];
    }

    int cablePort(final int cable, final int side)
    {
        return cables.get(cable)[2 + side];
    }

    String cablePortName(final int cable, final int side)
    {
        return cablePortNames.get(cable)[side];
    }

    List<Server> serversOf(final int node)
    {
        return servers.get(node);
    }
}

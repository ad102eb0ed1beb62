package org.fibnuma.fibnic.rib;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.fibnuma.core.kernel.KernelLink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The host's interfaces, and which of them are ports of this router. A port whose interface was deleted is the next one
 * of that name, from the moment that the kernel tells of it; it carries frames again once the port has taken it up.
 * Control thread.
 */
public final class LinkTable
{
    /** What {@link #portOf} yields for an interface that is no port. */
    public static final int NO_PORT = -1;

    private final Int2IntHashMap portByInterface = new Int2IntHashMap(NO_PORT);
    private final Int2ObjectHashMap<KernelLink> links = new Int2ObjectHashMap<>();
    private final IntHashSet seen = new IntHashSet();
    private final int[] interfaces;
    private final int[] carriers;
    private final Map<String, Integer> portByName = new HashMap<>();

    /**
     * A table that knows the ports and no link yet. Its ports are these interfaces for good.
     *
     * @param interfaceIndexes of the ports, by port index.
     */
    public LinkTable(final int[] interfaceIndexes)
    {
        this(interfaceIndexes, List.of());
    }

    /**
     * A table that knows the ports and no link yet.
     *
     * @param interfaceIndexes of the ports, by port index.
     * @param names            by which interfaces are followed, by port index; empty for a port that is one interface
     *                         for good.
     */
    public LinkTable(final int[] interfaceIndexes, final List<String> names)
    {
        this.interfaces = interfaceIndexes.clone();
        this.carriers = interfaceIndexes.clone();
        for (int port = 0; port < interfaces.length; port++)
        {
            portByInterface.put(interfaces[port], port);
        }
        for (int port = 0; port < names.size(); port++)
        {
            if (!names.get(port).isEmpty())
            {
                portByName.put(names.get(port), port);
            }
        }
    }

    /** Returns the number of ports, 1 or more. */
    public int portCount()
    {
        return interfaces.length;
    }

    /**
     * The port of an interface.
     *
     * @param interfaceIndex the kernel's number.
     * @return its index, or {@link #NO_PORT}.
     */
    public int portOf(final int interfaceIndex)
    {
        return portByInterface.get(interfaceIndex);
    }

    /**
     * The interface of a port.
     *
     * @param port its index.
     * @return the kernel's number.
     */
    public int interfaceOf(final int port)
    {
        return interfaces[port];
    }

    /**
     * The port that an interface becomes by its name.
     *
     * @param link of the interface.
     * @return its index, or {@link #NO_PORT} where there is no such port or it is this interface already.
     */
    int portToBecome(final KernelLink link)
    {
        final int port = portByName.getOrDefault(link.name(), NO_PORT);
        return port == NO_PORT || interfaces[port] == link.index() ? NO_PORT : port;
    }

    /**
     * Makes another interface a port.
     *
     * @param port           its index.
     * @param interfaceIndex the kernel's number for the interface.
     */
    void move(final int port, final int interfaceIndex)
    {
        portByInterface.remove(interfaces[port]);
        interfaces[port] = interfaceIndex;
        portByInterface.put(interfaceIndex, port);
    }

    /**
     * Says which interface a port receives and sends by.
     *
     * @param port           its index.
     * @param interfaceIndex the kernel's number for the interface, 0 for none.
     */
    void carrier(final int port, final int interfaceIndex)
    {
        carriers[port] = interfaceIndex;
    }

    /**
     * Whether a port receives and sends by the interface that it is.
     *
     * @param port its index.
     * @return false from the moment that its device is missed until it has taken up the next one.
     */
    public boolean isCarried(final int port)
    {
        return carriers[port] == interfaces[port];
    }

    /** Returns the ports by the interface that they receive and send by. */
    public Map<Integer, Integer> carriedPorts()
    {
        final Map<Integer, Integer> ports = new HashMap<>();
        for (int port = 0; port < interfaces.length; port++)
        {
            if (isCarried(port))
            {
                ports.put(interfaces[port], port);
            }
        }
        return ports;
    }

    /**
     * A link as it is now.
     *
     * @param interfaceIndex the kernel's number.
     * @return the link, or null where there is none.
     */
    public KernelLink get(final int interfaceIndex)
    {
        return links.get(interfaceIndex);
    }

    /**
     * Stores a link.
     *
     * @param link as it is now.
     * @return as it was, or null.
     */
    public KernelLink put(final KernelLink link)
    {
        seen.add(link.index());
        return links.put(link.index(), link);
    }

    /**
     * Forgets a link.
     *
     * @param interfaceIndex the kernel's number.
     * @return as it was, or null.
     */
    public KernelLink remove(final int interfaceIndex)
    {
        return links.remove(interfaceIndex);
    }

    /** From now on links that are not put again are stale. */
    public void onDumpStart()
    {
        seen.clear();
    }

    /**
     * The links that were not put since {@link #onDumpStart}.
     *
     * @return what to remove.
     */
    public List<KernelLink> stale()
    {
        final List<KernelLink> stale = new ArrayList<>(links.values());
        stale.removeIf(link -> seen.contains(link.index()));
        return stale;
    }
}

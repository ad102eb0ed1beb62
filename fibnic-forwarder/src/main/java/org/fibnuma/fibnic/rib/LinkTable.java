package org.fibnuma.fibnic.rib;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.fibnuma.core.kernel.KernelLink;

import java.util.ArrayList;
import java.util.List;

/** The host's interfaces, and which of them are ports of this router. Control thread. */
public final class LinkTable
{
    /** What {@link #portOf} yields for an interface that is no port. */
    public static final int NO_PORT = -1;

    private final Int2IntHashMap portByInterface = new Int2IntHashMap(NO_PORT);
    private final Int2ObjectHashMap<KernelLink> links = new Int2ObjectHashMap<>();
    private final IntHashSet seen = new IntHashSet();
    private final int[] interfaces;

    /**
     * A table that knows the ports and no link yet.
     *
     * @param interfaceIndexes of the ports, by port index.
     */
    public LinkTable(final int[] interfaceIndexes)
    {
        this.interfaces = interfaceIndexes.clone();
        for (int port = 0; port < interfaces.length; port++)
        {
            portByInterface.put(interfaces[port], port);
        }
    }

    /**
     * How many ports there are.
     *
     * @return 1 or more.
     */
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

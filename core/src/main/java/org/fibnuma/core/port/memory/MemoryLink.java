package org.fibnuma.core.port.memory;

import org.fibnuma.core.UserException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.ring.DescriptorRing;

import java.util.HashMap;
import java.util.Map;

/**
 * A point-to-point link within a process. One port opens the near end as {@code mem:NAME}, another port the far end as
 * {@code mem:NAME@far}. The ends may be used by different threads.
 */
public final class MemoryLink
{
    /** Suffix of a device name that selects the far end. */
    public static final String FAR_SUFFIX = "@far";

    /** Links with an open end. The lock of this class guards them and the state of their ends. */
    private static final Map<String, MemoryLink> LINKS = new HashMap<>();

    private final String name;
    private final Direction[] toFar;
    private final Direction[] toNear;
    private boolean nearOpen;
    private boolean farOpen;

    private MemoryLink(final String name, final int queueCount, final int ringSize)
    {
        this.name = name;
        this.toFar = new Direction[queueCount];
        this.toNear = new Direction[queueCount];
        for (int i = 0; i < queueCount; i++)
        {
            toFar[i] = new Direction(ringSize);
            toNear[i] = new Direction(ringSize);
        }
    }

    static synchronized MemoryPort open(final PortRequest request)
    {
        final boolean far = request.device().endsWith(FAR_SUFFIX);
        final String name = far ?
            request.device().substring(0, request.device().length() - FAR_SUFFIX.length()) : request.device();
        if (name.isEmpty())
        {
            throw new UserException("port " + request.name() + ": mem: needs a name, such as mem:a");
        }
        final MemoryLink link = LINKS.computeIfAbsent(
            name, key -> new MemoryLink(key, request.queueCount(), request.settings().txRingSize()));
        return link.openEnd(request, far);
    }

    private MemoryPort openEnd(final PortRequest request, final boolean far)
    {
        if (far ? farOpen : nearOpen)
        {
            throw new UserException("port " + request.name() + ": this end of mem:" + name + " is already open");
        }
        if (request.queueCount() != toFar.length)
        {
            throw new UserException("port " + request.name() + ": mem:" + name + " has " + toFar.length +
                " queues, but " + request.queueCount() + " are requested");
        }
        if (far)
        {
            farOpen = true;
            return new MemoryPort(request, this, toFar, toNear);
        }
        nearOpen = true;
        return new MemoryPort(request, this, toNear, toFar);
    }

    void closeEnd(final Direction[] receiving)
    {
        synchronized (MemoryLink.class)
        {
            if (receiving == toFar)
            {
                farOpen = false;
            }
            else
            {
                nearOpen = false;
            }
            if (!farOpen && !nearOpen)
            {
                LINKS.remove(name);
            }
        }
    }

    /** Rings of one direction: frames to the receiver and empty chunks back to the sender. */
    record Direction(DescriptorRing frames, DescriptorRing empties)
    {
        Direction(final int ringSize)
        {
            this(new DescriptorRing(ringSize), new DescriptorRing(2 * ringSize));
        }
    }
}

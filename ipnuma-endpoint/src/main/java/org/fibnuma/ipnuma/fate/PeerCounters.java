package org.fibnuma.ipnuma.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

import java.util.List;

/**
 * The counters of one peer in the counters file: whether it is up, its MAC address, and the counters of its session.
 * Owned by the endpoint's thread. The key of each counter is the PC ID.
 */
public final class PeerCounters
{
    /** Type id of {@link #UP}; those of the others follow. Its label names the peer. */
    public static final int PEER_TYPE = 2200;
    /** Index: 1 if writes can take effect, else 0. */
    public static final int UP = 0;
    /** Index: the destination MAC address as a number of 48 bits, 0 while unknown. */
    public static final int MAC = 1;
    /** Index: smoothed round trip in ns. */
    public static final int ROUND_TRIP = 2;
    /** Index: writes that were taken and are not acknowledged. */
    public static final int PENDING_WRITES = 3;
    /** Index of the first counter of the session. */
    public static final int SESSION = 4;

    private final AtomicCounter[] counters;

    /**
     * Creates all counters with value 0.
     *
     * @param manager       creates the counters.
     * @param pcId          of the peer.
     * @param peer          address and format, for people.
     * @param sessionLabels labels of the session's counters, none for a peer without a session.
     */
    public PeerCounters(
        final CountersManager manager, final int pcId, final String peer, final List<String> sessionLabels)
    {
        counters = new AtomicCounter[SESSION + sessionLabels.size()];
        final String prefix = "peer " + pcId + " ";
        create(manager, UP, pcId, "peer " + peer);
        create(manager, MAC, pcId, prefix + "mac");
        create(manager, ROUND_TRIP, pcId, prefix + "round-trip-ns");
        create(manager, PENDING_WRITES, pcId, prefix + "pending-writes");
        for (int i = 0; i < sessionLabels.size(); i++)
        {
            create(manager, SESSION + i, pcId, prefix + sessionLabels.get(i));
        }
    }

    private void create(final CountersManager manager, final int index, final int pcId, final String label)
    {
        counters[index] = manager.newCounter(label, PEER_TYPE + index, key -> key.putInt(0, pcId));
    }

    /** Removes the counters from the file; no other method is called afterwards. */
    public void free()
    {
        for (final AtomicCounter counter : counters)
        {
            counter.close();
        }
    }

    /** Publishes a value by index, with a release store. */
    public void set(final int index, final long value)
    {
        counters[index].setRelease(value);
    }
}

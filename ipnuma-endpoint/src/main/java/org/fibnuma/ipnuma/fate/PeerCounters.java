package org.fibnuma.ipnuma.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

import java.util.List;

/**
 * What others see of one peer in the counters file: whether it is up, the station that frames to it go to, and what its
 * session has counted. Owned by the endpoint's thread. The key of each counter is the PC ID.
 */
public final class PeerCounters
{
    /** Type id of {@link #UP}; those of the others follow. Its label names the peer. */
    public static final int PEER_TYPE = 2200;
    /** Index: 1 where writes can land, 0 where they cannot. */
    public static final int UP = 0;
    /** Index: the station as a number of 48 bits, 0 while unknown. */
    public static final int STATION = 1;
    /** Index: smoothed time to the peer and back, in ns. */
    public static final int ROUND_TRIP = 2;
    /** Index: writes that are taken and not acknowledged. */
    public static final int PENDING_WRITES = 3;
    /** Index of the first counter of the session. */
    public static final int SESSION = 4;

    private final AtomicCounter[] counters;

    /**
     * All at 0.
     *
     * @param manager       to make them in.
     * @param pcId          of the peer.
     * @param peer          address and format, for people.
     * @param sessionLabels of the session's counters, none for a peer without one.
     */
    public PeerCounters(
        final CountersManager manager, final int pcId, final String peer, final List<String> sessionLabels)
    {
        counters = new AtomicCounter[SESSION + sessionLabels.size()];
        final String prefix = "peer " + pcId + " ";
        create(manager, UP, pcId, "peer " + peer);
        create(manager, STATION, pcId, prefix + "station");
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

    /**
     * Shows a value. Release: a reader sees values no older than this.
     *
     * @param index of the counter.
     * @param value any.
     */
    public void set(final int index, final long value)
    {
        counters[index].setRelease(value);
    }
}

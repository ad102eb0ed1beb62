package org.fibnuma.ipnuma.fate;

import org.agrona.concurrent.status.AtomicCounter;

import java.util.List;

/**
 * The counters of one peer in the counters file: whether it is up, its MAC address, and the counters of its session.
 * The endpoint's thread owns them. The key of each counter is the PC ID.
 */
public final class PeerCounters
{
    /** Type id of {@link #UP}. Those of the other counters follow. Its label names the peer. */
    public static final int PEER_TYPE = 2200;
    /** Index: 1 if writes can take effect, else 0. */
    public static final int UP = 0;
    /** Index: the destination MAC address as a number of 48 bits, 0 if it is not resolved. */
    public static final int MAC = 1;
    /** Index: smoothed round-trip time in ns. */
    public static final int ROUND_TRIP = 2;
    /** Index: number of accepted writes that are not acknowledged. */
    public static final int PENDING_WRITES = 3;
    /** Index of the first counter of the session. */
    public static final int SESSION = 4;

    private final PeerCounterSpace space;
    private final int pcId;
    private final List<String> sessionLabels;
    /** Null for a counter of the session that was always 0. */
    private final AtomicCounter[] counters;

    /**
     * Creates the counters before {@link #SESSION} with value 0.
     *
     * @param space         of the counters of all peers.
     * @param pcId          of the peer.
     * @param peer          address and format, for display.
     * @param sessionLabels labels of the session's counters, none for a peer without a session.
     */
    public PeerCounters(
        final PeerCounterSpace space, final int pcId, final String peer, final List<String> sessionLabels)
    {
        this.space = space;
        this.pcId = pcId;
        this.sessionLabels = sessionLabels;
        counters = new AtomicCounter[SESSION + sessionLabels.size()];
        create(UP, "peer " + peer);
        create(MAC, prefix() + "mac");
        create(ROUND_TRIP, prefix() + "round-trip-ns");
        create(PENDING_WRITES, prefix() + "pending-writes");
    }

    private String prefix()
    {
        return "peer " + pcId + " ";
    }

    private void create(final int index, final String label)
    {
        counters[index] = space.create(index, pcId, label);
    }

    /** Removes the counters from the file. No other method is called afterwards. */
    public void free()
    {
        for (int index = 0; index < counters.length; index++)
        {
            if (counters[index] != null)
            {
                space.free(index, counters[index]);
            }
        }
    }

    /**
     * Publishes a value by index, with a release store. A counter of the session appears in the file once it is not 0.
     */
    public void set(final int index, final long value)
    {
        if (counters[index] == null && value != 0 && space.hasRoom())
        {
            create(index, prefix() + sessionLabels.get(index - SESSION));
        }
        if (counters[index] != null)
        {
            counters[index].setRelease(value);
        }
    }
}

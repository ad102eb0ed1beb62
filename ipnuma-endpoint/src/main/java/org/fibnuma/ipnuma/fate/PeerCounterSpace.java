package org.fibnuma.ipnuma.fate;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of the counters file for the counters of peers. The first {@link PeerCounters#SESSION} counters of a peer
 * always have room. A counter of a session uses shared room once it is not 0. Endpoint's thread.
 */
public final class PeerCounterSpace
{
    private static final Logger LOGGER = LoggerFactory.getLogger(PeerCounterSpace.class);

    private final CountersManager manager;
    private final int sessionCapacity;
    private int sessionCounters;
    private boolean isLogged;

    /**
     * Creates a space without counters.
     *
     * @param manager         creates the counters, and has room for all of them.
     * @param sessionCapacity maximum number of counters of sessions, of all peers together.
     */
    public PeerCounterSpace(final CountersManager manager, final int sessionCapacity)
    {
        this.manager = manager;
        this.sessionCapacity = sessionCapacity;
    }

    /** Returns whether there is room for a counter of a session. Logs the lack of room once. */
    boolean hasRoom()
    {
        final boolean hasRoom = sessionCounters < sessionCapacity;
        if (!hasRoom && !isLogged)
        {
            isLogged = true;
            LOGGER.warn("the counters file has room for {} counters of sessions, which are in use; further ones are " +
                "not published until peers are removed", sessionCapacity);
        }
        return hasRoom;
    }

    /** Creates a counter with value 0. A counter of a session needs {@link #hasRoom()}. */
    AtomicCounter create(final int index, final int pcId, final String label)
    {
        sessionCounters += index >= PeerCounters.SESSION ? 1 : 0;
        return manager.newCounter(label, PeerCounters.PEER_TYPE + index, key -> key.putInt(0, pcId));
    }

    void free(final int index, final AtomicCounter counter)
    {
        counter.close();
        sessionCounters -= index >= PeerCounters.SESSION ? 1 : 0;
    }
}

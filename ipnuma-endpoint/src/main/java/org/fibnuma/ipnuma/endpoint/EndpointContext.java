package org.fibnuma.ipnuma.endpoint;

import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.NetworkConfig;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.session.SessionSettings;
import org.fibnuma.ipnuma.table.PeerTable;
import org.fibnuma.ipnuma.table.RegionTable;

import java.util.Map;
import java.util.Objects;

/** The dependencies and settings of an {@link EndpointAgent}. Setters return this; call {@link #conclude} last. */
public final class EndpointContext
{
    private Port port;
    private FramePool framePool;
    private NetworkConfig network;
    private PeerTable peers;
    private RegionTable regions;
    private CountersManager counters;
    private int sessionCounters = Integer.MAX_VALUE;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private SessionSettings sessionSettings = new SessionSettings();
    private ChannelListener listener = ChannelListener.NONE;
    private Map<Integer, DatagramSeal> seals = Map.of();
    private EndpointService service = EndpointService.NONE;
    private int cyclesBetweenPolls = 1;

    /** Checks that nothing is missing, and returns this. */
    public EndpointContext conclude()
    {
        Objects.requireNonNull(port, "port");
        Objects.requireNonNull(framePool, "framePool");
        Objects.requireNonNull(network, "network");
        Objects.requireNonNull(peers, "peers");
        Objects.requireNonNull(regions, "regions");
        Objects.requireNonNull(counters, "counters");
        if (!BitUtil.isPowerOfTwo(cyclesBetweenPolls))
        {
            throw new IllegalArgumentException("cyclesBetweenPolls must be a power of two: " + cyclesBetweenPolls);
        }
        return this;
    }

    /** Sets the port, open and with one queue, and returns this. */
    public EndpointContext port(final Port value)
    {
        port = value;
        return this;
    }

    Port port()
    {
        return port;
    }

    /** Sets the chunks of the port's queue and returns this. */
    public EndpointContext framePool(final FramePool value)
    {
        framePool = value;
        return this;
    }

    FramePool framePool()
    {
        return framePool;
    }

    /** Sets the endpoint's own addresses and returns this. */
    public EndpointContext network(final NetworkConfig value)
    {
        network = value;
        return this;
    }

    NetworkConfig network()
    {
        return network;
    }

    /** Sets the peers and returns this. MAC addresses that are set in the peers stay. */
    public EndpointContext peers(final PeerTable value)
    {
        peers = value;
        return this;
    }

    PeerTable peers()
    {
        return peers;
    }

    /** Sets the regions that peers may access and returns this. */
    public EndpointContext regions(final RegionTable value)
    {
        regions = value;
        return this;
    }

    RegionTable regions()
    {
        return regions;
    }

    /** Sets the manager of published counters and returns this. */
    public EndpointContext counters(final CountersManager value)
    {
        counters = value;
        return this;
    }

    CountersManager counters()
    {
        return counters;
    }

    /** Sets {@link #sessionCounters()}, unlimited by default, and returns this. */
    public EndpointContext sessionCounters(final int value)
    {
        sessionCounters = value;
        return this;
    }

    /**
     * Returns the maximum number of published session counters of all peers together. The manager has room for them.
     */
    int sessionCounters()
    {
        return sessionCounters;
    }

    /** Sets the clock, read at most once in a duty cycle, and returns this. */
    public EndpointContext clock(final NanoClock value)
    {
        clock = value;
        return this;
    }

    NanoClock clock()
    {
        return clock;
    }

    /** Sets the settings of sessions and returns this. */
    public EndpointContext sessionSettings(final SessionSettings value)
    {
        sessionSettings = value;
        return this;
    }

    SessionSettings sessionSettings()
    {
        return sessionSettings;
    }

    /** Sets the listener for events of peers and returns this. */
    public EndpointContext listener(final ChannelListener value)
    {
        listener = value;
        return this;
    }

    ChannelListener listener()
    {
        return listener;
    }

    /** Sets the seals by PC ID, of the peers with sealed datagrams, and returns this. */
    public EndpointContext seals(final Map<Integer, DatagramSeal> value)
    {
        seals = value;
        return this;
    }

    Map<Integer, DatagramSeal> seals()
    {
        return seals;
    }

    /** Sets the service that each duty cycle polls before the channels send, and returns this. */
    public EndpointContext service(final EndpointService value)
    {
        service = value;
        return this;
    }

    EndpointService service()
    {
        return service;
    }

    /** Sets {@link #cyclesBetweenPolls()}, a power of two, and returns this. */
    public EndpointContext cyclesBetweenPolls(final int value)
    {
        cyclesBetweenPolls = value;
        return this;
    }

    /**
     * Returns the number of duty cycles without a frame between two polls of clock and timers: 1 if the thread idles in
     * between, more if it spins. These polls take longer than the rest of an empty duty cycle.
     */
    int cyclesBetweenPolls()
    {
        return cyclesBetweenPolls;
    }
}

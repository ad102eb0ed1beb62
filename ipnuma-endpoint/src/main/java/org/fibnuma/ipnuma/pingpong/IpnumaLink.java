package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.OrderedMemory;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.PeerConfig;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.endpoint.EndpointAgent;
import org.fibnuma.ipnuma.table.PageMap;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.window.PageWindow;
import org.fibnuma.ipnuma.window.StoreOrder;

import java.util.List;

/**
 * Remote memory: a store of the counter into a page window becomes a store into a region of the other end, which polls
 * it. The endpoint runs on the same thread, between polls. The ping-pong adds the region itself, and only the peer may
 * write it.
 */
final class IpnumaLink implements CounterLink
{
    /** In the range of ipnuma-1g, whose addresses have 40 bits. Regions of a configuration are numbered from 1. */
    static final int REGION_ID = 255;

    private final Endpoint endpoint;
    private final EndpointAgent agent;
    private final MemoryRegion memory;
    private final PageWindow window;
    private final int size;
    private final long message;
    private final long received;
    private volatile boolean woken;

    private IpnumaLink(final Endpoint endpoint, final PeerConfig peer, final int size)
    {
        this.endpoint = endpoint;
        this.agent = endpoint.agent();
        this.size = size;
        this.memory = MemoryRegion.ofBytes(2 * PageMap.PAGE_SIZE);
        this.message = memory.address() + PageMap.PAGE_SIZE;
        this.received = memory.address() + size - Integer.BYTES;
        this.window = endpoint.window(StoreOrder.IN_ORDER);
        endpoint.regions().add(new Region(
            REGION_ID, "pingpong", memory.address(), PageMap.PAGE_SIZE, RegionAccess.WRITE,
            List.of(Ipv4Prefix.of(peer.ipv4(), Integer.SIZE)), Region.NO_KEY));
        window.map(0, PageMap.PAGE_SIZE, peer.id(), RemoteAddress.of(REGION_ID, 0), Region.NO_KEY);
    }

    /**
     * Opens the endpoint, which {@link #poll} and {@link #send} run.
     *
     * @param config of the endpoint.
     * @param peer   at the other end.
     * @param size   of the message in bytes.
     * @throws RuntimeException with a message of one line, as {@link Endpoint#open}.
     */
    static IpnumaLink open(final EndpointConfig config, final PeerConfig peer, final int size)
    {
        if (config.regions().stream().anyMatch(region -> region.id() == REGION_ID))
        {
            throw new UserException(
                config.file() + ": region id " + REGION_ID + " is used by the ping-pong: choose another id");
        }
        final Endpoint endpoint = Endpoint.open(config.spinning(), ChannelListener.NONE);
        boolean complete = false;
        try
        {
            final IpnumaLink link = new IpnumaLink(endpoint, peer, size);
            endpoint.start();
            complete = true;
            return link;
        }
        finally
        {
            if (!complete)
            {
                endpoint.close();
            }
        }
    }

    @Override
    public String device()
    {
        return endpoint.config().device();
    }

    @Override
    public void send(final int counter)
    {
        if (size == Integer.BYTES)
        {
            while (!window.putInt(0, counter) && !woken)
            {
                agent.doWork();
            }
        }
        else
        {
            FrameMemory.putInt(message + size - Integer.BYTES, counter);
            while (window.putBytes(0, message, size) == 0 && !woken)
            {
                agent.doWork();
            }
        }
        while (!window.flush() && !woken)
        {
            agent.doWork();
        }
    }

    @Override
    public int poll()
    {
        agent.doWork();
        return OrderedMemory.getIntAcquire(received);
    }

    @Override
    public void wake()
    {
        woken = true;
    }

    @Override
    public void close()
    {
        endpoint.close();
        window.close();
        memory.close();
    }
}

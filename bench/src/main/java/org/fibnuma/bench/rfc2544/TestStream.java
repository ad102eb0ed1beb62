package org.fibnuma.bench.rfc2544;

import org.fibnuma.bench.traffic.FrameTemplate;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;

import java.util.List;

/** The test frames that one port of the tester sends, to one destination after the other. For one thread. */
final class TestStream
{
    private final TxQueue txQueue;
    private final FramePool pool;
    private final FrameTemplate[] templates;
    private final IpAddress[] ipv4;
    private final IpAddress[] ipv6;
    private int nextTemplate;
    private int nextIpv4;
    private int nextIpv6;

    /**
     * Creates a stream.
     *
     * @param port      that sends it.
     * @param templates of the frames in turn.
     * @param ipv4      destinations of the frames over IPv4.
     * @param ipv6      destinations of the frames over IPv6.
     */
    TestStream(
        final HostPort port, final List<FrameTemplate> templates, final IpAddress[] ipv4, final IpAddress[] ipv6)
    {
        this.txQueue = port.port().txQueue(0);
        this.pool = port.pool();
        this.templates = templates.toArray(FrameTemplate[]::new);
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /**
     * Offers the next frame to the port; {@link #flush} sends it.
     *
     * @return whether the port has accepted it.
     */
    boolean offer(final int trial, final int number)
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            return false;
        }
        final FrameTemplate template = templates[nextTemplate];
        final long frame = chunk + FramePool.HEADROOM;
        template.write(frame, template.isIpv6() ? ipv6[nextIpv6] : ipv4[nextIpv4], trial, number);
        if (!txQueue.offer(chunk, frame, template.length()))
        {
            pool.release(chunk);
            return false;
        }
        nextTemplate = nextTemplate + 1 < templates.length ? nextTemplate + 1 : 0;
        if (template.isIpv6())
        {
            nextIpv6 = nextIpv6 + 1 < ipv6.length ? nextIpv6 + 1 : 0;
        }
        else
        {
            nextIpv4 = nextIpv4 + 1 < ipv4.length ? nextIpv4 + 1 : 0;
        }
        return true;
    }

    void flush()
    {
        txQueue.flush();
    }
}

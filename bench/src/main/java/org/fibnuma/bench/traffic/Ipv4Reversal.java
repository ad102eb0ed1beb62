package org.fibnuma.bench.traffic;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;

/** Turns a received UDP packet over IPv4 into its answer with the same payload. For one thread. */
public final class Ipv4Reversal
{
    private static final int HEADER = EthernetHeaderFlyweight.LENGTH;
    private static final int PORTS = HEADER + Ipv4HeaderFlyweight.MIN_LENGTH;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final long routerMac;
    private final long ownMac;

    /**
     * Creates the reversal of one host.
     *
     * @param routerMac MAC address of the router, to which the answers go.
     * @param ownMac    MAC address of the host.
     */
    public Ipv4Reversal(final long routerMac, final long ownMac)
    {
        this.routerMac = routerMac;
        this.ownMac = ownMac;
    }

    /**
     * Exchanges addresses and ports, which leaves the checksums as they are.
     *
     * @param frame native address of the first byte of an untagged frame without IPv4 options.
     */
    public void reverse(final long frame)
    {
        ethernet.wrap(frame).destination(routerMac).source(ownMac);
        final long addresses = frame + HEADER + Ipv4HeaderFlyweight.SOURCE_OFFSET;
        FrameMemory.putLong(addresses, Long.rotateLeft(FrameMemory.getLong(addresses), Integer.SIZE));
        FrameMemory.putInt(frame + PORTS, Integer.rotateLeft(FrameMemory.getInt(frame + PORTS), Short.SIZE));
    }
}

package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fib.Ipv4Fib;

/**
 * Dropped frames come in, and stay dropped. Where the reason is one that the sender is to hear of, an ICMP error is
 * made and put into a batch of messages, which then goes the way of any frame from {@link Ipv4Lookup} on.
 * <p>
 * RFC 1812 section 4.3.2.7: no error about an ICMP error, a fragment other than the first, a packet to many or in a
 * frame to many, or from an address that is not one host's. The last three never come this far with a reason to tell,
 * except for a source that is a broadcast address of a connected network. What is left is limited by rate (section
 * 4.3.2.8).
 */
final class IcmpErrors
{
    /** RFC 1812 section 4.3.2.3: as much of the original as fits without the message exceeding 576 bytes. */
    private static final int MAX_DATAGRAM = 576;
    private static final int HEADERS = Ipv4HeaderFlyweight.MIN_LENGTH + IcmpHeaderFlyweight.LENGTH;
    /** Precedence 6, RFC 1812 section 4.3.2.5. */
    private static final int INTERNETWORK_CONTROL = 6 << 5;
    /** 64 on the wire: {@link Ipv4Rewrite} lowers it by one. */
    private static final int TTL = 64 + 1;

    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final FramePool pool;
    private final TokenBucket limit;
    private final FrameBatch messages;
    private final FateCounters counters;
    private final Ipv4HeaderFlyweight original = new Ipv4HeaderFlyweight();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();
    private int identification;

    IcmpErrors(final ForwarderContext context, final FrameBatch messages, final FateCounters counters)
    {
        this.fib = context.fib();
        this.adjacencies = context.adjacencies();
        this.interfaces = context.interfaces();
        this.pool = context.framePool();
        this.limit = new TokenBucket(context.icmpErrorsPerSecond(), context.icmpErrorBurst(), context.clock());
        this.messages = messages;
        this.counters = counters;
    }

    void process(final FrameBatch batch)
    {
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            if (batch.disposition(i) == Disposition.DROP && batch.ingressPort(i) != counters.ownIngress())
            {
                final DropReason reason = DropReason.of(batch.dropReason(i));
                if (reason.icmpType() != DropReason.SILENT)
                {
                    report(batch, i, reason);
                }
            }
        }
    }

    private void report(final FrameBatch batch, final int i, final DropReason reason)
    {
        original.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        if (!mayBeReported(batch.address(i) + EthernetHeaderFlyweight.LENGTH))
        {
            return;
        }
        final int source = interfaces.addressFor(batch.ingressPort(i));
        final int rest = reason == DropReason.IPV4_TOO_BIG ? adjacencies.get(batch.adjacency(i)).mtu() : 0;
        // An MTU of 0 would say "guess" (RFC 1191 section 3); it is read where the route has just changed.
        final boolean complete =
            source != RouterInterface.NO_ADDRESS && (reason != DropReason.IPV4_TOO_BIG || rest != 0);
        if (!complete || messages.room() == 0 || pool.available() == 0 || !limit.take())
        {
            counters.add(ForwarderCounter.ICMP_SUPPRESSED, 1);
            return;
        }
        write(batch.address(i) + EthernetHeaderFlyweight.LENGTH, source, reason, rest);
    }

    private boolean mayBeReported(final long header)
    {
        if ((original.flagsAndFragmentOffset() & Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK) != 0)
        {
            return false;
        }
        if (original.protocol() == IpProtocol.ICMP)
        {
            final int headerLength = original.headerLength();
            if (original.totalLength() <= headerLength ||
                IcmpHeaderFlyweight.isError(icmp.wrap(header + headerLength).type()))
            {
                return false;
            }
        }
        return adjacencies.get(fib.lookup(original.source())).kind() != AdjacencyKind.BROADCAST;
    }

    private void write(final long quoted, final int source, final DropReason reason, final int rest)
    {
        final int quotedLength = Math.min(original.totalLength(), MAX_DATAGRAM - HEADERS);
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        ethernet.wrap(frame).destination(0).source(0).etherType(EtherType.IPV4);
        ip.wrap(header)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(INTERNETWORK_CONTROL)
            .totalLength(HEADERS + quotedLength)
            .identification(identification++)
            .flagsAndFragmentOffset(0)
            .ttl(TTL)
            .protocol(IpProtocol.ICMP)
            .source(source)
            .destination(original.source())
            .computeChecksum();
        FrameMemory.copy(quoted, header + HEADERS, quotedLength);
        icmp.wrap(header + Ipv4HeaderFlyweight.MIN_LENGTH)
            .type(reason.icmpType())
            .code(reason.icmpCode())
            .rest(rest)
            .computeChecksum(IcmpHeaderFlyweight.LENGTH + quotedLength);
        messages.add(chunk, frame, EthernetHeaderFlyweight.LENGTH + HEADERS + quotedLength, counters.ownIngress());
    }
}

package org.fibnuma.fibnic.report;

import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.TcpHeader;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.fibnic.flows.FlowView;

/**
 * Applies a program of the packet filter to flows. It runs on a frame that is made from the tuple of the initiator: an
 * untagged frame without payload that has addresses, protocol and ports, or type, code and identifier of ICMP. All
 * other fields are 0 except versions and lengths. One thread.
 */
final class FlowFilter implements AutoCloseable
{
    private static final int MAX_LENGTH =
        EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH + TcpHeader.MIN_LENGTH;
    private static final int IDENTIFIER_SHIFT = 16;

    private final FilterProgram program;
    private final MemoryRegion memory = MemoryRegion.ofBytes(MAX_LENGTH);
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();
    private final UdpHeaderFlyweight ports = new UdpHeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();

    /** Takes a program for Ethernet frames, null to accept every flow. */
    FlowFilter(final FilterProgram program)
    {
        this.program = program;
    }

    /** Returns whether the program accepts a packet of the initiator, as it is received or as it is sent. */
    boolean accepts(final FlowView flow)
    {
        return program == null || accepts(flow.original()) || flow.isTranslated() && accepts(flow.translated());
    }

    private boolean accepts(final FlowTuple tuple)
    {
        final long frame = memory.address();
        FrameMemory.fill(frame, MAX_LENGTH, (byte)0);
        final int transport = tuple.isIpv6() ? writeIpv6(frame, tuple) : writeIpv4(frame, tuple);
        if (tuple.isIcmp())
        {
            icmp.wrap(frame + transport).type(tuple.icmpType()).code(tuple.icmpCode())
                .rest(tuple.sourcePort() << IDENTIFIER_SHIFT);
        }
        else
        {
            ports.wrap(frame + transport).ports(tuple.sourcePort(), tuple.destinationPort());
        }
        return program.run(frame, transport + TcpHeader.MIN_LENGTH) != 0;
    }

    private int writeIpv4(final long frame, final FlowTuple tuple)
    {
        ethernet.wrap(frame).etherType(EtherType.IPV4);
        ipv4.wrap(frame + EthernetHeaderFlyweight.LENGTH)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .totalLength(Ipv4HeaderFlyweight.MIN_LENGTH + TcpHeader.MIN_LENGTH)
            .protocol(tuple.protocol())
            .source((int)tuple.sourceLow())
            .destination((int)tuple.destinationLow());
        return EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;
    }

    private int writeIpv6(final long frame, final FlowTuple tuple)
    {
        ethernet.wrap(frame).etherType(EtherType.IPV6);
        ipv6.wrap(frame + EthernetHeaderFlyweight.LENGTH)
            .versionClassFlow(0, 0)
            .payloadLength(TcpHeader.MIN_LENGTH)
            .nextHeader(tuple.protocol())
            .source(tuple.sourceHigh(), tuple.sourceLow())
            .destination(tuple.destinationHigh(), tuple.destinationLow());
        return EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH;
    }

    @Override
    public void close()
    {
        memory.close();
    }
}

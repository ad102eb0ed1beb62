package org.fibnuma.pfc.priority;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.pfc.wire.MacControl;

import java.util.Arrays;

/**
 * Classifies frames by priority: from the priority code point (IEEE 802.1Q), or by a map from the differentiated
 * services code point (RFC 2474). For one thread.
 */
public final class PriorityClassifier
{
    /** Number of differentiated services code points. */
    public static final int DSCPS = 64;

    private static final int DSCP_TO_PRIORITY_SHIFT = 3;
    private static final int ECN_BITS = 2;

    private final boolean byDscp;
    private final byte[] priorityOfDscp;

    private PriorityClassifier(final boolean byDscp, final byte[] priorityOfDscp)
    {
        this.byDscp = byDscp;
        this.priorityOfDscp = priorityOfDscp.clone();
    }

    /** {@return a classifier by the outermost VLAN tag; untagged frames have priority 0} */
    public static PriorityClassifier byPcp()
    {
        return new PriorityClassifier(false, new byte[DSCPS]);
    }

    /**
     * Returns a classifier by the DSCP of IPv4 and IPv6, also behind two VLAN tags. Other frames have priority 0.
     *
     * @param priorityOfDscp 64 priorities, 0 to 7.
     */
    public static PriorityClassifier byDscp(final byte[] priorityOfDscp)
    {
        if (priorityOfDscp.length != DSCPS)
        {
            throw new IllegalArgumentException("the map has " + priorityOfDscp.length + " DSCPs, not " + DSCPS);
        }
        for (final byte priority : priorityOfDscp)
        {
            if (priority < 0 || priority >= MacControl.PRIORITIES)
            {
                throw new IllegalArgumentException("priority " + priority + " is out of range; use 0 to 7");
            }
        }
        return new PriorityClassifier(true, priorityOfDscp);
    }

    /** {@return a new array with the default map: the class selector, DSCP &gt;&gt; 3} */
    public static byte[] classSelectors()
    {
        final byte[] priorities = new byte[DSCPS];
        for (int dscp = 0; dscp < DSCPS; dscp++)
        {
            priorities[dscp] = (byte)(dscp >> DSCP_TO_PRIORITY_SHIFT);
        }
        return priorities;
    }

    /** {@return whether the VLAN tag determines the priority, not the DSCP} */
    public boolean isByPcp()
    {
        return !byDscp;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof PriorityClassifier && byDscp == ((PriorityClassifier)other).byDscp &&
            Arrays.equals(priorityOfDscp, ((PriorityClassifier)other).priorityOfDscp);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(priorityOfDscp);
    }

    /**
     * Returns the priority of a frame, 0 to 7.
     *
     * @param frame  address of the Ethernet header.
     * @param length in bytes; a frame too short for a field has priority 0.
     */
    public int priority(final long frame, final int length)
    {
        if (length < EthernetHeaderFlyweight.LENGTH + VlanTag.LENGTH)
        {
            return 0;
        }
        if (!byDscp)
        {
            return VlanTag.isTag(EthernetHeaderFlyweight.etherType(frame)) ?
                FrameMemory.getShortBE(frame + VlanTag.CONTROL_OFFSET) >>> VlanTag.PCP_SHIFT : 0;
        }
        final int header = VlanTag.headerOffset(frame, length);
        return length >= header + Short.BYTES ? ofPacket(frame + header, VlanTag.payloadType(frame, length)) : 0;
    }

    private int ofPacket(final long packet, final int etherType)
    {
        if (etherType == EtherType.IPV4)
        {
            final int trafficClass = FrameMemory.getByte(packet + Ipv4HeaderFlyweight.TRAFFIC_CLASS_OFFSET) & 0xFF;
            return priorityOfDscp[trafficClass >> ECN_BITS];
        }
        if (etherType == EtherType.IPV6)
        {
            // RFC 8200 section 3: version 4 bits, traffic class 8, flow label 20.
            return priorityOfDscp[FrameMemory.getShortBE(packet) >> 4 + ECN_BITS & DSCPS - 1];
        }
        return 0;
    }
}

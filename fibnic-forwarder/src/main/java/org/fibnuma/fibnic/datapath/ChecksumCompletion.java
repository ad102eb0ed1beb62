package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.PartialChecksum;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.ports.PortQueues;

/**
 * Completes the TCP and UDP checksums of received frames, on ports that deliver partial checksums (veth, tun,
 * virtio-net). The frame is IPv4 or IPv6, also with options or extension headers, after two VLAN tags at most. All
 * other frames and all frames of other ports are not modified. It sets no disposition.
 */
final class ChecksumCompletion
{
    private final boolean[] concernedPorts;
    private final FateCounters counters;

    ChecksumCompletion(final int places, final FateCounters counters)
    {
        this.counters = counters;
        this.concernedPorts = new boolean[places];
    }

    /** Uses these ports from now on. */
    void take(final PortQueues ports)
    {
        for (int port = 0; port < ports.size(); port++)
        {
            concernedPorts[port] = ports.deliversPartialChecksums(port);
        }
    }

    /** Completes the checksums of a batch of one port; the batch is not empty. */
    void process(final FrameBatch batch)
    {
        final int port = batch.ingressPort(0);
        if (concernedPorts[port])
        {
            final int size = batch.size();
            int completed = 0;
            for (int i = 0; i < size; i++)
            {
                completed += complete(batch.address(i), batch.length(i)) ? 1 : 0;
            }
            if (completed > 0)
            {
                counters.checksumsCompleted(port, completed);
            }
        }
    }

    private static boolean complete(final long frame, final int length)
    {
        if (length < EthernetHeaderFlyweight.LENGTH + VlanTag.LENGTH)
        {
            return false;
        }
        final int header = VlanTag.headerOffset(frame, length);
        final int etherType = VlanTag.payloadType(frame, length);
        return etherType == EtherType.IPV4 && PartialChecksum.completeIpv4(frame + header, length - header) ||
            etherType == EtherType.IPV6 && PartialChecksum.completeIpv6(frame + header, length - header);
    }
}

package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.ActiveList;

/**
 * Judges rewritten packets by the access list of their egress port, before they are fragmented. Packets that it denies
 * get disposition DROP and become exceptions; all others are not modified. Packets of the router itself are not judged.
 * A batch that leaves by no port with a list costs one test.
 */
final class AccessOutput
{
    private final AccessInput input;
    private final int ownIngress;
    private final FrameList ipv4 = new FrameList();
    private final FrameList ipv6 = new FrameList();
    private final FrameList denied = new FrameList();

    /** Takes the ingress stage of the same worker, whose lists are used. */
    AccessOutput(final AccessInput input, final int ownIngress)
    {
        this.input = input;
        this.ownIngress = ownIngress;
    }

    /**
     * Judges the packets that are to be sent, by the lists that the last batch of {@link AccessInput} was judged by.
     *
     * @param batch          packets after the rewrite.
     * @param ipv4Exceptions receives the IPv4 packets that are denied, unless it has them.
     * @param ipv6Exceptions receives the IPv6 packets that are denied, unless it has them.
     */
    void process(final FrameBatch batch, final FrameList ipv4Exceptions, final FrameList ipv6Exceptions)
    {
        final AccessLists lists = input.lists();
        long ports = batch.egressPorts() & lists.egressPorts();
        while (ports != 0)
        {
            final int port = Long.numberOfTrailingZeros(ports);
            select(batch, port);
            judge(batch, lists.egress(port), ipv4, false, ipv4Exceptions);
            judge(batch, lists.egress(port), ipv6, true, ipv6Exceptions);
            ports &= ports - 1;
        }
    }

    private void select(final FrameBatch batch, final int port)
    {
        ipv4.clear();
        ipv6.clear();
        for (int i = 0; i < batch.size(); i++)
        {
            if (batch.isToBeSent(i) && batch.egressPort(i) == port && batch.ingressPort(i) != ownIngress)
            {
                final boolean isIpv6 = EthernetHeaderFlyweight.etherType(batch.address(i)) == EtherType.IPV6;
                (isIpv6 ? ipv6 : ipv4).add(i);
            }
        }
    }

    private void judge(
        final FrameBatch batch,
        final ActiveList list,
        final FrameList frames,
        final boolean isIpv6,
        final FrameList exceptions)
    {
        if (frames.size() == 0 || !list.judge(batch, frames, isIpv6, input.keys(), input.worker()))
        {
            return;
        }
        denied.clear();
        int e = 0;
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            while (e < exceptions.size() && exceptions.get(e) < i)
            {
                e++;
            }
            final boolean isException = e < exceptions.size() && exceptions.get(e) == i;
            if (!isException && batch.disposition(i) == Disposition.DROP)
            {
                denied.add(i);
            }
        }
        exceptions.takeAll(denied);
    }
}

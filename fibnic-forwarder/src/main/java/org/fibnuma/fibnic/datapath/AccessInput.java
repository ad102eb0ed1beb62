package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.acl.ActiveList;

/**
 * Judges received packets by the access list of their ingress port. Packets that it denies get disposition DROP; all
 * others are not modified. Frames that an earlier stage has given to the kernel are not judged: ARP, neighbour
 * discovery, groups and broadcasts. A port without a list costs one comparison of references for each batch.
 */
final class AccessInput
{
    private final AccessTable table;
    private final int worker;
    private final AccessKeys keys = new AccessKeys();
    private final FrameList judged = new FrameList();
    private AccessLists lists = AccessLists.NONE;

    AccessInput(final AccessTable table, final int worker)
    {
        this.table = table;
        this.worker = worker;
    }

    /**
     * Judges a batch.
     *
     * @param batch          frames of one port, at least one.
     * @param ipv4           checked ordinary IPv4 packets; loses those that are denied.
     * @param ipv6           checked ordinary IPv6 packets; loses those that are denied.
     * @param ipv4Exceptions judged if their disposition is FORWARD; receives the ordinary packets that are denied.
     * @param ipv6Exceptions judged if their disposition is FORWARD; receives the ordinary packets that are denied.
     */
    void process(
        final FrameBatch batch,
        final FrameList ipv4,
        final FrameList ipv6,
        final FrameList ipv4Exceptions,
        final FrameList ipv6Exceptions)
    {
        refresh();
        final ActiveList list = lists.ingress(batch.ingressPort(0));
        if (list != null)
        {
            judge(batch, list, ipv4, ipv4Exceptions, false);
            judge(batch, list, ipv6, ipv6Exceptions, true);
        }
    }

    private void judge(
        final FrameBatch batch,
        final ActiveList list,
        final FrameList ordinary,
        final FrameList exceptions,
        final boolean isIpv6)
    {
        judged.clear();
        for (int k = 0; k < exceptions.size(); k++)
        {
            if (batch.isForward(exceptions.get(k)))
            {
                judged.add(exceptions.get(k));
            }
        }
        if (judged.size() > 0)
        {
            list.judge(batch, judged, isIpv6, keys, worker);
        }
        if (ordinary.size() > 0 && list.judge(batch, ordinary, isIpv6, keys, worker))
        {
            moveDenied(batch, ordinary, exceptions);
        }
    }

    private static void moveDenied(final FrameBatch batch, final FrameList ordinary, final FrameList exceptions)
    {
        final int count = ordinary.size();
        ordinary.clear();
        for (int k = 0; k < count; k++)
        {
            final int i = ordinary.get(k);
            if (batch.isForward(i))
            {
                ordinary.add(i);
            }
            else
            {
                exceptions.insert(i);
            }
        }
    }

    /** Reads the lists in force, for packets that do not pass {@link #process}. */
    void refresh()
    {
        lists = table.current();
    }

    /** Returns the lists that the last batch was judged by. */
    AccessLists lists()
    {
        return lists;
    }

    /**
     * Returns the rule of a list that decides about a packet, for a trace. Counts and allocates nothing.
     *
     * @param list   of {@link #lists()}.
     * @param batch  batch of the packet.
     * @param i      index of the packet, which has passed the header checks.
     * @return index of the rule, the number of rules if none decides.
     */
    int deciding(final ActiveList list, final FrameBatch batch, final int i, final boolean isIpv6)
    {
        judged.clear();
        judged.add(i);
        return list.deciding(batch, judged, isIpv6, keys);
    }

    AccessKeys keys()
    {
        return keys;
    }

    int worker()
    {
        return worker;
    }
}

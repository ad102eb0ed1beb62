package org.fibnuma.binding.conntrack;

import org.agrona.collections.IntIntConsumer;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.UserException;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpProtocol;

import static org.fibnuma.binding.conntrack.ConntrackEntry.TCP_BE_LIBERAL;
import static org.fibnuma.binding.conntrack.ConntrackEntry.TCP_MAXACK_SET;
import static org.fibnuma.binding.conntrack.ConntrackLayout.TCP_FLAGS_SHIFT;

/**
 * Changes of entries that are sent together, in one system call. Each change is an event
 * {@link ConntrackEvents.Kind#UPDATE} to all listeners. Used by the thread that uses its {@link Conntrack}.
 */
public final class ConntrackBatch
{
    private static final int TCP_FLAGS = TCP_BE_LIBERAL << TCP_FLAGS_SHIFT | TCP_BE_LIBERAL | TCP_MAXACK_SET;

    private final NetlinkExchange exchange;
    private final NetlinkRequest request = new NetlinkRequest(Conntrack.REQUEST_CAPACITY);
    private int size;
    private int refused;

    ConntrackBatch(final NetlinkExchange exchange)
    {
        this.exchange = exchange;
    }

    /** Returns whether the batch must be sent before the next change is added. */
    public boolean isFull()
    {
        return request.capacity() - request.length() < Conntrack.MAX_REQUEST_LENGTH;
    }

    /** Returns the number of changes that were added since the last {@link #send}. */
    public int size()
    {
        return size;
    }

    /**
     * Adds a new timeout of an entry. For TCP the windows of both directions are no longer checked, and the highest
     * acknowledged numbers become invalid, so that the kernel accepts the next packet that it sees, also a RST.
     *
     * @param tuple          of either direction.
     * @param zone           of both directions, 0 to 65,535.
     * @param timeoutSeconds until the entry expires, from now on.
     * @return index of the change in this batch, from 0.
     */
    public int addRefresh(final FlowTuple tuple, final int zone, final int timeoutSeconds)
    {
        begin(tuple, zone).addNetworkInt(ConntrackLayout.CTA_TIMEOUT, timeoutSeconds);
        if (tuple.protocol() == IpProtocol.TCP)
        {
            final int protocol = request.beginNested(ConntrackLayout.CTA_PROTOINFO);
            final int tcp = request.beginNested(ConntrackLayout.CTA_PROTOINFO_TCP);
            request.addNetworkShort(ConntrackLayout.CTA_PROTOINFO_TCP_FLAGS_ORIGINAL, TCP_FLAGS)
                .addNetworkShort(ConntrackLayout.CTA_PROTOINFO_TCP_FLAGS_REPLY, TCP_FLAGS)
                .endNested(tcp).endNested(protocol);
        }
        return size - 1;
    }

    /**
     * Adds a new timeout as {@link #addRefresh} does. The entry is not removed early from now on: the kernel makes
     * entries of UDP {@link ConntrackEntry#ASSURED} by packets that it does not see while a flowtable has them.
     *
     * @return index of the change in this batch, from 0.
     */
    public int addAssuredRefresh(final ConntrackEntry entry, final int timeoutSeconds)
    {
        final int index = addRefresh(entry.original(), entry.zone(), timeoutSeconds);
        if ((entry.status() & ConntrackEntry.ASSURED) == 0)
        {
            request.addNetworkInt(ConntrackLayout.CTA_STATUS, entry.status() | ConntrackEntry.ASSURED);
        }
        return index;
    }

    /**
     * Adds the removal of labels of an entry. An entry without room for labels is refused with ENOSPC: no rule used
     * labels when it was made.
     *
     * @param tuple    of either direction.
     * @param zone     of both directions, 0 to 65,535.
     * @param maskHigh labels 64 to 127 that are removed, as in {@link ConntrackEntry#labelsHigh()}.
     * @param maskLow  labels 0 to 63 that are removed, as in {@link ConntrackEntry#labelsLow()}.
     * @return index of the change in this batch, from 0.
     */
    public int addLabelRemoval(final FlowTuple tuple, final int zone, final long maskHigh, final long maskLow)
    {
        begin(tuple, zone).addLongs(ConntrackLayout.CTA_LABELS, 0, 0)
            .addLongs(ConntrackLayout.CTA_LABELS_MASK, maskLow, maskHigh);
        return size - 1;
    }

    /**
     * Sends all changes and empties the batch. The kernel makes each change independently of the others.
     *
     * @param refusals receives the index and the error number of each refused change: ENOENT if there is no such
     *                 entry, EPERM if its timeout is fixed, ETIME if it is being removed.
     * @return number of refused changes.
     * @throws UserException if the kernel's answer was lost; then it is unknown which changes were refused.
     */
    public int send(final IntIntConsumer refusals)
    {
        if (size == 0)
        {
            return 0;
        }
        refused = 0;
        try
        {
            final int errno = exchange.executeEach(request, (index, number) ->
            {
                refused++;
                refusals.accept(index, number);
            });
            if (errno != 0)
            {
                throw new UserException("netlink: cannot change connections: " + exchange.refusal());
            }
            return refused;
        }
        finally
        {
            request.clear();
            size = 0;
        }
    }

    private NetlinkRequest begin(final FlowTuple tuple, final int zone)
    {
        size++;
        return Conntrack.begin(request, ConntrackLayout.IPCTNL_MSG_CT_NEW, Conntrack.UNNUMBERED, tuple, zone);
    }
}

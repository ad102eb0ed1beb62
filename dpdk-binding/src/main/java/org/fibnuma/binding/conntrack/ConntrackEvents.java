package org.fibnuma.binding.conntrack;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkSocket;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.BiConsumer;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;

/**
 * Receives the changes of the connection tracking table on its own socket. One thread.
 * <p>
 * With {@code net.netfilter.nf_conntrack_events=2}, the default, the kernel reports nothing about an entry that was
 * made before the first listener in any namespace subscribed. The end of such an entry has no event either.
 */
public final class ConntrackEvents implements AutoCloseable
{
    /** Result of {@link #poll}: the kernel dropped events. */
    public static final int LOST = -1;
    /** No netlink socket has this port. */
    public static final int NO_SOCKET = -1;

    private static final int DATAGRAM_LENGTH = 64 * 1024;

    private final NetlinkSocket socket = NetlinkSocket.open(NetlinkLayout.NETLINK_NETFILTER);
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final ConntrackEntry.Decoder decoder = new ConntrackEntry.Decoder();
    private final int ignoredPortId;
    private boolean losing;

    /**
     * Subscribes in the calling thread's network namespace.
     *
     * @param kinds               of the events that are reported.
     * @param ignoredPortId       port of the netlink socket whose changes are not reported, see
     *                            {@link Conntrack#portId()}; {@link #NO_SOCKET} for none.
     * @param receiveBufferLength size in bytes of the socket's receive buffer; each event that waits takes 640 of them.
     * @throws SystemCallException if the kernel refuses.
     */
    public ConntrackEvents(final Set<Kind> kinds, final int ignoredPortId, final int receiveBufferLength)
    {
        this.ignoredPortId = ignoredPortId;
        try
        {
            socket.receiveBuffer(receiveBufferLength);
            socket.reportLosses();
            for (final Kind kind : kinds)
            {
                socket.join(kind.group);
            }
        }
        catch (final SystemCallException ex)
        {
            socket.close();
            throw ex;
        }
    }

    /**
     * Delivers pending events without blocking. Events about entries that {@link ConntrackEntry} cannot represent are
     * counted and not delivered.
     * <p>
     * After a loss the kernel drops all further events until none waits (netlink_overrun, net/netlink/af_netlink.c).
     * So this method returns {@link #LOST} until none does, and delivers what waits. The kernel repeats lost
     * destructions until the socket has room for them, and other lost events with the next packet of their connection
     * (nf_conntrack_deliver_cached_events). Until then an entry may be gone of which the caller does not know.
     *
     * @param handler       receives what happened, and the entry after it.
     * @param mostDatagrams most datagrams to read; usually each has one event.
     * @return number of events, 0 if none waits, or {@link #LOST}.
     */
    public int poll(final BiConsumer<Kind, ConntrackEntry> handler, final int mostDatagrams)
    {
        boolean lost = losing;
        int events = 0;
        for (int i = 0; i < mostDatagrams; i++)
        {
            final int length = socket.receive(buffer);
            if (length == NetlinkSocket.NOTHING)
            {
                losing = false;
                break;
            }
            if (length == NetlinkSocket.LOST)
            {
                losing = true;
            }
            else
            {
                events += deliver(length, handler);
            }
            lost |= losing;
        }
        return lost ? LOST : events;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private int deliver(final int length, final BiConsumer<Kind, ConntrackEntry> handler)
    {
        int events = 0;
        message.wrap(buffer, 0, length);
        while (message.next())
        {
            events++;
            final Kind kind = message.portId() == ignoredPortId ? null : kind();
            final ConntrackEntry entry = kind == null ? null : decoder.decode(message);
            if (entry != null)
            {
                handler.accept(kind, entry);
            }
        }
        losing |= message.isMalformed();
        return events;
    }

    /** Returns null for a message that is not about an entry. */
    private Kind kind()
    {
        if (message.type() == ConntrackLayout.IPCTNL_MSG_CT_DELETE)
        {
            return Kind.DESTROY;
        }
        return message.type() != ConntrackLayout.IPCTNL_MSG_CT_NEW ? null :
            (message.flags() & NLM_F_CREATE) != 0 ? Kind.NEW : Kind.UPDATE;
    }

    /** What happened to an entry. */
    public enum Kind
    {
        /** It was made: the first packet has passed. */
        NEW(ConntrackLayout.NFNLGRP_CONNTRACK_NEW),
        /** Its status, its state or another attribute changed. */
        UPDATE(ConntrackLayout.NFNLGRP_CONNTRACK_UPDATE),
        /** It was removed. */
        DESTROY(ConntrackLayout.NFNLGRP_CONNTRACK_DESTROY);

        private final int group;

        Kind(final int group)
        {
            this.group = group;
        }
    }
}

package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NfnetlinkLayout;
import org.fibnuma.core.UserException;
import org.fibnuma.core.flow.FlowTuple;

import java.util.function.Consumer;

/**
 * Requests to connection tracking, on its own socket in the network namespace of the thread that made it. One thread.
 * Methods throw {@link org.fibnuma.binding.libc.SystemCallException} if the socket fails.
 */
public final class Conntrack implements AutoCloseable
{
    private static final int REQUEST_CAPACITY = 1024;

    private final NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_NETFILTER);
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final ConntrackEntry.Decoder decoder = new ConntrackEntry.Decoder();
    private final int portId = exchange.portId();
    private boolean answered;
    private ConntrackEntry answer;

    /** Returns the port of the socket, which events name as the sender of the changes that this object requests. */
    public int portId()
    {
        return portId;
    }

    /**
     * Reads one entry.
     *
     * @param tuple of either direction.
     * @param zone  of both directions, 0 to 65,535.
     * @return the entry; null if there is none, or if it is one that {@link ConntrackEntry} cannot represent.
     * @throws UserException if the kernel refuses for another reason.
     */
    public ConntrackEntry get(final FlowTuple tuple, final int zone)
    {
        answered = false;
        answer = null;
        begin(request.clear(), ConntrackLayout.IPCTNL_MSG_CT_GET, exchange.nextSequence(), tuple, zone);
        exchange.beginDump(request);
        int result = NetlinkExchange.MORE;
        while (result == NetlinkExchange.MORE && !answered)
        {
            result = exchange.continueDump(this::onAnswer);
        }
        if (!answered && !Errno.ENOENT.is(result))
        {
            throw new UserException("netlink: cannot read the connection " + tuple + ": " + exchange.refusal());
        }
        return answer;
    }

    /**
     * Reads the table. Entries that appear or end meanwhile are passed or not. An entry may be passed more than once.
     * The handler may poll {@link ConntrackEvents}, but must not use this object.
     *
     * @param statusMask  bits such as {@link ConntrackEntry#OFFLOAD} that are compared; 0 for all entries.
     * @param statusValue values of the compared bits in the entries that are passed; 0 in all other bits.
     * @param handler     of the entries.
     * @throws UserException if the kernel refuses.
     */
    public void dump(final int statusMask, final int statusValue, final Consumer<ConntrackEntry> handler)
    {
        int attempts = 0;
        do
        {
            request.clear().begin(ConntrackLayout.IPCTNL_MSG_CT_GET, NetlinkLayout.NLM_F_DUMP,
                exchange.nextSequence(), NfnetlinkLayout.LENGTH);
            if (statusMask != 0)
            {
                request.addNetworkInt(ConntrackLayout.CTA_STATUS, statusValue)
                    .addNetworkInt(ConntrackLayout.CTA_STATUS_MASK, statusMask);
            }
            final int errno = exchange.dump(request, message ->
            {
                final ConntrackEntry entry = decode(message);
                // Kernels before 5.15 ignore the filter.
                if (entry != null && (entry.status() & statusMask) == statusValue)
                {
                    handler.accept(entry);
                }
            });
            if (errno != 0)
            {
                throw new UserException("netlink: cannot list the connections: " + exchange.refusal());
            }
            attempts++;
        }
        while (exchange.wasInterrupted() && attempts < NetlinkExchange.DUMP_ATTEMPTS);
    }

    /** Returns a new, empty batch of changes, which is sent by this object's socket. */
    public ConntrackBatch newBatch()
    {
        return new ConntrackBatch(exchange);
    }

    @Override
    public void close()
    {
        exchange.close();
    }

    /** Starts a request about one entry, with the family of its tuple. */
    static NetlinkRequest begin(
        final NetlinkRequest request, final int type, final int sequence, final FlowTuple tuple, final int zone)
    {
        request.begin(type, 0, sequence, NfnetlinkLayout.LENGTH)
            .putByte(NfnetlinkLayout.FAMILY_OFFSET, tuple.isIpv6() ? SysSocket.AF_INET6 : SysSocket.AF_INET);
        TupleCodec.write(request, ConntrackLayout.CTA_TUPLE_ORIG, tuple);
        return zone == 0 ? request : request.addNetworkShort(ConntrackLayout.CTA_ZONE, zone);
    }

    private void onAnswer(final NetlinkMessageFlyweight message)
    {
        answered = true;
        answer = decode(message);
    }

    private ConntrackEntry decode(final NetlinkMessageFlyweight message)
    {
        return message.type() == ConntrackLayout.IPCTNL_MSG_CT_NEW ? decoder.decode(message) : null;
    }
}

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

import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * Requests to connection tracking, on its own socket in the network namespace of the thread that made it. One thread.
 * Methods throw {@link org.fibnuma.binding.libc.SystemCallException} if the socket fails.
 */
public final class Conntrack implements AutoCloseable
{
    /** Length of all requests that are sent at once, within a socket's default send buffer of 208 KiB. */
    static final int REQUEST_CAPACITY = 64 * 1024;
    static final int MAX_REQUEST_LENGTH = 256;
    /** Number of a request until it is sent. */
    static final int UNNUMBERED = 0;

    private final NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_NETFILTER);
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final ConntrackEntry.Decoder decoder = new ConntrackEntry.Decoder();
    private final int portId = exchange.portId();
    private int dumpMask;
    private int dumpValue;
    private int dumpAttempts;

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
        final ConntrackEntry[] found = new ConntrackEntry[1];
        get(List.of(tuple), zone, (entry, index) -> found[0] = entry);
        return found[0];
    }

    /**
     * Reads entries, many in one system call.
     *
     * @param tuples  of either direction.
     * @param zone    of both directions of all, 0 to 65,535.
     * @param handler receives each entry with the index of its tuple, in any order; none for a tuple without an entry,
     *                or with one that {@link ConntrackEntry} cannot represent. Must not use this object.
     * @throws UserException if the kernel refuses for another reason.
     */
    public void get(final List<FlowTuple> tuples, final int zone, final ObjIntConsumer<ConntrackEntry> handler)
    {
        int first = 0;
        request.clear();
        for (int i = 0; i < tuples.size(); i++)
        {
            begin(request, ConntrackLayout.IPCTNL_MSG_CT_GET, UNNUMBERED, tuples.get(i), zone);
            if (i == tuples.size() - 1 || request.capacity() - request.length() < MAX_REQUEST_LENGTH)
            {
                read(tuples, first, handler);
                request.clear();
                first = i + 1;
            }
        }
    }

    private void read(final List<FlowTuple> tuples, final int first, final ObjIntConsumer<ConntrackEntry> handler)
    {
        final int errno = exchange.executeEach(request, (index, number) ->
        {
            if (!Errno.ENOENT.is(number))
            {
                throw new UserException(
                    "netlink: cannot read the connection " + tuples.get(first + index) + ": " + Errno.text(number));
            }
        }, (message, index) ->
        {
            final ConntrackEntry entry = decode(message);
            if (entry != null)
            {
                handler.accept(entry, first + index);
            }
        });
        if (errno != 0)
        {
            throw new UserException("netlink: cannot read connections: " + exchange.refusal());
        }
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
        beginDump(statusMask, statusValue);
        boolean isComplete;
        do
        {
            isComplete = continueDump(handler);
        }
        while (!isComplete);
    }

    /**
     * Begins to read the table as {@link #dump} does, in parts by {@link #continueDump}. No other method may be called
     * until that has returned true.
     */
    public void beginDump(final int statusMask, final int statusValue)
    {
        dumpMask = statusMask;
        dumpValue = statusValue;
        dumpAttempts = 0;
        requestDump();
    }

    /**
     * Reads a part of the table, of up to 32 KiB or about 100 entries.
     *
     * @param handler of the entries.
     * @return whether the table was read to its end.
     * @throws UserException if the kernel refuses.
     */
    public boolean continueDump(final Consumer<ConntrackEntry> handler)
    {
        final int result = exchange.continueDump(message ->
        {
            final ConntrackEntry entry = decode(message);
            // Kernels before 5.15 ignore the filter.
            if (entry != null && (entry.status() & dumpMask) == dumpValue)
            {
                handler.accept(entry);
            }
        });
        if (result == NetlinkExchange.MORE)
        {
            return false;
        }
        if (result != 0)
        {
            throw new UserException("netlink: cannot list the connections: " + exchange.refusal());
        }
        if (!exchange.wasInterrupted() || dumpAttempts == NetlinkExchange.DUMP_ATTEMPTS)
        {
            return true;
        }
        requestDump();
        return false;
    }

    private void requestDump()
    {
        dumpAttempts++;
        request.clear().begin(ConntrackLayout.IPCTNL_MSG_CT_GET, NetlinkLayout.NLM_F_DUMP,
            exchange.nextSequence(), NfnetlinkLayout.LENGTH);
        if (dumpMask != 0)
        {
            request.addNetworkInt(ConntrackLayout.CTA_STATUS, dumpValue)
                .addNetworkInt(ConntrackLayout.CTA_STATUS_MASK, dumpMask);
        }
        exchange.beginDump(request);
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

    private ConntrackEntry decode(final NetlinkMessageFlyweight message)
    {
        return message.type() == ConntrackLayout.IPCTNL_MSG_CT_NEW ? decoder.decode(message) : null;
    }
}

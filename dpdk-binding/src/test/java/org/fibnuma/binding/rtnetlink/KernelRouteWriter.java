package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelRoute;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_ACK;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * Installs routes in the kernel, many with one system call, for tests with full Internet tables.
 * Needs CAP_NET_ADMIN in the network namespace of the thread that opened it. One thread.
 */
public final class KernelRouteWriter implements AutoCloseable
{
    // Below the default send buffer of a socket (net.core.wmem_default), which limits one request.
    private static final int BATCH_LENGTH = 64 * 1024;
    private static final int MAX_REQUEST_LENGTH = 96;
    private static final int MAX_TABLE_IN_HEADER = 255;

    private final NetlinkExchange exchange;
    private final NetlinkRequest request = new NetlinkRequest(BATCH_LENGTH);
    private final KernelRoute[] batch = new KernelRoute[BATCH_LENGTH / RouteLayout.LENGTH];
    private int count;
    private int lastSequence;

    /**
     * Opens a socket in the calling thread's network namespace.
     *
     * @throws UserException where the kernel refuses.
     */
    public KernelRouteWriter()
    {
        try
        {
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE);
        }
        catch (final SystemCallException ex)
        {
            throw new UserException("netlink: " + ex.getMessage(), ex);
        }
    }

    /**
     * Adds a route, or replaces the one with its prefix, table and metric. Takes effect with the next {@link #flush} at
     * the latest.
     *
     * @param route of a kind other than OTHER.
     * @throws UserException naming the route that the kernel refused; those before it are installed.
     */
    public void put(final KernelRoute route)
    {
        append(RouteLayout.RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, route)
            .putByte(RouteLayout.PROTOCOL_OFFSET, RouteLayout.RTPROT_STATIC)
            .putByte(RouteLayout.TYPE_OFFSET, type(route.kind()))
            .putByte(RouteLayout.SCOPE_OFFSET, scope(route));
        if (!route.gateway().isNone())
        {
            request.addAddress(RouteLayout.RTA_GATEWAY, route.gateway());
        }
        if (route.interfaceIndex() != 0)
        {
            request.addInt(RouteLayout.RTA_OIF, route.interfaceIndex());
        }
    }

    /**
     * Removes a route. Takes effect with the next {@link #flush} at the latest.
     *
     * @param route identified by prefix, table and metric; metric 0 matches any.
     * @throws UserException naming the route that the kernel refused; those before it are removed.
     */
    public void remove(final KernelRoute route)
    {
        append(RouteLayout.RTM_DELROUTE, 0, route).putByte(RouteLayout.SCOPE_OFFSET, RouteLayout.RT_SCOPE_NOWHERE);
    }

    /**
     * Sends pending changes and waits for the kernel's answer.
     *
     * @throws UserException naming the route that the kernel refused.
     */
    public void flush()
    {
        if (count == 0)
        {
            return;
        }
        request.addFlags(NLM_F_ACK);
        try
        {
            if (exchange.execute(request) != 0)
            {
                final KernelRoute refused = batch[count - 1 - (lastSequence - exchange.refusedSequence())];
                throw new UserException("netlink: the kernel refused the route " +
                    refused.network() + "/" + refused.prefixLength() + ": " + exchange.refusal());
            }
        }
        catch (final SystemCallException ex)
        {
            throw new UserException("netlink: " + ex.getMessage(), ex);
        }
        finally
        {
            request.clear();
            count = 0;
        }
    }

    /** Closes the socket. Changes that were not flushed are lost. */
    @Override
    public void close()
    {
        exchange.close();
    }

    private NetlinkRequest append(final int messageType, final int flags, final KernelRoute route)
    {
        if (request.capacity() - request.length() < MAX_REQUEST_LENGTH)
        {
            flush();
        }
        lastSequence = exchange.nextSequence();
        batch[count++] = route;
        request.begin(messageType, flags, lastSequence, RouteLayout.LENGTH)
            .putByte(RouteLayout.FAMILY_OFFSET, route.isIpv6() ? SysSocket.AF_INET6 : SysSocket.AF_INET)
            .putByte(RouteLayout.PREFIX_LENGTH_OFFSET, route.prefixLength())
            .addAddress(RouteLayout.RTA_DST, route.network());
        if (route.metric() != 0)
        {
            request.addInt(RouteLayout.RTA_PRIORITY, route.metric());
        }
        if (route.table() > MAX_TABLE_IN_HEADER)
        {
            request.addInt(RouteLayout.RTA_TABLE, route.table());
        }
        else
        {
            request.putByte(RouteLayout.TABLE_OFFSET, route.table());
        }
        return request;
    }

    private static int scope(final KernelRoute route)
    {
        return switch (route.kind())
        {
            case UNICAST -> route.gateway().isNone() ? RouteLayout.RT_SCOPE_LINK : RouteLayout.RT_SCOPE_UNIVERSE;
            case LOCAL -> RouteLayout.RT_SCOPE_HOST;
            case BROADCAST -> RouteLayout.RT_SCOPE_LINK;
            default -> RouteLayout.RT_SCOPE_UNIVERSE;
        };
    }

    private static int type(final KernelRoute.Kind kind)
    {
        return switch (kind)
        {
            case UNICAST -> RouteLayout.RTN_UNICAST;
            case LOCAL -> RouteLayout.RTN_LOCAL;
            case BROADCAST -> RouteLayout.RTN_BROADCAST;
            case BLACKHOLE -> RouteLayout.RTN_BLACKHOLE;
            case UNREACHABLE -> RouteLayout.RTN_UNREACHABLE;
            case PROHIBIT -> RouteLayout.RTN_PROHIBIT;
            case SOURCE_SPECIFIC, TOS_SPECIFIC, OTHER ->
                throw new IllegalArgumentException("a route of kind " + kind + " cannot be installed");
        };
    }
}

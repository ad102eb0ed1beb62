package org.fibnuma.binding.netfilter;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.UserException;

import java.nio.ByteBuffer;

/**
 * The generations of the ruleset of nftables in the network namespace of the thread that opened it. The kernel counts
 * one for each transaction, also for one that changes the elements of a set. One thread.
 */
public final class RulesetChanges implements AutoCloseable
{
    /** Result of {@link #poll}: no other process has changed the ruleset. */
    public static final int UNCHANGED = 0;

    private static final int DATAGRAM_LENGTH = 64 * 1024;
    private static final int REQUEST_CAPACITY = 64;

    private final NetlinkExchange exchange;
    private final NetlinkSocket notifications;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);

    private RulesetChanges(final NetlinkExchange exchange, final NetlinkSocket notifications)
    {
        this.exchange = exchange;
        this.notifications = notifications;
    }

    /**
     * Subscribes to notifications.
     *
     * @throws SystemCallException if the kernel refuses.
     */
    public static RulesetChanges open()
    {
        final NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_NETFILTER);
        NetlinkSocket notifications = null;
        try
        {
            notifications = NetlinkSocket.open(NetlinkLayout.NETLINK_NETFILTER);
            notifications.join(NftablesLayout.NFNLGRP_NFTABLES);
            return new RulesetChanges(exchange, notifications);
        }
        catch (final SystemCallException ex)
        {
            CloseHelper.closeAll(notifications, exchange);
            throw ex;
        }
    }

    /**
     * Receives pending notifications.
     *
     * @param ownPortId port of the {@link FlowLabelTable} of this process, whose changes do not count.
     * @return the latest generation that another process has made, or {@link #UNCHANGED}. It is the current one if
     *         notifications were lost.
     * @throws UserException if the kernel refuses to report the generation after a loss.
     */
    public int poll(final int ownPortId)
    {
        int latest = UNCHANGED;
        int length = notifications.receive(buffer);
        while (length != NetlinkSocket.NOTHING)
        {
            if (length == NetlinkSocket.LOST)
            {
                latest = generation();
            }
            message.wrap(buffer, 0, Math.max(0, length));
            while (message.next())
            {
                if (message.type() == NftablesLayout.NFT_MSG_NEWGEN && message.portId() != ownPortId)
                {
                    latest = readGeneration();
                }
            }
            length = notifications.receive(buffer);
        }
        return latest;
    }

    /**
     * Returns the current generation, from 1; 0 if this kernel has no nf_tables.
     *
     * @throws UserException if the kernel refuses.
     */
    public int generation()
    {
        return generation(exchange, request);
    }

    static int generation(final NetlinkExchange exchange, final NetlinkRequest request)
    {
        final int[] generation = {0};
        final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
        exchange.beginDump(request.clear().begin(
            NftablesLayout.NFT_MSG_GETGEN, 0, exchange.nextSequence(), NftablesLayout.LENGTH));
        final int result = exchange.continueDump(message ->
        {
            if (message.wrapAttributes(attributes, NftablesLayout.LENGTH) &&
                attributes.find(NftablesLayout.NFTA_GEN_ID))
            {
                generation[0] = attributes.networkIntValue(0);
            }
        });
        if (result > 0 && !NftablesRuleset.isWithoutNftables(result))
        {
            throw new UserException("netlink: cannot read the generation of the host's nftables: " +
                exchange.refusal());
        }
        return generation[0];
    }

    private int readGeneration()
    {
        return message.wrapAttributes(attributes, NftablesLayout.LENGTH) &&
            attributes.find(NftablesLayout.NFTA_GEN_ID) ? attributes.networkIntValue(0) : generation();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(notifications, exchange);
    }
}

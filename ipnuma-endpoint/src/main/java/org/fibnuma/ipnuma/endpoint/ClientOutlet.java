package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.host.ClientRings;
import org.fibnuma.ipnuma.client.host.PeerOutlet;

import java.util.function.IntFunction;

/**
 * Passes requests of clients in other processes to the channels of peers. While a peer cannot be reached, requests to
 * it wait in their ring.
 */
final class ClientOutlet implements PeerOutlet
{
    private IntFunction<PeerChannel> channels = pcId -> null;
    private ClientRings rings;
    /** The channel with requests that have not been flushed. */
    private PeerChannel unflushed;

    /** Sets the rings and the channels, before the first duty cycle. */
    void connect(final ClientRings clientRings, final IntFunction<PeerChannel> channelsByPcId)
    {
        rings = clientRings;
        channels = channelsByPcId;
    }

    @Override
    public boolean hasPeer(final int peerId)
    {
        return channels.apply(peerId) != null;
    }

    @Override
    public int longestWrite(final int peerId)
    {
        return channels.apply(peerId).longestWrite();
    }

    @Override
    public boolean write(
        final long target,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        final PeerChannel channel = channel(target);
        return channel.write(ClientMessage.remoteAddress(target), key, dataAddress, length, ordered, tag) &&
            (tag == 0 || hold(channel));
    }

    @Override
    public boolean passesByMemory(final int peerId)
    {
        return channels.apply(peerId).passesByMemory();
    }

    @Override
    public boolean scatter(
        final long target, final long key, final long listAddress, final int length, final long tag)
    {
        return channel(target).scatter(ClientMessage.remoteAddress(target), key, listAddress, length, tag);
    }

    @Override
    public boolean read(final long target, final long key, final int length, final long tag)
    {
        final PeerChannel channel = channel(target);
        if (length > channel.longestRead())
        {
            rings.onRead(tag, 0, 0, ClientStatus.UNSUPPORTED);
            return true;
        }
        return channel.read(ClientMessage.remoteAddress(target), key, length, tag) && hold(channel);
    }

    @Override
    public boolean atomic(
        final int operation,
        final long target,
        final long key,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        final PeerChannel channel = channel(target);
        if (channel.longestRead() == 0)
        {
            rings.onAtomic(tag, 0, ClientStatus.UNSUPPORTED);
            return true;
        }
        return channel.atomic(
            operation, ClientMessage.remoteAddress(target), key, operand, compare, width, tag) && hold(channel);
    }

    private PeerChannel channel(final long target)
    {
        return channels.apply(ClientMessage.peerId(target));
    }

    @Override
    public boolean doorbell(final int peerId)
    {
        final PeerChannel channel = channels.apply(peerId);
        return channel.doorbell() && hold(channel);
    }

    @Override
    public boolean flush(final int peerId)
    {
        channels.apply(peerId).flush();
        return true;
    }

    @Override
    public boolean isUp(final int peerId)
    {
        return channels.apply(peerId).isUp();
    }

    /** Delays the requests of a duty cycle until its end, so that they share datagrams. Always returns true. */
    private boolean hold(final PeerChannel channel)
    {
        if (unflushed != channel)
        {
            flushRequests();
            unflushed = channel;
        }
        return true;
    }

    /** Forgets delayed requests, whose connection was ended. */
    void forget()
    {
        unflushed = null;
    }

    /** Sends the delayed requests, at the end of a duty cycle. */
    void flushRequests()
    {
        if (unflushed != null)
        {
            unflushed.flush();
            unflushed = null;
        }
    }
}

package org.fibnuma.ipnuma.endpoint;

import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.host.ClientRings;
import org.fibnuma.ipnuma.client.host.PeerOutlet;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.function.IntFunction;

/**
 * The way from clients in other processes to the channels of peers, with the keys that clients have told. While a peer
 * cannot be reached, records to it wait in their ring.
 */
final class ClientOutlet implements PeerOutlet
{
    private final Long2LongHashMap keys = new Long2LongHashMap(Region.NO_KEY);
    private IntFunction<PeerChannel> channels = pcId -> null;
    private ClientRings rings;
    /** Holds questions that have not left. */
    private PeerChannel asked;

    /** Before the first turn. */
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
    public boolean write(
        final int peerId, final long remoteAddress, final long dataAddress, final int length, final boolean ordered)
    {
        return channels.apply(peerId).write(remoteAddress, key(peerId, remoteAddress), dataAddress, length, ordered);
    }

    @Override
    public boolean read(final int peerId, final long remoteAddress, final int length, final long tag)
    {
        final PeerChannel channel = channels.apply(peerId);
        if (length > channel.longestRead())
        {
            rings.onRead(tag, 0, 0, ClientStatus.UNSUPPORTED);
            return true;
        }
        return channel.read(remoteAddress, key(peerId, remoteAddress), length, tag) && hold(channel);
    }

    @Override
    public boolean atomic(
        final int peerId,
        final int operation,
        final long remoteAddress,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        final PeerChannel channel = channels.apply(peerId);
        if (channel.longestRead() == 0)
        {
            rings.onAtomic(tag, 0, ClientStatus.UNSUPPORTED);
            return true;
        }
        return channel.atomic(operation, remoteAddress, key(peerId, remoteAddress), operand, compare, width, tag) &&
            hold(channel);
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

    /** Who asks waits: what was asked in a turn leaves at its end, and together. Always true. */
    private boolean hold(final PeerChannel channel)
    {
        if (asked != channel)
        {
            flushQuestions();
            asked = channel;
        }
        return true;
    }

    /** At the end of a turn. */
    void flushQuestions()
    {
        if (asked != null)
        {
            asked.flush();
            asked = null;
        }
    }

    @Override
    public void key(final int peerId, final int regionId, final long key)
    {
        if (key == Region.NO_KEY)
        {
            keys.remove(keyOf(peerId, regionId));
        }
        else
        {
            keys.put(keyOf(peerId, regionId), key);
        }
    }

    private long key(final int peerId, final long remoteAddress)
    {
        return keys.get(keyOf(peerId, RemoteAddress.regionId(remoteAddress)));
    }

    private static long keyOf(final int peerId, final int regionId)
    {
        return (long)peerId << Integer.SIZE | regionId;
    }
}

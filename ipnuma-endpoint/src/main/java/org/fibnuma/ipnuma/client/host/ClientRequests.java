package org.fibnuma.ipnuma.client.host;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.CompanionWrites;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.function.IntFunction;

/**
 * Executes the records of the clients, and the writes of a client whose thread runs the endpoint. A record that cannot
 * be executed now stays in its ring. An invalid record ends its client. The client may overwrite a record at any time:
 * every number is therefore read once and validated before it is used.
 */
final class ClientRequests implements ControlledMessageHandler
{
    private static final int ANSWER_LENGTH = Long.BYTES + ClientMessage.ANSWER_DATA_OFFSET;

    private static final long NO_TAG = 0;

    private final ClientRegions regions;
    private final PendingAnswers pending;
    /** Returns the channel of a peer by PC ID, or null. */
    private IntFunction<PeerChannel> channels = peerId -> null;
    /** The channel with requests that are sent at the end of the duty cycle; null if there is none. */
    private PeerChannel held;
    private ClientSlot slot;

    ClientRequests(final ClientRegions regions, final PendingAnswers pending)
    {
        this.regions = regions;
        this.pending = pending;
    }

    /** Sets the channels of the peers, before the first duty cycle. */
    void connect(final IntFunction<PeerChannel> channelsByPcId)
    {
        channels = channelsByPcId;
    }

    /** Returns the writes of a client whose thread runs the endpoint. */
    CompanionWrites writes(final ClientSlot client)
    {
        return new SlotWrites(client);
    }

    /** Executes up to {@code limit} records of a client and returns their number. */
    int poll(final ClientSlot client, final int limit)
    {
        slot = client;
        client.reportOwedFailures();
        return client.read(this, limit);
    }

    @Override
    public Action onMessage(
        final int requestType, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final int type = ClientMessage.type(requestType);
        if (requestType < 0 || length < ClientMessage.MIN_REQUEST_LENGTH)
        {
            return invalid();
        }
        final long target = buffer.getLong(index + ClientMessage.TARGET_OFFSET);
        final long correlation = buffer.getLong(index + ClientMessage.CORRELATION_OFFSET);
        if (type <= ClientMessage.FLUSH &&
            slot.isOutdated(ClientMessage.peerId(target), ClientMessage.generation(requestType)))
        {
            return unsent(type, target, correlation);
        }
        switch (type)
        {
            case ClientMessage.WRITE:
                return write(target, correlation, buffer, index, length);
            case ClientMessage.READ:
                return read(target, correlation, buffer, index, length);
            case ClientMessage.ATOMIC:
                return atomic(target, correlation, buffer, index, length);
            case ClientMessage.DOORBELL:
                return doorbell(target);
            case ClientMessage.FLUSH:
                return flush(target, correlation);
            case ClientMessage.ADD_REGION:
                return addRegion(correlation, buffer, index, length);
            case ClientMessage.REMOVE_REGION:
                return removeRegion(target, correlation);
            case ClientMessage.SET_KEY:
                return setKey(target, correlation, buffer, index, length);
            default:
                return invalid();
        }
    }

    /** Refuses a request that was sent to a lost connection. */
    private Action unsent(final int type, final long target, final long correlation)
    {
        return switch (type)
        {
            case ClientMessage.READ -> answer(ClientMessage.READ_DONE, correlation, ClientStatus.UNANSWERED);
            case ClientMessage.ATOMIC -> answer(ClientMessage.ATOMIC_DONE, correlation, ClientStatus.UNANSWERED);
            case ClientMessage.FLUSH -> correlation == 0 ?
                Action.CONTINUE :
                answer(ClientMessage.DONE, correlation, ClientStatus.UNANSWERED);
            case ClientMessage.WRITE -> correlation == 0 ?
                refused(target, ClientStatus.UNANSWERED) :
                answer(ClientMessage.WRITE_DONE, correlation, ClientStatus.NOT_SENT);
            case ClientMessage.DOORBELL -> refused(target, ClientStatus.UNANSWERED);
            default -> invalid();
        };
    }

    private Action invalid()
    {
        slot.markInvalid(ClientSlot.INVALID_RECORD);
        return Action.ABORT;
    }

    private Action write(
        final long target, final long correlation, final MutableDirectBuffer buffer, final int index, final int length)
    {
        if (length < ClientMessage.DATA_OFFSET)
        {
            return invalid();
        }
        final int bytes = buffer.getInt(index + ClientMessage.LENGTH_OFFSET);
        final int flags = buffer.getInt(index + ClientMessage.FLAGS_OFFSET);
        if (bytes < 1 || bytes > ClientMessage.MAX_DATA_LENGTH || bytes > length - ClientMessage.DATA_OFFSET)
        {
            return invalid();
        }
        final PeerChannel channel = channel(target);
        final int refusal = refusalOfWrite(channel, target, bytes);
        if (refusal != ClientStatus.OK)
        {
            return correlation == 0 ?
                refused(target, refusal) : answer(ClientMessage.WRITE_DONE, correlation, refusal);
        }
        return write(channel, target, buffer.addressOffset() + index + ClientMessage.DATA_OFFSET, bytes, flags,
            correlation) ? Action.CONTINUE : Action.ABORT;
    }

    private PeerChannel channel(final long target)
    {
        return channels.apply(ClientMessage.peerId(target));
    }

    private static int refusalOfWrite(final PeerChannel channel, final long target, final int bytes)
    {
        final int refusal = refusal(channel, target, bytes);
        return refusal == ClientStatus.OK && bytes > channel.longestWrite() ? ClientStatus.UNSUPPORTED : refusal;
    }

    /** Returns the reason why no peer allows access to these bytes, or {@link ClientStatus#OK}. */
    private static int refusal(final PeerChannel channel, final long target, final int bytes)
    {
        if (channel == null)
        {
            return ClientStatus.NO_PEER;
        }
        return RemoteAddress.isLeaving(ClientMessage.remoteAddress(target), bytes) ?
            AccessStatus.OUT_OF_RANGE : ClientStatus.OK;
    }

    /** Executes a write and its flush. Returns false, without effect, if there is no room. */
    private boolean write(
        final PeerChannel channel,
        final long target,
        final long dataAddress,
        final int length,
        final int flags,
        final long correlation)
    {
        final long tag = awaitWrite(correlation);
        if (correlation != 0 && tag == PendingAnswers.FULL || !isTaken(tag, channel.write(
            ClientMessage.remoteAddress(target), slot.key(target), dataAddress, length,
            (flags & ClientMessage.ORDERED) != 0, tag)))
        {
            return false;
        }
        if (tag != NO_TAG)
        {
            hold(channel);
        }
        if ((flags & ClientMessage.THEN_FLUSH) != 0)
        {
            channel.flush();
        }
        return true;
    }

    /** Delays the requests of a duty cycle until its end, so that they share datagrams. */
    private void hold(final PeerChannel channel)
    {
        if (held != channel)
        {
            flushHeld();
            held = channel;
        }
    }

    void flushHeld()
    {
        if (held != null)
        {
            held.flush();
            held = null;
        }
    }

    /** Discards the delayed requests after the end of their connection. */
    void forgetHeld()
    {
        held = null;
    }

    private Action refused(final long target, final int status)
    {
        slot.event(ClientMessage.PEER_ERROR, ClientMessage.peerId(target), status,
            ClientMessage.remoteAddress(target));
        return Action.CONTINUE;
    }

    private Action read(
        final long target, final long correlation, final MutableDirectBuffer buffer, final int index, final int length)
    {
        if (length < ClientMessage.FLAGS_OFFSET)
        {
            return invalid();
        }
        final int bytes = buffer.getInt(index + ClientMessage.LENGTH_OFFSET);
        if (bytes < 1 || bytes > ClientMessage.MAX_DATA_LENGTH)
        {
            return answer(ClientMessage.READ_DONE, correlation, ClientStatus.BAD_REQUEST);
        }
        final PeerChannel channel = channel(target);
        final int refusal = refusal(channel, target, bytes);
        if (refusal != ClientStatus.OK)
        {
            return answer(ClientMessage.READ_DONE, correlation, refusal);
        }
        if (bytes > channel.longestRead())
        {
            return answer(ClientMessage.READ_DONE, correlation, ClientStatus.UNSUPPORTED);
        }
        final long tag = await(ClientMessage.READ_DONE, correlation, ANSWER_LENGTH + bytes);
        if (tag == PendingAnswers.FULL)
        {
            return Action.ABORT;
        }
        return sent(channel, tag,
            channel.read(ClientMessage.remoteAddress(target), slot.key(target), bytes, tag));
    }

    private Action atomic(
        final long target, final long correlation, final MutableDirectBuffer buffer, final int index, final int length)
    {
        if (length < ClientMessage.ATOMIC_LENGTH)
        {
            return invalid();
        }
        final int operation = buffer.getInt(index + ClientMessage.OPERATION_OFFSET);
        final int width = buffer.getInt(index + ClientMessage.WIDTH_OFFSET);
        final PeerChannel channel = channel(target);
        final int refusal = refusalOfAtomic(channel, target, operation, width);
        if (refusal != ClientStatus.OK)
        {
            return answer(ClientMessage.ATOMIC_DONE, correlation, refusal);
        }
        final long tag = await(ClientMessage.ATOMIC_DONE, correlation, ANSWER_LENGTH);
        if (tag == PendingAnswers.FULL)
        {
            return Action.ABORT;
        }
        return sent(channel, tag, channel.atomic(operation, ClientMessage.remoteAddress(target), slot.key(target),
            buffer.getLong(index + ClientMessage.OPERAND_OFFSET), buffer.getLong(index + ClientMessage.COMPARE_OFFSET),
            width, tag));
    }

    private static int refusalOfAtomic(
        final PeerChannel channel, final long target, final int operation, final int width)
    {
        if (operation < AtomicOperation.FETCH_ADD || operation > AtomicOperation.COMPARE_SWAP ||
            width != Integer.BYTES && width != Long.BYTES)
        {
            return ClientStatus.BAD_REQUEST;
        }
        final int refusal = refusal(channel, target, width);
        if (refusal != ClientStatus.OK)
        {
            return refusal;
        }
        if ((target & width - 1) != 0)
        {
            return AccessStatus.MISALIGNED;
        }
        return channel.longestRead() == 0 ? ClientStatus.UNSUPPORTED : ClientStatus.OK;
    }

    private long await(final int answerType, final long correlation, final int answerLength)
    {
        if (!slot.reserve(answerLength))
        {
            return PendingAnswers.FULL;
        }
        final long tag = pending.add(slot, answerType, correlation, answerLength);
        if (tag == PendingAnswers.FULL)
        {
            slot.unreserve(answerLength);
        }
        return tag;
    }

    private long awaitWrite(final long correlation)
    {
        return correlation == 0 ? NO_TAG : await(ClientMessage.WRITE_DONE, correlation, ANSWER_LENGTH);
    }

    private Action sent(final PeerChannel channel, final long tag, final boolean accepted)
    {
        if (!isTaken(tag, accepted))
        {
            return Action.ABORT;
        }
        hold(channel);
        return Action.CONTINUE;
    }

    /**
     * Withdraws the request tag of a request that the channel did not accept. Returns whether the channel accepted it.
     */
    private boolean isTaken(final long tag, final boolean accepted)
    {
        if (!accepted)
        {
            withdraw(tag);
        }
        return accepted;
    }

    /** Releases a request tag unless its answer has already arrived. */
    private void withdraw(final long tag)
    {
        if (pending.slot(tag) != null)
        {
            pending.remove(tag);
        }
    }

    private Action doorbell(final long target)
    {
        final PeerChannel channel = channel(target);
        if (channel == null)
        {
            return refused(target, ClientStatus.NO_PEER);
        }
        if (!channel.doorbell())
        {
            return Action.ABORT;
        }
        hold(channel);
        return Action.CONTINUE;
    }

    private Action flush(final long target, final long correlation)
    {
        if (!hasAnswerRoom())
        {
            return Action.ABORT;
        }
        final PeerChannel channel = channel(target);
        if (channel != null)
        {
            channel.flush();
            if (correlation != 0 && !channel.isUp())
            {
                return Action.ABORT;
            }
        }
        return correlation == 0 ?
            Action.CONTINUE :
            answer(ClientMessage.DONE, correlation, channel == null ? ClientStatus.NO_PEER : ClientStatus.OK);
    }

    private Action addRegion(
        final long correlation, final MutableDirectBuffer buffer, final int index, final int length)
    {
        if (length < ClientMessage.TEXT_OFFSET)
        {
            return invalid();
        }
        final int nameLength = buffer.getInt(index + ClientMessage.NAME_LENGTH_OFFSET);
        final int allowLength = buffer.getInt(index + ClientMessage.ALLOW_LENGTH_OFFSET);
        final int text = length - ClientMessage.TEXT_OFFSET;
        if (nameLength < 0 || nameLength > text || allowLength < 0 || allowLength > text - nameLength)
        {
            return invalid();
        }
        if (!hasAnswerRoom())
        {
            return Action.ABORT;
        }
        final String name = buffer.getStringWithoutLengthAscii(index + ClientMessage.TEXT_OFFSET, nameLength);
        final String allow =
            buffer.getStringWithoutLengthAscii(index + ClientMessage.TEXT_OFFSET + nameLength, allowLength);
        final int status = regions.add(slot.index(), name, buffer.getLong(index + ClientMessage.REGION_SIZE_OFFSET),
            buffer.getInt(index + ClientMessage.ACCESS_OFFSET), allow);
        final boolean added = status == ClientStatus.OK;
        slot.answer(ClientMessage.REGION_DONE, correlation, status,
            added ? regions.lastAdded().id() : 0, added ? regions.lastAdded().key() : 0);
        return Action.CONTINUE;
    }

    private Action removeRegion(final long target, final long correlation)
    {
        if (!hasAnswerRoom())
        {
            return Action.ABORT;
        }
        return answer(
            ClientMessage.DONE, correlation, regions.remove(slot.index(), RemoteAddress.regionId(target)));
    }

    private Action setKey(
        final long target, final long correlation, final MutableDirectBuffer buffer, final int index, final int length)
    {
        if (length < ClientMessage.KEY_OFFSET + Long.BYTES)
        {
            return invalid();
        }
        if (!hasAnswerRoom())
        {
            return Action.ABORT;
        }
        if (channel(target) == null)
        {
            return answer(ClientMessage.DONE, correlation, ClientStatus.NO_PEER);
        }
        final boolean stored = slot.putKey(target, buffer.getLong(index + ClientMessage.KEY_OFFSET));
        return answer(ClientMessage.DONE, correlation, stored ? ClientStatus.OK : ClientStatus.NO_ROOM);
    }

    private boolean hasAnswerRoom()
    {
        return slot.hasRoom(ANSWER_LENGTH);
    }

    private Action answer(final int type, final long correlation, final int status)
    {
        return hasAnswerRoom() && slot.answer(type, correlation, status, 0, 0) ? Action.CONTINUE : Action.ABORT;
    }

    /** Executes writes that bypass the ring while the ring is empty. */
    private final class SlotWrites implements CompanionWrites
    {
        private final ClientSlot client;

        SlotWrites(final ClientSlot client)
        {
            this.client = client;
        }

        @Override
        public int longest(final long target)
        {
            final PeerChannel channel = channel(target);
            return channel != null && client.isIdle() ? channel.longestWrite() : 0;
        }

        @Override
        public Outcome write(
            final long target,
            final int generation,
            final long dataAddress,
            final int length,
            final int flags,
            final long correlation)
        {
            final PeerChannel channel = channel(target);
            if (!isDirect(channel, target, generation))
            {
                return Outcome.NOT_DIRECT;
            }
            slot = client;
            return ClientRequests.this.write(channel, target, dataAddress, length, flags, correlation) ?
                Outcome.EXECUTED : Outcome.NO_ROOM;
        }

        @Override
        public boolean passesByMemory(final long target)
        {
            final PeerChannel channel = channel(target);
            return channel != null && client.isIdle() && channel.passesByMemory();
        }

        @Override
        public boolean scatter(
            final long target, final int generation, final long listAddress, final int length, final long correlation)
        {
            final PeerChannel channel = channel(target);
            if (!isDirect(channel, target, generation))
            {
                return false;
            }
            slot = client;
            final long tag = awaitWrite(correlation);
            return (correlation == 0 || tag != PendingAnswers.FULL) && isTaken(tag, channel.scatter(
                ClientMessage.remoteAddress(target), slot.key(target), listAddress, length, tag));
        }

        private boolean isDirect(final PeerChannel channel, final long target, final int generation)
        {
            return client.isIdle() && channel != null && !client.isOutdated(ClientMessage.peerId(target), generation);
        }
    }
}

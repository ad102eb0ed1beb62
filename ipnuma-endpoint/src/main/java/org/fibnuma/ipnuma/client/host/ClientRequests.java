package org.fibnuma.ipnuma.client.host;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.CompanionWrites;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RemoteAddress;

/**
 * Executes the records of the clients. A record that cannot be executed now stays in its ring; after an invalid one its
 * client is given up. The client may overwrite a record at any time: therefore every number is read once and validated
 * before it is used.
 */
final class ClientRequests implements ControlledMessageHandler
{
    private static final int ANSWER_LENGTH = Long.BYTES + ClientMessage.ANSWER_DATA_OFFSET;

    private static final long NO_TAG = 0;

    private final PeerOutlet outlet;
    private final ClientRegions regions;
    private final PendingAnswers pending;
    private ClientSlot slot;

    ClientRequests(final PeerOutlet outlet, final ClientRegions regions, final PendingAnswers pending)
    {
        this.outlet = outlet;
        this.regions = regions;
        this.pending = pending;
    }

    /** Executes up to {@code limit} records of a client and returns their number. */
    int poll(final ClientSlot client, final int limit)
    {
        slot = client;
        client.reportOwedFailures();
        if (client.owedFlush() != 0)
        {
            if (!outlet.flush(client.owedFlush()))
            {
                return 0;
            }
            client.oweFlush(0);
        }
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

    /** Refuses a request for a connection that was lost. */
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
        final int peerId = ClientMessage.peerId(target);
        final int bytes = buffer.getInt(index + ClientMessage.LENGTH_OFFSET);
        final int flags = buffer.getInt(index + ClientMessage.FLAGS_OFFSET);
        if (bytes < 1 || bytes > ClientMessage.MAX_DATA_LENGTH || bytes > length - ClientMessage.DATA_OFFSET)
        {
            return invalid();
        }
        final int refusal = refusalOfWrite(target, bytes);
        if (refusal != ClientStatus.OK)
        {
            return correlation == 0 ?
                refused(target, refusal) : answer(ClientMessage.WRITE_DONE, correlation, refusal);
        }
        if (!write(target, buffer.addressOffset() + index + ClientMessage.DATA_OFFSET, bytes, flags, correlation))
        {
            return Action.ABORT;
        }
        return slot.owedFlush() == 0 ? Action.CONTINUE : Action.BREAK;
    }

    private int refusalOfWrite(final long target, final int bytes)
    {
        final int refusal = refusal(target, bytes);
        return refusal == ClientStatus.OK && bytes > outlet.longestWrite(ClientMessage.peerId(target)) ?
            ClientStatus.UNSUPPORTED : refusal;
    }

    /** Returns why bytes from a target on cannot be accessed at any peer, {@link ClientStatus#OK} if they can. */
    private int refusal(final long target, final int bytes)
    {
        if (!outlet.hasPeer(ClientMessage.peerId(target)))
        {
            return ClientStatus.NO_PEER;
        }
        return RemoteAddress.isLeaving(ClientMessage.remoteAddress(target), bytes) ?
            AccessStatus.OUT_OF_RANGE : ClientStatus.OK;
    }

    /** Executes a write to a known peer, and its flush as soon as possible; returns false if there is no room. */
    private boolean write(
        final long target, final long dataAddress, final int length, final int flags, final long correlation)
    {
        final long tag = awaitWrite(correlation);
        if (correlation != 0 && tag == PendingAnswers.FULL || !isTaken(tag,
            outlet.write(target, slot.key(target), dataAddress, length, (flags & ClientMessage.ORDERED) != 0, tag)))
        {
            return false;
        }
        final int peerId = ClientMessage.peerId(target);
        if ((flags & ClientMessage.THEN_FLUSH) != 0 && !outlet.flush(peerId))
        {
            slot.oweFlush(peerId);
        }
        return true;
    }

    /** Returns the length in bytes of the longest write to the peer of a target, 0 if there is no such peer. */
    int longestWrite(final long target)
    {
        final int peerId = ClientMessage.peerId(target);
        return outlet.hasPeer(peerId) ? outlet.longestWrite(peerId) : 0;
    }

    /** Executes a write of a client whose ring is empty, as {@link CompanionWrites#write} says. */
    CompanionWrites.Outcome write(
        final ClientSlot client,
        final long target,
        final int generation,
        final long dataAddress,
        final int length,
        final int flags,
        final long correlation)
    {
        final int peerId = ClientMessage.peerId(target);
        if (client.isOutdated(peerId, generation) || !outlet.hasPeer(peerId))
        {
            return CompanionWrites.Outcome.NOT_DIRECT;
        }
        slot = client;
        return write(target, dataAddress, length, flags, correlation) ?
            CompanionWrites.Outcome.EXECUTED : CompanionWrites.Outcome.NO_ROOM;
    }

    /** Returns whether writes to the peer of a target pass by memory. */
    boolean passesByMemory(final long target)
    {
        final int peerId = ClientMessage.peerId(target);
        return outlet.hasPeer(peerId) && outlet.passesByMemory(peerId);
    }

    /** Executes a list of writes of a client whose ring is empty, as {@link CompanionWrites#scatter} says. */
    boolean scatter(
        final ClientSlot client,
        final long target,
        final int generation,
        final long listAddress,
        final int length,
        final long correlation)
    {
        final int peerId = ClientMessage.peerId(target);
        if (client.isOutdated(peerId, generation) || !outlet.hasPeer(peerId))
        {
            return false;
        }
        slot = client;
        final long tag = awaitWrite(correlation);
        return (correlation == 0 || tag != PendingAnswers.FULL) &&
            isTaken(tag, outlet.scatter(target, slot.key(target), listAddress, length, tag));
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
        final int refusal = refusal(target, bytes);
        if (refusal != ClientStatus.OK)
        {
            return answer(ClientMessage.READ_DONE, correlation, refusal);
        }
        final long tag = await(ClientMessage.READ_DONE, correlation, ANSWER_LENGTH + bytes);
        if (tag == PendingAnswers.FULL)
        {
            return Action.ABORT;
        }
        return sent(tag, outlet.read(target, slot.key(target), bytes, tag));
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
        final int refusal = refusalOfAtomic(target, operation, width);
        if (refusal != ClientStatus.OK)
        {
            return answer(ClientMessage.ATOMIC_DONE, correlation, refusal);
        }
        final long tag = await(ClientMessage.ATOMIC_DONE, correlation, ANSWER_LENGTH);
        if (tag == PendingAnswers.FULL)
        {
            return Action.ABORT;
        }
        return sent(tag, outlet.atomic(operation, target, slot.key(target),
            buffer.getLong(index + ClientMessage.OPERAND_OFFSET), buffer.getLong(index + ClientMessage.COMPARE_OFFSET),
            width, tag));
    }

    private int refusalOfAtomic(final long target, final int operation, final int width)
    {
        if (operation < AtomicOperation.FETCH_ADD || operation > AtomicOperation.COMPARE_SWAP ||
            width != Integer.BYTES && width != Long.BYTES)
        {
            return ClientStatus.BAD_REQUEST;
        }
        final int refusal = refusal(target, width);
        return refusal == ClientStatus.OK && (target & width - 1) != 0 ? AccessStatus.MISALIGNED : refusal;
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

    private Action sent(final long tag, final boolean accepted)
    {
        return isTaken(tag, accepted) ? Action.CONTINUE : Action.ABORT;
    }

    /** Withdraws the tag of a request that the outlet has not taken; returns whether it has. */
    private boolean isTaken(final long tag, final boolean accepted)
    {
        if (!accepted)
        {
            withdraw(tag);
        }
        return accepted;
    }

    /** Awaits no answer with a tag any more, if it has not arrived already. */
    private void withdraw(final long tag)
    {
        if (pending.slot(tag) != null)
        {
            pending.remove(tag);
        }
    }

    private Action doorbell(final long target)
    {
        final int peerId = ClientMessage.peerId(target);
        if (!outlet.hasPeer(peerId))
        {
            return refused(target, ClientStatus.NO_PEER);
        }
        return outlet.doorbell(peerId) ? Action.CONTINUE : Action.ABORT;
    }

    private Action flush(final long target, final long correlation)
    {
        if (!hasAnswerRoom())
        {
            return Action.ABORT;
        }
        final int peerId = ClientMessage.peerId(target);
        final boolean known = outlet.hasPeer(peerId);
        if (known && (!outlet.flush(peerId) || correlation != 0 && !outlet.isUp(peerId)))
        {
            return Action.ABORT;
        }
        return correlation == 0 ?
            Action.CONTINUE :
            answer(ClientMessage.DONE, correlation, known ? ClientStatus.OK : ClientStatus.NO_PEER);
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
        final int regionId = (int)(ClientMessage.remoteAddress(target) >>> Integer.SIZE);
        return answer(ClientMessage.DONE, correlation, regions.remove(slot.index(), regionId));
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
        if (!outlet.hasPeer(ClientMessage.peerId(target)))
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
}

package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.ByteEnables;
import org.fibnuma.ipnuma.wire.CompletionStatus;
import org.fibnuma.ipnuma.wire.ScatterList;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

/**
 * Executes the TLPs of an intact datagram: writes and requests in the regions of this endpoint, answers at the
 * listener. All TLPs are validated first. If one is malformed, none takes effect, and the datagram is counted by its
 * first fault. A request that crosses a 4 KiB boundary or leaves the region of the header is also reported to the peer.
 */
final class RegionInput
{
    private static final int INVALID = -1;

    private final RegionTable regions;
    private final OpenDatagram answers;
    private final RequestTable requests;
    private final RefusedWrites refused;
    private final int pcId;
    private final ChannelListener listener;
    private final SessionCounter.Counts counts;
    private final int capacity;
    private final TlpFlyweight tlp = new TlpFlyweight();

    RegionInput(
        final int pcId,
        final RegionTable regions,
        final OpenDatagram answers,
        final RequestTable requests,
        final RefusedWrites refused,
        final ChannelListener listener,
        final SessionCounter.Counts counts,
        final int capacity)
    {
        this.pcId = pcId;
        this.regions = regions;
        this.answers = answers;
        this.requests = requests;
        this.refused = refused;
        this.listener = listener;
        this.counts = counts;
        this.capacity = capacity;
    }

    /** Executes a datagram; returns false, without effect, if there is no room for the answers to its requests. */
    boolean execute(final FibnumaHeaderFlyweight header, final int sourceIpv4)
    {
        final long start = header.address() + FibnumaHeaderFlyweight.LENGTH;
        final long end = start + header.tlpBytes();
        final int count = header.tlpCount();
        final int flags = header.flags();
        if ((flags & FibnumaFlags.REQUESTS) != 0)
        {
            return executeRequests(start, end, header, sourceIpv4);
        }
        final boolean isWrites = count == 0 || tlp.wrap(start).type() == TlpType.MEMORY_WRITE_4DW;
        final SessionCounter fault = isWrites ?
            faultOfWrites(start, end, count, header.region()) : faultOfCompletions(start, end, count, header.region());
        if (fault != null)
        {
            refuse(fault);
            return true;
        }
        if (isWrites)
        {
            executeWrites(start, count, header.key(), sourceIpv4);
        }
        else
        {
            deliverCompletions(start, count);
        }
        if ((flags & FibnumaFlags.DOORBELL) != 0)
        {
            listener.onDoorbell(pcId);
        }
        return true;
    }

    /** Returns the first fault of a datagram of writes, or null. */
    private SessionCounter faultOfWrites(final long start, final long end, final int count, final int region)
    {
        long address = start;
        for (int i = 0; i < count; i++)
        {
            if (end - address < TlpFlyweight.LENGTH_4DW + TlpFlyweight.DW)
            {
                return SessionCounter.WRONG_TLP_COUNT;
            }
            if (tlp.wrap(address).type() != TlpType.MEMORY_WRITE_4DW || !isSound())
            {
                return SessionCounter.MALFORMED;
            }
            final SessionCounter fault = faultOfAddress(region);
            if (fault != null)
            {
                return fault;
            }
            address += TlpFlyweight.LENGTH_4DW + (tlp.lengthDw() << 2);
        }
        return address == end ? null : SessionCounter.WRONG_TLP_COUNT;
    }

    /** Returns whether a read or write has a form that a session sends: no gaps, no digest, not poisoned. */
    private boolean isSound()
    {
        final int byteEnables = tlp.byteEnables();
        return !tlp.isPoisoned() && !tlp.hasDigest() &&
            ByteEnables.isValid(byteEnables, tlp.lengthDw()) && !ByteEnables.hasGap(byteEnables);
    }

    /** Returns the fault of the address range of the request, or null. */
    private SessionCounter faultOfAddress(final int region)
    {
        final long dwAddress = tlp.dwAddress();
        if (RemoteAddress.regionId(dwAddress) != region)
        {
            return SessionCounter.OTHER_REGION;
        }
        final int length = TlpType.isAtomic(tlp.type()) ? atomicWidth() : tlp.lengthDw() << 2;
        return (dwAddress & TlpFlyweight.BOUNDARY - 1) + length > TlpFlyweight.BOUNDARY ?
            SessionCounter.CROSSES_BOUNDARY : null;
    }

    /** Counts a refused datagram. The flyweight is at the faulty TLP. */
    private void refuse(final SessionCounter fault)
    {
        counts.add(fault);
        if (fault == SessionCounter.OTHER_REGION || fault == SessionCounter.CROSSES_BOUNDARY)
        {
            refused.report(AccessStatus.OUT_OF_RANGE, tlp.dwAddress());
        }
        else
        {
            refused.add();
        }
    }

    private void executeWrites(final long start, final int count, final long key, final int sourceIpv4)
    {
        long address = start;
        for (int i = 0; i < count; i++)
        {
            tlp.wrap(address);
            final int lengthDw = tlp.lengthDw();
            final int byteEnables = tlp.byteEnables();
            final long data = address + TlpFlyweight.LENGTH_4DW;
            address = data + (lengthDw << 2);
            final int before = ByteEnables.leading(byteEnables);
            final int length = ByteEnables.span(byteEnables, lengthDw);
            final long remoteAddress = tlp.dwAddress() + before;
            execute(remoteAddress, key, sourceIpv4, data + before, length);
        }
    }

    /** Executes a write of any address and length, and returns its status. A refused write is reported to the peer. */
    int execute(
        final long remoteAddress, final long key, final int sourceIpv4, final long dataAddress, final int length)
    {
        final int status = regions.write(remoteAddress, key, sourceIpv4, dataAddress, length);
        if (status != AccessStatus.OK)
        {
            counts.add(SessionCounter.REFUSED);
            refused.report(status, remoteAddress);
            listener.onRefused(pcId, status, remoteAddress);
        }
        return status;
    }

    /**
     * Executes a list of writes into one region, in their order. A refused write does not prevent the others. The rest
     * of a malformed list is not executed.
     *
     * @return status of the first refused write, or {@link AccessStatus#OK}.
     */
    int executeScattered(
        final long regionAddress, final long key, final int sourceIpv4, final long listAddress, final int length)
    {
        int result = AccessStatus.OK;
        int position = 0;
        while (position < length)
        {
            final long piece = listAddress + position;
            final int bytes = ScatterList.dataLength(piece, length - position);
            if (bytes == 0)
            {
                refuse(SessionCounter.MALFORMED);
                return AccessStatus.OUT_OF_RANGE;
            }
            final long remoteAddress = regionAddress + ScatterList.offset(piece);
            final int status = execute(remoteAddress, key, sourceIpv4, piece + ScatterList.HEADER_LENGTH, bytes);
            result = result == AccessStatus.OK ? status : result;
            position += ScatterList.pieceLength(bytes);
        }
        return result;
    }

    private boolean executeRequests(
        final long start,
        final long end,
        final FibnumaHeaderFlyweight header,
        final int sourceIpv4)
    {
        final int count = header.tlpCount();
        final long key = header.key();
        final SessionCounter fault = faultOfRequests(start, end, count, header.region());
        if (fault != null)
        {
            refuse(fault);
            return true;
        }
        if (!answers.beginAnswers())
        {
            return false;
        }
        long address = start;
        for (int i = 0; i < count; i++)
        {
            final long request = address;
            tlp.wrap(request);
            final int type = tlp.type();
            address += requestLength();
            if (type == TlpType.MEMORY_READ_4DW)
            {
                answerRead(key, sourceIpv4);
            }
            else
            {
                answerAtomic(type, request, key, sourceIpv4);
            }
        }
        answers.close();
        return true;
    }

    /** Returns the first fault of a datagram of requests, or null. The answers must fit into one datagram. */
    private SessionCounter faultOfRequests(final long start, final long end, final int count, final int region)
    {
        long address = start;
        int answerBytes = 0;
        for (int i = 0; i < count; i++)
        {
            if (end - address < TlpFlyweight.LENGTH_4DW)
            {
                return SessionCounter.WRONG_TLP_COUNT;
            }
            tlp.wrap(address);
            final int length = requestLength();
            if (length == INVALID)
            {
                return SessionCounter.MALFORMED;
            }
            final SessionCounter fault = faultOfAddress(region);
            if (fault != null)
            {
                return fault;
            }
            answerBytes += answerLength();
            address += length;
        }
        if (address != end || count == 0)
        {
            return SessionCounter.WRONG_TLP_COUNT;
        }
        return answerBytes <= capacity ? null : SessionCounter.MALFORMED;
    }

    private int requestLength()
    {
        final int type = tlp.type();
        final int lengthDw = tlp.lengthDw();
        if (type == TlpType.MEMORY_READ_4DW)
        {
            return isSound() ? TlpFlyweight.LENGTH_4DW : INVALID;
        }
        final boolean isFit = type == TlpType.COMPARE_SWAP_4DW ?
            lengthDw == 2 || lengthDw == 4 :
            (type == TlpType.FETCH_ADD_4DW || type == TlpType.SWAP_4DW) && (lengthDw == 1 || lengthDw == 2);
        return isFit && !tlp.isPoisoned() && !tlp.hasDigest() ? TlpFlyweight.LENGTH_4DW + (lengthDw << 2) : INVALID;
    }

    private int answerLength()
    {
        return TlpFlyweight.LENGTH_3DW +
            (tlp.type() == TlpType.MEMORY_READ_4DW ? tlp.lengthDw() << 2 : atomicWidth());
    }

    /** Returns the width of the number that an atomic changes, in bytes. */
    private int atomicWidth()
    {
        return tlp.type() == TlpType.COMPARE_SWAP_4DW ? tlp.lengthDw() << 1 : tlp.lengthDw() << 2;
    }

    private void answerRead(final long key, final int sourceIpv4)
    {
        final int byteEnables = tlp.byteEnables();
        final int length = ByteEnables.span(byteEnables, tlp.lengthDw());
        final long remoteAddress = tlp.dwAddress() + ByteEnables.leading(byteEnables);
        final int tag = tlp.tag();
        final int status = length == 0 ? AccessStatus.OUT_OF_RANGE :
            regions.check(RegionAccess.READ, remoteAddress, key, sourceIpv4, length);
        final int lower = (int)remoteAddress & TlpFlyweight.LOWER_ADDRESS_MASK;
        final long data = answers.putCompletion(completionStatus(status), status, Math.max(1, length), tag, lower);
        regions.read(remoteAddress, key, sourceIpv4, data + (lower & TlpFlyweight.DW - 1), length);
    }

    private void answerAtomic(final int type, final long request, final long key, final int sourceIpv4)
    {
        final boolean isCompare = type == TlpType.COMPARE_SWAP_4DW;
        final int width = isCompare ? tlp.lengthDw() << 1 : tlp.lengthDw() << 2;
        final long operands = request + TlpFlyweight.LENGTH_4DW;
        final long first = getNumber(operands, width);
        final long second = isCompare ? getNumber(operands + width, width) : first;
        final int operation = type == TlpType.FETCH_ADD_4DW ? AtomicOperation.FETCH_ADD :
            type == TlpType.SWAP_4DW ? AtomicOperation.SWAP : AtomicOperation.COMPARE_SWAP;
        final int tag = tlp.tag();
        final long remoteAddress = tlp.dwAddress();
        final int status = regions.atomic(operation, remoteAddress, key, sourceIpv4, second, first, width);
        final long data = answers.putCompletion(completionStatus(status), status, width, tag, 0);
        OpenDatagram.putNumber(data, status == AccessStatus.OK ? regions.lastValue() : 0, width);
    }

    /** Returns the first fault of a datagram of answers, or null. */
    private SessionCounter faultOfCompletions(final long start, final long end, final int count, final int region)
    {
        requests.onDatagramAnswered();
        long address = start;
        int second = RequestTable.NO_TAG;
        for (int i = 0; i < count; i++)
        {
            if (end - address < TlpFlyweight.LENGTH_3DW + TlpFlyweight.DW)
            {
                return SessionCounter.WRONG_TLP_COUNT;
            }
            if (tlp.wrap(address).type() != TlpType.COMPLETION_DATA || !isAwaited())
            {
                return SessionCounter.MALFORMED;
            }
            final int tag = tlp.completionTag();
            if (second == RequestTable.NO_TAG ? requests.isSecond(tag) : tag != second)
            {
                return SessionCounter.MALFORMED;
            }
            second = requests.second(tag);
            address += TlpFlyweight.LENGTH_3DW + (tlp.lengthDw() << 2);
        }
        if (address != end || second != RequestTable.NO_TAG)
        {
            return SessionCounter.WRONG_TLP_COUNT;
        }
        return region == 0 ? null : SessionCounter.OTHER_REGION;
    }

    private boolean isAwaited()
    {
        final int tag = tlp.completionTag();
        final int length = requests.length(tag);
        return requests.isWaiting(tag) && length == tlp.byteCount() &&
            (tlp.lowerAddress() & TlpFlyweight.DW - 1) + length <= tlp.lengthDw() << 2;
    }

    private void deliverCompletions(final long start, final int count)
    {
        long address = start;
        for (int i = 0; i < count; i++)
        {
            tlp.wrap(address);
            if (!isAwaited())
            {
                // The datagram contains a TLP tag twice. Only the first is the answer.
                counts.add(SessionCounter.MALFORMED);
                return;
            }
            final int tag = tlp.completionTag();
            final long data = completionData(address);
            address = afterCompletion(address);
            if (requests.second(tag) == RequestTable.NO_TAG)
            {
                answered(tag, data, tlp.completer());
            }
            else
            {
                final int status = tlp.completer();
                tlp.wrap(address);
                final long secondData = completionData(address);
                address = afterCompletion(address);
                answeredInTwo(tag, data, status, secondData, tlp.completer());
                i++;
            }
        }
    }

    private long completionData(final long address)
    {
        return address + TlpFlyweight.LENGTH_3DW + (tlp.lowerAddress() & TlpFlyweight.DW - 1);
    }

    private long afterCompletion(final long address)
    {
        return address + TlpFlyweight.LENGTH_3DW + (tlp.lengthDw() << 2);
    }

    private void answered(final int tag, final long data, final int status)
    {
        final long requestTag = requests.requestTag(tag);
        final int length = requests.length(tag);
        final boolean isRead = requests.isRead(tag);
        requests.release(tag);
        if (isRead)
        {
            listener.onRead(pcId, requestTag, data, length, status);
        }
        else
        {
            listener.onAtomic(pcId, requestTag, getNumber(data, length), status);
        }
    }

    /** Reports a read with two requests; moves the first bytes in front of the second, over the header between them. */
    private void answeredInTwo(
        final int tag, final long firstData, final int firstStatus, final long secondData, final int secondStatus)
    {
        final int second = requests.second(tag);
        final int inFirst = requests.length(tag);
        final int length = inFirst + requests.length(second);
        final int status = firstStatus == AccessStatus.OK ? secondStatus : firstStatus;
        final long data = secondData - inFirst;
        if (status == AccessStatus.OK)
        {
            FrameMemory.copy(firstData, data, inFirst);
        }
        else
        {
            FrameMemory.zero(data, length);
        }
        requests.release(tag);
        requests.release(second);
        listener.onRead(pcId, requests.requestTag(tag), data, length, status);
    }

    /** Loads an unsigned number of 4 or 8 bytes in native byte order. */
    private static long getNumber(final long address, final int width)
    {
        return width == Long.BYTES ?
            FrameMemory.getLong(address) :
            FrameMemory.getInt(address) & 0xFFFF_FFFFL;
    }

    private static int completionStatus(final int accessStatus)
    {
        return switch (accessStatus)
        {
            case AccessStatus.OK -> CompletionStatus.SUCCESSFUL;
            case AccessStatus.NO_REGION, AccessStatus.OUT_OF_RANGE, AccessStatus.MISALIGNED ->
                CompletionStatus.UNSUPPORTED_REQUEST;
            default -> CompletionStatus.COMPLETER_ABORT;
        };
    }
}

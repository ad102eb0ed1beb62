package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.wire.CompletionStatus;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpSink;
import org.fibnuma.ipnuma.wire.TlpType;

/**
 * Applies the requests of peers with a format without keys to the regions, and sends the completions. The answer to a
 * refused request is a completion without data, which is never longer than the request. Only an admitted read has an
 * answer that is longer than its request. For the endpoint's thread.
 */
public final class TlpTarget implements TlpSink
{
    /** Buffer for completions, one TLP at a time. */
    public interface AnswerOutput
    {
        /**
         * Claims space for a TLP.
         *
         * @param tlpLength in bytes.
         * @return address of the space, or 0 if there is none. The request stays unanswered then.
         */
        long claim(int tlpLength);

        /** Sends the TLP in the space that was claimed last, with the claimed length. */
        void commit(int tlpLength);
    }

    /** Receives the results of peers' requests, and the completions of this endpoint's requests. */
    public interface Listener
    {
        /**
         * Reports an access that was applied or refused.
         *
         * @param status        an {@link AccessStatus}.
         * @param remoteAddress of the first byte.
         * @param length        in bytes.
         */
        void onAccess(int status, long remoteAddress, int length);

        /**
         * Receives a completion, as {@link TlpSink#onCompletion} does.
         *
         * @param tag         TLP tag of the request.
         * @param status      from {@link CompletionStatus}, 0 to 7.
         * @param remaining   bytes in this completion and those after it.
         * @param dataAddress of the first byte.
         * @param length      bytes in this completion, 0 without data.
         */
        void onCompletion(int tag, int status, int remaining, long dataAddress, int length);
    }

    private final RegionTable regions;
    private final AnswerOutput output;
    private final Listener listener;
    private final int maxCompletionData;
    private final TlpEncoder encoder = new TlpEncoder();
    private int sourceIpv4;

    /**
     * Creates the target of an endpoint.
     *
     * @param regions      of the endpoint.
     * @param output       for the completions.
     * @param listener     receives the results.
     * @param maxTlpLength longest TLP of a completion, 140 bytes or more.
     */
    public TlpTarget(
        final RegionTable regions, final AnswerOutput output, final Listener listener, final int maxTlpLength)
    {
        this.regions = regions;
        this.output = output;
        this.listener = listener;
        this.maxCompletionData = maxTlpLength - TlpFlyweight.LENGTH_3DW;
    }

    /** Sets the source address of the requests that follow. */
    public TlpTarget from(final int ipv4)
    {
        sourceIpv4 = ipv4;
        return this;
    }

    @Override
    public void onWrite(final long remoteAddress, final long dataAddress, final int length)
    {
        final int status = regions.write(remoteAddress, Region.NO_KEY, sourceIpv4, dataAddress, length);
        listener.onAccess(status, remoteAddress, length);
    }

    @Override
    public void onRead(final long remoteAddress, final int length, final int requester, final int tag)
    {
        final int status = regions.check(RegionAccess.READ, remoteAddress, Region.NO_KEY, sourceIpv4, length);
        listener.onAccess(status, remoteAddress, length);
        if (status != AccessStatus.OK)
        {
            refuse(requester, tag);
        }
        else if (length == 0)
        {
            // A read of no bytes is answered by one byte without meaning (section 2.2.5). It flushes earlier writes.
            answer(remoteAddress, 1, 1, 0, requester, tag);
        }
        else
        {
            answerAll(remoteAddress, length, requester, tag);
        }
    }

    private void answerAll(final long remoteAddress, final int length, final int requester, final int tag)
    {
        int done = 0;
        while (done < length)
        {
            final long from = remoteAddress + done;
            final int part = TlpEncoder.nextCompletionLength(from, length - done, maxCompletionData);
            if (!answer(from, part, length - done, part, requester, tag))
            {
                return;
            }
            done += part;
        }
    }

    private boolean answer(
        final long remoteAddress,
        final int length,
        final int remaining,
        final int bytesToRead,
        final int requester,
        final int tag)
    {
        final int tlpLength = TlpEncoder.completionLength(remoteAddress, length);
        final long tlp = output.claim(tlpLength);
        if (tlp == 0)
        {
            return false;
        }
        encoder.completionHeader(tlp, remoteAddress, length, remaining, requester, tag);
        if (bytesToRead > 0)
        {
            regions.read(
                remoteAddress,
                Region.NO_KEY,
                sourceIpv4,
                TlpEncoder.completionData(tlp, remoteAddress),
                bytesToRead);
        }
        output.commit(tlpLength);
        return true;
    }

    @Override
    public void onAtomic(
        final int type,
        final long remoteAddress,
        final long operand,
        final long compare,
        final int width,
        final int requester,
        final int tag)
    {
        final int operation = type - TlpType.FETCH_ADD_3DW + AtomicOperation.FETCH_ADD;
        final int status =
            regions.atomic(operation, remoteAddress, Region.NO_KEY, sourceIpv4, operand, compare, width);
        listener.onAccess(status, remoteAddress, width);
        if (status != AccessStatus.OK)
        {
            refuse(requester, tag);
            return;
        }
        final int tlpLength = TlpFlyweight.LENGTH_3DW + width;
        final long tlp = output.claim(tlpLength);
        if (tlp != 0)
        {
            // The lower address of an atomic's completion is 0 (section 2.3.2).
            encoder.completionHeader(tlp, 0, width, width, requester, tag);
            putValue(TlpEncoder.completionData(tlp, 0), width);
            output.commit(tlpLength);
        }
    }

    private void putValue(final long address, final int width)
    {
        if (width == Long.BYTES)
        {
            FrameMemory.putLong(address, regions.lastValue());
        }
        else
        {
            FrameMemory.putInt(address, (int)regions.lastValue());
        }
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        listener.onCompletion(tag, status, remaining, dataAddress, length);
    }

    @Override
    public void onUnsupported(final int requester, final int tag)
    {
        refuse(requester, tag);
    }

    private void refuse(final int requester, final int tag)
    {
        final long tlp = output.claim(TlpFlyweight.LENGTH_3DW);
        if (tlp != 0)
        {
            encoder.completion(tlp, CompletionStatus.UNSUPPORTED_REQUEST, requester, tag);
            output.commit(TlpFlyweight.LENGTH_3DW);
        }
    }
}

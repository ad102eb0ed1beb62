package org.fibnuma.ipnuma.channel;

import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.TlpTarget;
import org.fibnuma.ipnuma.wire.DatagramCodec;

/** Answers to a peer without sessions leave by the port that it asked at; what it was refused is counted. */
final class AnswerOutput implements TlpTarget.AnswerOutput, TlpTarget.Listener
{
    private final DatagramCodec codec;
    private final PeerOutput output;
    private final OutstandingRequests requests;
    private final EndpointCounters counters;
    private final int pcId;
    private final ChannelListener listener;
    private long payload;

    AnswerOutput(
        final DatagramCodec codec,
        final PeerOutput output,
        final OutstandingRequests requests,
        final EndpointCounters counters,
        final int pcId,
        final ChannelListener listener)
    {
        this.pcId = pcId;
        this.listener = listener;
        this.codec = codec;
        this.output = output;
        this.requests = requests;
        this.counters = counters;
    }

    /** Where the datagram came in that is answered next. */
    void port(final int destinationPort)
    {
        output.port(destinationPort);
    }

    @Override
    public long claim(final int tlpLength)
    {
        payload = output.claim(tlpLength);
        return payload == 0 ? 0 : codec.tlpAddress(payload);
    }

    @Override
    public void commit(final int tlpLength)
    {
        output.commit(codec.wrapTlp(payload, tlpLength), false);
    }

    @Override
    public void onAccess(final int status, final long remoteAddress, final int length)
    {
        if (status != AccessStatus.OK)
        {
            counters.add(EndpointCounter.REFUSED, 1);
            listener.onRefused(pcId, status, remoteAddress);
        }
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        requests.onCompletion(tag, status, remaining, dataAddress, length);
    }
}

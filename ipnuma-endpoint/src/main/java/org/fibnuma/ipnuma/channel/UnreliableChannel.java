package org.fibnuma.ipnuma.channel;

import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.TlpTarget;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpType;

/**
 * A peer that speaks one of the formats of the prototypes: each write is a datagram of its own that leaves at once and
 * is never repeated, in whatever order the network brings it. Nothing shows a key.
 */
final class UnreliableChannel implements PeerChannel
{
    /** What PCIe admits for one request, and for one read. */
    private static final int LONGEST = 4096;
    /** More than any of the formats puts before a TLP. */
    private static final int FRAMING = 16;

    private final Peer peer;
    private final DatagramCodec codec;
    private final PortOutputs outputs;
    private final ChannelListener listener;
    private final FrameOutput frames;
    private final PeerCounters counters;
    private final OutstandingRequests requests;
    private final AnswerOutput answers;
    private final TlpTarget target;
    private final TlpEncoder encoder = new TlpEncoder();
    private boolean wasUp;

    UnreliableChannel(
        final Peer peer,
        final DatagramCodec codec,
        final PortOutputs outputs,
        final RegionTable regions,
        final ChannelListener listener,
        final FrameOutput frames,
        final PeerCounters counters)
    {
        this.peer = peer;
        this.codec = codec;
        this.outputs = outputs;
        this.listener = listener;
        this.frames = frames;
        this.counters = counters;
        this.requests = new OutstandingRequests(peer.pcId(), listener);
        this.answers = new AnswerOutput(codec, outputs, requests, frames.counters());
        this.target = new TlpTarget(
            regions, answers, answers, outputs.request(0).longestPayload() - FRAMING).from(peer.ipv4());
    }

    @Override
    public boolean write(
        final long remoteAddress, final long key, final long dataAddress, final int length, final boolean ordered)
    {
        final PeerOutput output = outputs.request(0);
        int done = 0;
        while (done < length)
        {
            final int part = codec.writeLength(remoteAddress + done, length - done, output.longestPayload());
            if (part == 0)
            {
                listener.onError(peer.pcId(), AccessStatus.OUT_OF_RANGE, remoteAddress);
                return true;
            }
            final long payload = output.claim(output.longestPayload());
            if (payload == 0)
            {
                // What has left cannot be called back: the rest is lost as the network might have lost it.
                return done > 0;
            }
            output.commit(codec.encodeWrite(payload, remoteAddress + done, dataAddress + done, part), false);
            done += part;
        }
        return true;
    }

    @Override
    public boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        if (!codec.hasAnswers() || length > longestRead() || !requests.hasRoom())
        {
            return false;
        }
        final int wireTag = requests.nextTag();
        final PeerOutput output = outputs.request(wireTag);
        final long payload = output.claim(output.longestPayload());
        if (payload == 0)
        {
            return false;
        }
        output.commit(codec.encodeRead(payload, remoteAddress, length, wireTag), false);
        requests.begin(tag, length, OutstandingRequests.READ);
        return true;
    }

    @Override
    public boolean atomic(
        final int operation,
        final long remoteAddress,
        final long key,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        if (!codec.hasAnswers() || !requests.hasRoom())
        {
            return false;
        }
        final int wireTag = requests.nextTag();
        final PeerOutput output = outputs.request(wireTag);
        final long payload = output.claim(output.longestPayload());
        if (payload == 0)
        {
            return false;
        }
        final int type = TlpType.FETCH_ADD_3DW + operation - AtomicOperation.FETCH_ADD;
        final int tlpLength = encoder.atomic(
            codec.tlpAddress(payload), type, remoteAddress, operand, compare, width, wireTag);
        output.commit(codec.wrapTlp(payload, tlpLength), false);
        requests.begin(tag, width, OutstandingRequests.ATOMIC);
        return true;
    }

    @Override
    public boolean doorbell()
    {
        return true;
    }

    @Override
    public void flush()
    {
        frames.flush();
    }

    @Override
    public int longestWrite()
    {
        return LONGEST;
    }

    @Override
    public int longestRead()
    {
        return codec.hasAnswers() ? OutstandingRequests.LONGEST_READ : 0;
    }

    @Override
    public boolean isUp()
    {
        return peer.mac() != Peer.NO_MAC;
    }

    @Override
    public boolean usesPort(final int destinationPort)
    {
        return outputs.uses(destinationPort);
    }

    @Override
    public void onDatagram(
        final long payloadAddress, final int length, final int destinationPort, final boolean ce, final long nowNs)
    {
        answers.port(destinationPort);
        if (codec.decode(payloadAddress, length, target) < 0)
        {
            frames.counters().add(EndpointCounter.MALFORMED, 1);
        }
    }

    @Override
    public int poll(final long nowNs)
    {
        return requests.poll(nowNs);
    }

    @Override
    public void onStation()
    {
        outputs.onStation();
        if (isUp() != wasUp)
        {
            wasUp = isUp();
            if (wasUp)
            {
                listener.onUp(peer.pcId());
            }
            else
            {
                listener.onDown(peer.pcId(), 0);
            }
        }
    }

    @Override
    public void publish()
    {
        counters.set(PeerCounters.UP, isUp() ? 1 : 0);
        counters.set(PeerCounters.STATION, peer.mac());
    }

    @Override
    public void close(final long nowNs)
    {
        requests.close();
    }
}

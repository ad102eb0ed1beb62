package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounterSpace;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.TlpTarget;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.Ipnuma10gCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.IpnumaPorts;
import org.fibnuma.ipnuma.wire.NetTlpCodec;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpFault;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.util.List;

/**
 * A peer with one of the formats of the prototypes. Each write has its own datagram, which is sent at once and never
 * repeated. The network may reorder datagrams. No datagram contains a key.
 */
final class UnreliableChannel implements PeerChannel, TlpTarget.AnswerOutput, TlpTarget.Listener
{
    /** Length of PCIe's longest request in bytes. */
    private static final int LONGEST = 4096;
    /** Largest number of bytes before a TLP in any format. */
    private static final int FRAMING = 16;
    private static final int NO_ROOM = -1;

    private final PeerSchedule.Place place;
    private final Peer peer;
    private final DatagramCodec codec;
    private final PeerOutput output;
    private final ChannelListener listener;
    private final EndpointCounters counters;
    private final PeerCounters peerCounters;
    private final OutstandingRequests requests;
    private final TlpTarget target;
    private final TlpEncoder encoder = new TlpEncoder();
    private long answerPayload;
    private boolean wasUp;

    UnreliableChannel(
        final Peer peer,
        final PeerOutput output,
        final EndpointContext context,
        final EndpointCounters counters,
        final PeerSchedule schedule,
        final PeerCounterSpace space)
    {
        this.place = schedule.add(this);
        this.peer = peer;
        this.codec = codec(peer.format());
        this.output = output;
        this.listener = context.listener();
        this.counters = counters;
        this.peerCounters = new PeerCounters(space, peer.pcId(), peer.toString(), List.of());
        this.requests = new OutstandingRequests(peer.pcId(), listener);
        this.target =
            new TlpTarget(context.regions(), this, this, output.longestPayload() - FRAMING).from(peer.ipv4());
    }

    private static DatagramCodec codec(final WireFormat format)
    {
        return switch (format)
        {
            case IPNUMA_10G -> new Ipnuma10gCodec();
            case IPNUMA_1G -> new Ipnuma1gCodec();
            case NETTLP, NETTLP_PSMEM -> new NetTlpCodec();
            case FIBNUMA -> throw new IllegalArgumentException("this format has sessions");
        };
    }

    @Override
    public boolean write(
        final long remoteAddress,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        final int status = send(remoteAddress, dataAddress, length);
        if (tag != 0 && status != NO_ROOM)
        {
            listener.onWritten(peer.pcId(), tag, status);
        }
        return status != NO_ROOM;
    }

    @Override
    public boolean passesByMemory()
    {
        return false;
    }

    @Override
    public boolean scatter(
        final long regionAddress, final long key, final long listAddress, final int length, final long tag)
    {
        return false;
    }

    /** Returns an {@link AccessStatus}, or {@link #NO_ROOM} if nothing was sent. */
    private int send(final long remoteAddress, final long dataAddress, final int length)
    {
        output.udpPort(requestPort(0));
        int done = 0;
        while (done < length)
        {
            final int part = codec.writeLength(remoteAddress + done, length - done, output.longestPayload());
            if (part == 0)
            {
                listener.onError(peer.pcId(), AccessStatus.OUT_OF_RANGE, remoteAddress);
                return AccessStatus.OUT_OF_RANGE;
            }
            final long payload = output.claim(output.longestPayload());
            if (payload == 0)
            {
                // The first part is sent already. The rest counts as lost on the network.
                return done > 0 ? AccessStatus.UNCONFIRMED : NO_ROOM;
            }
            output.commit(codec.encodeWrite(payload, remoteAddress + done, dataAddress + done, part), false);
            done += part;
        }
        return AccessStatus.UNCONFIRMED;
    }

    @Override
    public boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        final int inFirst = TlpEncoder.toBoundary(remoteAddress, length);
        final int slots = inFirst == length ? 1 : 2;
        if (!codec.hasAnswers() || length > longestRead() || !requests.hasRoom(slots) ||
            !sendRead(remoteAddress, inFirst))
        {
            return false;
        }
        requests.begin(tag, inFirst, OutstandingRequests.READ, place.nowNs());
        if (slots == 2)
        {
            // A second request without room counts as lost on the network.
            sendRead(remoteAddress + inFirst, length - inFirst);
            requests.beginSecond(length - inFirst, place.nowNs());
        }
        return true;
    }

    private boolean sendRead(final long remoteAddress, final int length)
    {
        final int wireTag = requests.nextTag();
        output.udpPort(requestPort(wireTag));
        final long payload = output.claim(output.longestPayload());
        if (payload == 0)
        {
            return false;
        }
        output.commit(codec.encodeRead(payload, remoteAddress, length, wireTag), false);
        place.wake();
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
        if (!codec.hasAnswers() || !requests.hasRoom(1))
        {
            return false;
        }
        final int wireTag = requests.nextTag();
        output.udpPort(requestPort(wireTag));
        final long payload = output.claim(output.longestPayload());
        if (payload == 0)
        {
            return false;
        }
        final int type = TlpType.FETCH_ADD_3DW + operation - AtomicOperation.FETCH_ADD;
        final int tlpLength = encoder.atomic(
            codec.tlpAddress(payload), type, remoteAddress, operand, compare, width, wireTag);
        output.commit(codec.wrapTlp(payload, tlpLength), false);
        place.wake();
        requests.begin(tag, width, OutstandingRequests.ATOMIC, place.nowNs());
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
        output.flush();
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
        return peer.format() == WireFormat.NETTLP || peer.format() == WireFormat.NETTLP_PSMEM ?
            IpnumaPorts.isNetTlp(destinationPort) :
            destinationPort == IpnumaPorts.IPNUMA;
    }

    @Override
    public void onDatagram(
        final long payloadAddress, final int length, final int destinationPort, final boolean ce, final long nowNs)
    {
        output.udpPort(destinationPort);
        final int result = codec.decode(payloadAddress, length, target);
        if (result < 0)
        {
            counters.add(counter(result), 1);
        }
    }

    /** Answers are sent from the UDP port to which the request came. */
    @Override
    public long claim(final int tlpLength)
    {
        answerPayload = output.claim(tlpLength);
        return answerPayload == 0 ? 0 : codec.tlpAddress(answerPayload);
    }

    @Override
    public void commit(final int tlpLength)
    {
        output.commit(codec.wrapTlp(answerPayload, tlpLength), false);
    }

    @Override
    public void onAccess(final int status, final long remoteAddress, final int length)
    {
        if (status != AccessStatus.OK)
        {
            counters.add(EndpointCounter.REFUSED, 1);
            listener.onRefused(peer.pcId(), status, remoteAddress);
        }
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        requests.onCompletion(tag, status, remaining, dataAddress, length);
    }

    private static EndpointCounter counter(final int fault)
    {
        return switch (fault)
        {
            case TlpFault.CROSSES_BOUNDARY -> EndpointCounter.CROSSES_BOUNDARY;
            case TlpFault.TRAILING_BYTES -> EndpointCounter.TRAILING_BYTES;
            case TlpFault.NO_END_CODE -> EndpointCounter.NO_END_CODE;
            default -> EndpointCounter.MALFORMED;
        };
    }

    @Override
    public int poll(final long nowNs)
    {
        return requests.poll(nowNs);
    }

    @Override
    public long dueNs(final long nowNs)
    {
        return requests.dueNs();
    }

    @Override
    public void onMacChange()
    {
        place.wake();
        output.onMacChange();
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
    public void onFault()
    {
        // There is no connection.
    }

    @Override
    public boolean publish(final long nowNs)
    {
        peerCounters.set(PeerCounters.UP, isUp() ? 1 : 0);
        peerCounters.set(PeerCounters.MAC, peer.mac());
        return true;
    }

    @Override
    public void close(final long nowNs)
    {
        requests.close();
    }

    @Override
    public void remove(final long nowNs)
    {
        requests.abandon();
        requests.close();
        place.remove();
        peerCounters.free();
    }

    /** Returns the UDP port of a request, which depends on the peer's format. */
    private int requestPort(final int tag)
    {
        return switch (peer.format())
        {
            case NETTLP -> IpnumaPorts.ofRequester(tag);
            case NETTLP_PSMEM -> IpnumaPorts.ofAdapter(tag);
            default -> IpnumaPorts.IPNUMA;
        };
    }
}

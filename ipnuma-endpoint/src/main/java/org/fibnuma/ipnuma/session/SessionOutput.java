package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.fibnuma.ipnuma.wire.fibnuma.VerificationTag;

/** Writes datagrams into frames. Each contains the acknowledgement and echoes for the peer. */
final class SessionOutput
{
    /** Start of the bytes copied from a slot: the flags and everything after them, aligned to 8 bytes. */
    private static final int COPIED_FROM = FibnumaHeaderFlyweight.ECHO_OFFSET;
    private static final int SHORT_COPY = 256;

    private final ConnectionId id;
    private final SendWindow window;
    private final ReceiveWindow received;
    private final Acknowledger acknowledger;
    private final RefusedWrites refused;
    private final SessionCounter.Counts counts;
    private final FibnumaHeaderWriter header = new FibnumaHeaderWriter();

    SessionOutput(
        final ConnectionId id,
        final SendWindow window,
        final ReceiveWindow received,
        final Acknowledger acknowledger,
        final RefusedWrites refused,
        final SessionCounter.Counts counts)
    {
        this.id = id;
        this.window = window;
        this.received = received;
        this.acknowledger = acknowledger;
        this.refused = refused;
        this.counts = counts;
    }

    static int length(final int tlpBytes)
    {
        return FibnumaHeaderFlyweight.MIN_LENGTH + tlpBytes;
    }

    /** Sends a datagram of the window; returns false if the output has no room. */
    boolean data(final DatagramOutput output, final int sequence, final long nowNs)
    {
        final int tlpBytes = window.tlpBytes(sequence);
        final int length = length(tlpBytes);
        final long address = output.claim(length);
        if (address == 0)
        {
            return false;
        }
        final long slot = window.slot(sequence);
        copy(slot + COPIED_FROM, address + COPIED_FROM, FibnumaHeaderFlyweight.LENGTH - COPIED_FROM + tlpBytes);
        header.wrap(address).start(FibnumaKind.DATA).sequence(sequence).flags(
            FrameMemory.getByte(slot + FibnumaHeaderFlyweight.FLAGS_OFFSET) | owed(),
            FrameMemory.getByte(slot + FibnumaHeaderFlyweight.TLP_COUNT_OFFSET))
            .length(tlpBytes, refused.count());
        finish(address, tlpBytes, nowNs);
        output.commit(length, true);
        return true;
    }

    /** Sends a datagram without TLPs; returns false if the output has no room. */
    boolean control(final DatagramOutput output, final int kind, final long nowNs)
    {
        final long address = output.claim(FibnumaHeaderFlyweight.MIN_LENGTH);
        if (address == 0)
        {
            return false;
        }
        header.wrap(address).start(kind).sequence(window.next()).flags(owed(), 0).region(0, 0)
            .length(0, refused.count());
        finish(address, 0, nowNs);
        output.commit(FibnumaHeaderFlyweight.MIN_LENGTH, false);
        return true;
    }

    /** Sends a datagram of the handshake; returns false if the output has no room. */
    boolean handshake(
        final DatagramOutput output,
        final int kind,
        final VerificationTag own,
        final VerificationTag remote,
        final int remoteEpoch,
        final int sequence,
        final long nowNs)
    {
        final long address = output.claim(FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        if (address == 0)
        {
            return false;
        }
        final boolean hasEcho = kind == FibnumaKind.CONFIRMED && acknowledger.hasEcho();
        header.wrap(address)
            .start(kind)
            .sessions(own.session(), remote.session())
            .epochs(id.epoch(), remoteEpoch)
            .sequence(sequence)
            .arrived(0, 0, received.size())
            .times((int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT), hasEcho ? acknowledger.echo() : 0)
            .flags(hasEcho ? FibnumaFlags.ECHO_VALID : 0, 0)
            .region(0, 0)
            .length(FibnumaHeaderFlyweight.NONCES_LENGTH, 0)
            .sourceNonce(own.first(), own.second())
            .destinationNonce(remote.first(), remote.second())
            .finish(FibnumaHeaderFlyweight.NONCES_LENGTH);
        counts.add(SessionCounter.SENT);
        output.commit(FibnumaHeaderFlyweight.HANDSHAKE_LENGTH, false);
        return true;
    }

    /** Refuses a session of this side with a RESET; returns false if the output has no room. */
    boolean reset(
        final DatagramOutput output, final int refusedSession, final int remoteSession, final int remoteEpoch)
    {
        final long address = output.claim(FibnumaHeaderFlyweight.MIN_LENGTH);
        if (address == 0)
        {
            return false;
        }
        FrameMemory.zero(address, FibnumaHeaderFlyweight.MIN_LENGTH);
        header.wrap(address)
            .start(FibnumaKind.RESET)
            .sessions(refusedSession, remoteSession)
            .epochs(id.epoch(), remoteEpoch)
            .finish(0);
        counts.add(SessionCounter.SENT);
        counts.add(SessionCounter.RESETS_SENT);
        output.commit(FibnumaHeaderFlyweight.MIN_LENGTH, false);
        return true;
    }

    /** Reports a refused write with an ERROR; returns false if the output has no room. */
    boolean error(final DatagramOutput output, final long nowNs)
    {
        final long address = output.claim(FibnumaHeaderFlyweight.MIN_LENGTH);
        if (address == 0)
        {
            return false;
        }
        header.wrap(address)
            .start(FibnumaKind.ERROR)
            .sequence(window.next())
            .flags(owed(), 0)
            .region(refused.number() << Short.SIZE | refused.count() & 0xFFFF, refused.remoteAddress())
            .length(0, refused.status());
        finish(address, 0, nowNs);
        output.commit(FibnumaHeaderFlyweight.MIN_LENGTH, false);
        return true;
    }

    private int owed()
    {
        return (acknowledger.hasEcho() ? FibnumaFlags.ECHO_VALID : 0) |
            (acknowledger.isCongestion() ? FibnumaFlags.CE_ECHO : 0);
    }

    private void finish(final long address, final int tlpBytes, final long nowNs)
    {
        header
            .sessions(id.own().session(), id.remote().session())
            .epochs(id.epoch(), id.remoteEpoch())
            .arrived(received.next(), received.bitmap(), received.size())
            .times((int)(nowNs >> FibnumaHeaderFlyweight.TIMESTAMP_SHIFT), acknowledger.echo())
            .finish(tlpBytes);
        counts.add(SessionCounter.SENT);
        if (acknowledger.isCongestion())
        {
            counts.add(SessionCounter.CE_ECHOES_SENT);
        }
        acknowledger.onSent();
    }

    private static void copy(final long source, final long destination, final int length)
    {
        if (length > SHORT_COPY)
        {
            FrameMemory.copy(source, destination, length);
        }
        else
        {
            FrameMemory.copyShort(source, destination, length);
        }
    }
}

package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import java.util.SplittableRandom;

/** Sealed datagrams: a changed one must be refused without modification, an unchanged one must be opened once. */
final class SealFormat implements FuzzFormat
{
    private static final int OWN = 0x0A090001;
    private static final int COPY = 2048;
    private static final int SESSION = 11;
    private static final int OTHER_SESSION = 12;
    private static final int[] KINDS = {
        FibnumaKind.DATA, FibnumaKind.DATA, FibnumaKind.DATA, FibnumaKind.HELLO, FibnumaKind.CONFIRM,
        FibnumaKind.RESET};

    private final FuzzTally tally = new FuzzTally();
    private final SplittableRandom random;
    private final DatagramSeal sender;
    private final DatagramSeal receiver;
    private final MemoryRegion copies = MemoryRegion.ofBytes(2 * COPY);
    private final long sealed = copies.address();
    private final long before = sealed + COPY;
    private final FibnumaHeaderWriter writer = new FibnumaHeaderWriter();

    SealFormat(final SplittableRandom random)
    {
        this.random = random;
        final SealKey key = SealKey.parse("000102030405060708090a0b0c0d0e0f");
        sender = new DatagramSeal(key, FuzzArena.KNOWN_SOURCE, OWN);
        receiver = new DatagramSeal(key, OWN, FuzzArena.KNOWN_SOURCE);
        connect(SESSION, OTHER_SESSION, receiver);
        connect(OTHER_SESSION, SESSION, sender);
    }

    /** Gives one seal the connection as the handshake does; the nonce of a side is its session. */
    private void connect(final int session, final int otherSession, final DatagramSeal target)
    {
        writer.wrap(sealed).start(FibnumaKind.CONFIRM).sessions(session, otherSession)
            .sourceNonce(session, 0).destinationNonce(otherSession, 0);
        target.onConnection(new FibnumaHeaderFlyweight().wrap(sealed));
    }

    @Override
    public String label()
    {
        return "seal";
    }

    @Override
    public boolean hasKeys()
    {
        return true;
    }

    @Override
    public void begin(final int sourceIpv4)
    {
        // The key alone identifies the peer; the source does not matter.
    }

    @Override
    public String attack(final long payload, final Mutator mutator)
    {
        final int tlpBytes = random.nextInt(32) * Integer.BYTES;
        final int plainLength = FibnumaHeaderFlyweight.MIN_LENGTH + tlpBytes;
        mutator.randomBytes(payload, plainLength + DatagramSeal.OVERHEAD);
        final int kind = KINDS[random.nextInt(KINDS.length)];
        writer.wrap(payload).start(kind).sessions(SESSION, OTHER_SESSION)
            .flags(random.nextInt(8), 1).length(tlpBytes, 0);
        writer.finish(tlpBytes);
        final int sealedLength = sender.seal(payload, plainLength);
        FrameMemory.copy(payload, sealed, sealedLength);

        final int length = mutator.mutate(payload, sealedLength);
        tally.lastLength = length;
        final boolean isChanged = length != sealedLength || differs(payload, sealed, length);
        FrameMemory.copy(payload, before, length);
        final int opened = receiver.open(payload, length);
        if (opened < 0)
        {
            tally.refused++;
            return !isChanged ? "an unchanged datagram was refused: " + opened :
                differs(payload, before, length) ? "a refused datagram was modified" : null;
        }
        tally.taken++;
        if (isChanged)
        {
            return "a changed datagram was opened";
        }
        FrameMemory.copy(before, payload, length);
        // Datagrams outside a connection may be opened again; the session refuses their old numbers.
        return receiver.open(payload, length) >= 0 && kind == FibnumaKind.DATA ? "opened twice" : null;
    }

    private static boolean differs(final long first, final long second, final int length)
    {
        for (int offset = 0; offset < length; offset++)
        {
            if (FrameMemory.getByte(first + offset) != FrameMemory.getByte(second + offset))
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public FuzzTally tally()
    {
        return tally;
    }

    @Override
    public void close()
    {
        copies.close();
    }
}

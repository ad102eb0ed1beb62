package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import java.util.SplittableRandom;

/** Sealed datagrams: what was changed by as little as a bit is refused and left as it is, all else is opened once. */
final class SealFormat implements FuzzFormat
{
    private static final int OWN = 0x0A090001;
    private static final int COPY = 2048;

    private final SplittableRandom random;
    private final DatagramSeal sender;
    private final DatagramSeal receiver;
    private final MemoryRegion copies = MemoryRegion.ofBytes(2 * COPY);
    private final long sealed = copies.address();
    private final long before = sealed + COPY;
    private final FibnumaHeaderWriter writer = new FibnumaHeaderWriter();
    private int lastLength;
    private long taken;
    private long refused;

    SealFormat(final SplittableRandom random)
    {
        this.random = random;
        final SealKey key = SealKey.parse("000102030405060708090a0b0c0d0e0f");
        sender = new DatagramSeal(key, FuzzArena.FRIEND, OWN, 1);
        receiver = new DatagramSeal(key, OWN, FuzzArena.FRIEND, 1);
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
        // A seal knows its peer by the key alone.
    }

    @Override
    public String attack(final long payload, final Mutator mutator)
    {
        final int tlpBytes = random.nextInt(32) * Integer.BYTES;
        final int length = FibnumaHeaderFlyweight.MIN_LENGTH + tlpBytes;
        mutator.randomBytes(payload, length + DatagramSeal.OVERHEAD);
        writer.wrap(payload).start(FibnumaKind.DATA).flags(random.nextInt(8), 1).length(tlpBytes, 0);
        writer.finish(tlpBytes);
        final int sealedLength = sender.seal(payload, length);
        FrameMemory.copy(payload, sealed, sealedLength);

        lastLength = mutator.mutate(payload, sealedLength);
        final boolean isChanged = lastLength != sealedLength || differs(payload, sealed, lastLength);
        FrameMemory.copy(payload, before, lastLength);
        final int opened = receiver.open(payload, lastLength);
        if (opened < 0)
        {
            refused++;
            return !isChanged ? "refused although nothing was changed: " + opened :
                differs(payload, before, lastLength) ? "refused, and changed" : null;
        }
        taken++;
        if (isChanged)
        {
            return "opened although it was changed";
        }
        FrameMemory.copy(before, payload, lastLength);
        return receiver.open(payload, lastLength) >= 0 ? "opened twice" : null;
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
    public int lastLength()
    {
        return lastLength;
    }

    @Override
    public long taken()
    {
        return taken;
    }

    @Override
    public long refused()
    {
        return refused;
    }

    @Override
    public void close()
    {
        copies.close();
    }
}

package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;

import java.util.SplittableRandom;

/** Valid datagrams of a format without retransmission: writes, reads, atomics, completions, unusual types. */
final class LegacySource implements AutoCloseable
{
    private static final int DATA = 2048;

    private final DatagramCodec codec;
    private final SplittableRandom random;
    private final MemoryRegion data = MemoryRegion.ofBytes(DATA);
    private final TlpEncoder encoder = new TlpEncoder();
    private final TlpFlyweight tlp = new TlpFlyweight();

    LegacySource(final DatagramCodec codec, final SplittableRandom random)
    {
        this.codec = codec;
        this.random = random;
        for (int offset = 0; offset < DATA; offset += Long.BYTES)
        {
            FrameMemory.putLong(data.address() + offset, random.nextLong());
        }
    }

    /** Writes the next datagram, of up to 1,472 bytes, and returns its length. */
    int next(final long payload)
    {
        Mutator.frame(payload, Mutator.MAX_LENGTH);
        final int length = codec.hasAnswers() ? nextTlp(payload) : nextList(payload);
        Mutator.frame(payload, length);
        return length;
    }

    private int nextTlp(final long payload)
    {
        final long address = FuzzArena.address(random);
        switch (random.nextInt(8))
        {
            case 0, 1, 2 ->
            {
                final int length = codec.writeLength(address, 1 + random.nextInt(64), Mutator.MAX_LENGTH);
                return codec.encodeWrite(payload, address, data.address() + random.nextInt(DATA / 2), length);
            }
            case 3 ->
            {
                final int length = codec.writeLength(address, 1 + random.nextInt(1024), Mutator.MAX_LENGTH);
                return codec.encodeWrite(payload, address, data.address() + random.nextInt(DATA / 2), length);
            }
            case 4, 5 ->
            {
                final int length = TlpEncoder.nextLength(address, 1 + random.nextInt(4096), TlpFlyweight.BOUNDARY);
                return codec.encodeRead(payload, address, length, random.nextInt(256));
            }
            case 6 ->
            {
                return codec.wrapTlp(payload, encoder.atomic(
                    codec.tlpAddress(payload), TlpType.FETCH_ADD_3DW + random.nextInt(3), address & -4,
                    random.nextLong(), random.nextInt(2), 4 << random.nextInt(2), random.nextInt(256)));
            }
            default ->
            {
                return codec.wrapTlp(payload, anyType(codec.tlpAddress(payload), address));
            }
        }
    }

    /** Writes a TLP of a random type, with as much data as its length field indicates if the type has data. */
    private int anyType(final long at, final long address)
    {
        final int type = random.nextInt(256);
        final int lengthDw = random.nextInt(64);
        tlp.wrap(at).start(type, lengthDw)
            .request(random.nextInt(65536), random.nextInt(256), random.nextInt(256))
            .dwAddress(address & -TlpFlyweight.DW);
        final int dataLength = TlpType.hasData(type) ? lengthDw * TlpFlyweight.DW : 0;
        final int headerLength = TlpType.headerLength(type);
        FrameMemory.copy(data.address(), at + headerLength, dataLength);
        return headerLength + dataLength;
    }

    private int nextList(final long payload)
    {
        final Ipnuma1gCodec list = (Ipnuma1gCodec)codec;
        int used = Ipnuma1gCodec.LIST_OFFSET;
        for (int i = random.nextInt(5); i >= 0; i--)
        {
            final long address = FuzzArena.address(random);
            final int length = codec.writeLength(address, 1 + random.nextInt(256), Mutator.MAX_LENGTH);
            used = list.appendWrite(payload, used, address, data.address() + random.nextInt(DATA / 2), length);
        }
        return list.closeList(payload, used);
    }

    @Override
    public void close()
    {
        data.close();
    }
}

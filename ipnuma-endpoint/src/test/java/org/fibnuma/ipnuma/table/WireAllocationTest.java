package org.fibnuma.ipnuma.table;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.wire.DatagramCodec;
import org.fibnuma.ipnuma.wire.Ipnuma10gCodec;
import org.fibnuma.ipnuma.wire.Ipnuma1gCodec;
import org.fibnuma.ipnuma.wire.NetTlpCodec;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.UdpFrameTemplate;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** No write, read, atomic, refusal or fault of the formats without retransmission allocates. */
class WireAllocationTest implements TlpTarget.AnswerOutput, TlpTarget.Listener
{
    private static final int MESSAGES = 100_000;
    private static final int FRIEND = Ipv4Address.parse("10.9.0.2");

    private final MemoryRegion memory = MemoryRegion.ofBytes(4 * 4096);
    private final long payload = memory.address() + 4096 + UdpFrameTemplate.HEADER_LENGTH;
    private final long data = memory.address() + 2 * 4096;
    private final long room = memory.address() + 3 * 4096;
    private final RegionTable regions = new RegionTable();
    private final TlpTarget target = new TlpTarget(regions, this, this, 1400);
    private final TlpEncoder encoder = new TlpEncoder();
    private final DatagramCodec[] codecs = {new Ipnuma10gCodec(), new Ipnuma1gCodec(), new NetTlpCodec()};
    private final UdpFrameTemplate template = new UdpFrameTemplate(1, 2, FRIEND, 0x0A090001, 3422, 3422);
    private long accesses;

    @Test
    void shouldAllocateNothing()
    {
        regions.add(new Region(1, "box", memory.address(), 4096, RegionAccess.ALL,
            List.of(Ipv4Prefix.parse("10.9.0.0/24")), Region.NO_KEY));
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        run(MESSAGES);
        final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        run(MESSAGES);
        final long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        memory.close();

        assertEquals(before, after);
        // Three of four; the fourth is cut off.
        assertEquals(2 * MESSAGES / 4 * 3, accesses);
    }

    private void run(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final DatagramCodec codec = codecs[i % 3 == 1 && i % 4 == 0 ? 1 : 2 * (i & 1)];
            final long address = RemoteAddress.of(i % 16 == 0 ? 2 : 1, i * 37 & 0x7FF);
            final int length;
            switch (i % 4)
            {
                case 0 -> length = codec.encodeWrite(payload, address, data, 1 + i % 100);
                case 1 -> length = codec.encodeRead(payload, address, 1 + i % 100, i & 0xFF);
                case 2 -> length = codec.wrapTlp(payload, encoder.atomic(
                    codec.tlpAddress(payload), TlpType.SWAP_3DW, address & -8, i, 0, 8, i & 0xFF));
                default -> length = codec.encodeWrite(payload, address, data, 64) - 1;
            }
            template.write(payload - UdpFrameTemplate.HEADER_LENGTH, length, 0);
            codec.decode(payload, length, target.from(FRIEND + i % 2 * 256));
        }
    }

    @Override
    public long claim(final int tlpLength)
    {
        return room;
    }

    @Override
    public void commit(final int tlpLength)
    {
        // Compared elsewhere.
    }

    @Override
    public void onAccess(final int status, final long remoteAddress, final int length)
    {
        accesses++;
    }

    @Override
    public void onCompletion(
        final int tag, final int status, final int remaining, final long dataAddress, final int length)
    {
        // There was no request.
    }
}

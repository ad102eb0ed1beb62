package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Datagrams that no session sends, with the right CRC, so that nothing but the session itself refuses them. */
class SessionFuzzTest
{
    private static final int DATAGRAMS = 100_000;
    /** To 16 datagrams, and what a forged report of a gap has repeated: as much as a bitmap covers, and the first. */
    private static final int MAX_ANSWERS = 16 + 1 + Long.SIZE;

    /** Every access outside a region or a frame throws, as bounds checks are on in tests. */
    @Test
    void shouldThrowNothingAndGoOn()
    {
        final SplittableRandom random = new SplittableRandom(11);
        final TestMemory scratch = new TestMemory(2048);
        try (TestNetwork network = new TestNetwork(11))
        {
            network.a.isQuiet = true;
            network.b.isQuiet = true;
            network.a.session.connect();
            final List<byte[]> samples = samples(network);
            long answersBefore = network.toA.sent();
            for (int i = 0; i < DATAGRAMS; i++)
            {
                network.b.onDatagram(mutated(samples.get(random.nextInt(samples.size())), random, scratch), false);
                if (i % 16 == 0)
                {
                    network.step();
                    final long answers = network.toA.sent() - answersBefore;
                    assertTrue(answers <= MAX_ANSWERS, answers + " answers to 16 datagrams");
                    answersBefore = network.toA.sent();
                    samples.set(random.nextInt(samples.size()), fresh(network, random));
                }
            }
            network.a.session.connect();
            network.runUntil(network::areBothUp, 30_000_000_000L);
            network.runUntil(() -> network.a.writeLong(8, 4711, true), 1_000_000_000L);
            network.a.session.flush();
            network.runUntil(() -> network.b.getLong(8) == 4711, 10_000_000_000L);
            assertEquals(4711, network.b.getLong(8));
        }
        scratch.close();
    }

    private static List<byte[]> samples(final TestNetwork network)
    {
        final List<byte[]> samples = new ArrayList<>();
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 64; i++)
        {
            samples.add(fresh(network, random));
        }
        return samples;
    }

    /** What a sent last, of any kind, after it was given something to do. */
    private static byte[] fresh(final TestNetwork network, final SplittableRandom random)
    {
        final Session a = network.a.session;
        final long address = RemoteAddress.of(TestPeer.REGION, random.nextInt(1024) * 8);
        switch (random.nextInt(4))
        {
            case 0 -> a.read(address, TestPeer.KEY, 1 + random.nextInt(8), 1);
            case 1 -> a.atomic(AtomicOperation.COMPARE_SWAP, address, TestPeer.KEY, 1, 2, 8, 2);
            default -> network.a.write(random.nextInt(4000), new byte[1 + random.nextInt(200)], random.nextBoolean());
        }
        a.flush();
        network.step();
        return network.toB.lastSent(1472);
    }

    private static byte[] mutated(final byte[] sample, final SplittableRandom random, final TestMemory scratch)
    {
        scratch.put(sample);
        final long address = scratch.address();
        final int room = sample.length - FibnumaHeaderFlyweight.MIN_LENGTH;
        final int before = new FibnumaHeaderFlyweight().wrap(address).tlpBytes();
        final int tlpBytes = random.nextInt(3) == 0 ? random.nextInt(room) & -4 : Math.min(before, room);
        for (int i = random.nextInt(6); i > 0; i--)
        {
            final int end = FibnumaHeaderFlyweight.LENGTH + tlpBytes;
            // Names of the connection stay right in most, or nothing gets behind them.
            final int offset = random.nextInt(8) == 0 ? 3 + random.nextInt(17) : 20 + random.nextInt(end - 20);
            FrameMemory.putByte(address + offset, random.nextInt());
        }
        new FibnumaHeaderWriter().wrap(address).length(tlpBytes, random.nextInt(9)).finish(tlpBytes);
        return scratch.bytes(0, FibnumaHeaderFlyweight.MIN_LENGTH + tlpBytes);
    }
}

package org.fibnuma.bench.traffic;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.traffic.TrafficGenerator;
import org.fibnuma.core.traffic.TrafficSender;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@NamespaceTest
class TrafficGeneratorSystemTest
{
    private static final IpAddress[] DESTINATIONS = {
        IpAddress.of(0xC6120001), IpAddress.of(0xC612FFFF), IpAddress.of(0x08080808),
        new IpAddress(0x2001_0DB8_0000_0001L, 0x7FFF_FFFF_0000_0002L)};
    private static final IpAddress SENDER_IPV6 = new IpAddress(0x2001_0DB8_0000_0002L, 0x9000_0000_0000_0003L);
    private static final int LENGTH = 100;
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    @Test
    void shouldSendRightFramesUntilClosed() throws InterruptedException
    {
        try (Host sender = Host.open("sender"); Host receiver = Host.open("receiver"))
        {
            sender.connect("s0", receiver, "t0", 1500);
            final long receiverMac = MacAddress.parse(receiver.macAddress("t0"));
            final long senderMac = MacAddress.parse(sender.macAddress("s0"));
            try (HostPort from = HostPort.open(sender.namespaceFile(), "s0");
                HostPort to = HostPort.open(receiver.namespaceFile(), "t0"))
            {
                final TrafficGenerator generator = TrafficGenerator.start(
                    new TrafficSender(
                        from.port().txQueue(0), from.pool(),
                        new HostFrames(receiverMac, senderMac, 0x0A000002, SENDER_IPV6, LENGTH), DESTINATIONS),
                    Thread::yield, ThreadPinning.ANY_CORE);
                assertEquals(
                    Set.of(DESTINATIONS), destinationsSeen(to, receiverMac, senderMac));
                generator.close();
                assertTrue(generator.sent() >= 1000);
                final long received = receiver.receivedFrames("t0");
                Thread.sleep(50);
                assertEquals(received, receiver.receivedFrames("t0"));
                assertEquals(from.pool().capacity() - 2 * 1024, from.pool().available(), "all chunks have come back");
            }
        }
    }

    private static Set<IpAddress> destinationsSeen(final HostPort port, final long receiverMac, final long senderMac)
    {
        final Set<IpAddress> destinations = new HashSet<>();
        final FrameBatch batch = new FrameBatch();
        final long deadline = System.nanoTime() + PATIENCE_NANOS;
        int frames = 0;
        while (frames < 1000 && System.nanoTime() < deadline)
        {
            batch.clear();
            port.port().rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                destinations.add(checkedDestination(batch, i, receiverMac, senderMac));
                port.pool().release(batch.handle(i));
                frames++;
            }
        }
        return destinations;
    }

    private static IpAddress checkedDestination(
        final FrameBatch batch, final int i, final long receiverMac, final long senderMac)
    {
        final byte[] bytes = new byte[batch.length(i)];
        FrameMemory.getBytes(batch.address(i), bytes);
        final ByteBuffer frame = ByteBuffer.wrap(bytes);
        assertEquals(LENGTH, frame.limit());
        assertEquals(receiverMac << 16 | senderMac >>> 32, frame.getLong(0));
        assertEquals((int)senderMac, frame.getInt(8));
        if (frame.getShort(12) != 0x0800)
        {
            return checkedIpv6Destination(frame);
        }
        assertEquals(0x4500_0000 | LENGTH - 14, frame.getInt(14));
        assertEquals(64, frame.get(22));
        assertEquals(17, frame.get(23));
        assertEquals(0x0A000002, frame.getInt(26));
        assertEquals(9, frame.getShort(36));
        assertEquals(LENGTH - 34, frame.getShort(38));
        assertEquals(0xFFFF, sum(frame, 14, 34, 0));
        return IpAddress.of(frame.getInt(30));
    }

    private static IpAddress checkedIpv6Destination(final ByteBuffer frame)
    {
        assertEquals((short)0x86DD, frame.getShort(12));
        assertEquals(0x6000_0000, frame.getInt(14));
        assertEquals(LENGTH - 54, frame.getShort(18));
        assertEquals(17, frame.get(20));
        assertEquals(64, frame.get(21));
        assertEquals(SENDER_IPV6, new IpAddress(frame.getLong(22), frame.getLong(30)));
        assertEquals(9, frame.getShort(56));
        assertEquals(LENGTH - 54, frame.getShort(58));
        // RFC 8200 section 8.1: both addresses, length and next header are part of the sum.
        assertEquals(0xFFFF, sum(frame, 22, LENGTH, LENGTH - 54 + 17));
        return new IpAddress(frame.getLong(38), frame.getLong(46));
    }

    /** RFC 1071 section 4.1, over a header with its checksum: all ones. */
    private static int sum(final ByteBuffer frame, final int from, final int to, final int start)
    {
        int sum = start;
        for (int i = from; i < to; i += 2)
        {
            sum += frame.getShort(i) & 0xFFFF;
        }
        return (sum >>> 16) + (sum & 0xFFFF);
    }
}

package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.pcap.PcapReader;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RateLimit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Captures made to crash parsers and others go through the router four times: as they are, to our own MAC address,
 * and as if their first byte were that of an IPv4 packet and of an IPv6 packet. Bounds checks are on: a read past the
 * end of a frame fails.
 */
class CaptureTest
{
    private static final int LONGEST = RouterFixture.CHUNK - 256;
    private static final int CAPTURE_MAX = 262_144;
    private static final int MOST_AT_ONCE = 100;
    private static final byte[] TO_US = TestFrame.hex("020000000100 020000000200 0800");
    private static final byte[] IPV6_TO_US = TestFrame.hex("020000000100 020000000200 86dd 60");

    private final RouterFixture router = new RouterFixture(2, context ->
        context.forwardsIpv6(true).icmpErrors(new RateLimit(1_000_000_000, 1_000_000)));
    private final MemoryRegion scratch = MemoryRegion.ofBytes(CAPTURE_MAX);
    private long frames;

    @ParameterizedTest
    @CsvSource({"tcpdump,504", "snabb-lwaftr,220"})
    void shouldGiveEveryFrameOfEveryCaptureOneFate(final String folder, final int files) throws IOException
    {
        final Path directory = Require.sharedData("pcap/" + folder);
        assertTrue(FrameMemory.BOUNDS_CHECKS, "run with -Dfibnuma.bounds.checks=true");
        router.adjacencies.set(2, Adjacency.forward(
            1, IpAddress.NONE, 576, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
        router.route("0.0.0.0", 0, 2);
        router.routeIpv6("::", 0, 2);
        final List<Path> captures;
        try (Stream<Path> list = Files.list(directory))
        {
            captures = list.sorted().collect(Collectors.toList());
        }
        assertEquals(files, captures.size());
        for (final Path capture : captures)
        {
            replay(capture);
        }
        // Frames that wait give up, then the messages about them that wait in their turn.
        router.clock.advance(TimeUnit.SECONDS.toNanos(3));
        router.run();
        router.clock.advance(TimeUnit.SECONDS.toNanos(3));
        router.run();
        final FateReport report = router.report();
        assertEquals(frames, report.get(ForwarderCounter.RECEIVED));
        assertTrue(frames > files, frames + " frames");
        assertTrue(report.get(ForwarderCounter.FORWARDED) > 0 && report.dropped() > 0);
        router.assertBalanced();
        router.close();
        scratch.close();
    }

    private void replay(final Path capture)
    {
        try (PcapReader reader = PcapReader.open(capture))
        {
            while (reader.next())
            {
                reader.copyTo(scratch.address());
                final byte[] frame = new byte[Math.min(reader.capturedLength(), LONGEST - TO_US.length)];
                FrameMemory.getBytes(scratch.address(), frame);
                forward(frame);
                final byte[] toUs = frame.clone();
                System.arraycopy(TO_US, 0, toUs, 0, Math.min(6, toUs.length));
                forward(toUs);
                final byte[] asPacket = new byte[TO_US.length + frame.length];
                System.arraycopy(TO_US, 0, asPacket, 0, TO_US.length);
                System.arraycopy(frame, 0, asPacket, TO_US.length, frame.length);
                forward(asPacket);
                forward(asIpv6(frame));
            }
        }
        catch (final UserException ignore)
        {
            // No frame at all in it: an empty or unrecognizable file.
        }
    }

    /** With the version of IPv6 and a payload length that fits, so that more than the first check is passed. */
    private static byte[] asIpv6(final byte[] frame)
    {
        final byte[] packet = new byte[Math.min(LONGEST, TestFrame.ETHERNET + frame.length)];
        System.arraycopy(frame, 0, packet, TestFrame.ETHERNET, packet.length - TestFrame.ETHERNET);
        System.arraycopy(IPV6_TO_US, 0, packet, 0, Math.min(IPV6_TO_US.length, packet.length));
        if (packet.length >= TestFrame6.PAYLOAD)
        {
            packet[TestFrame.ETHERNET + 4] = (byte)(packet.length - TestFrame6.PAYLOAD >> 8);
            packet[TestFrame.ETHERNET + 5] = (byte)(packet.length - TestFrame6.PAYLOAD);
        }
        return packet;
    }

    private void forward(final byte[] frame)
    {
        frames++;
        for (final byte[] sent : router.forward(frame))
        {
            verify(sent, 576);
        }
        for (final byte[] sent : router.sent(0))
        {
            verify(sent, 1500);
        }
        router.punted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcpdump", "snabb-lwaftr"})
    void shouldTreatOrdinaryFramesOfCapturesAsExceptionsAreTreated(final String folder) throws IOException
    {
        final List<Path> captures;
        try (Stream<Path> list = Files.list(Require.sharedData("pcap/" + folder)))
        {
            captures = list.sorted().collect(Collectors.toList());
        }
        try (TwinRouters routers = new TwinRouters())
        {
            routers.classifying.route("0.0.0.0", 0, 2);
            routers.exceptionsOnly.route("0.0.0.0", 0, 2);
            routers.classifying.routeIpv6("::", 0, 2);
            routers.exceptionsOnly.routeIpv6("::", 0, 2);
            for (final Path capture : captures)
            {
                final List<byte[]> found = framesToUs(capture);
                routers.assertSameFates(found);
                routers.assertSameFates(found.stream().map(CaptureTest::asIpv6).toList());
            }
            assertTrue(routers.classifying.count(ForwarderCounter.FORWARDED) > 0);
        }
        router.close();
        scratch.close();
    }

    private List<byte[]> framesToUs(final Path capture)
    {
        final List<byte[]> found = new ArrayList<>();
        try (PcapReader reader = PcapReader.open(capture))
        {
            while (found.size() < MOST_AT_ONCE && reader.next())
            {
                reader.copyTo(scratch.address());
                final byte[] frame = new byte[Math.min(reader.capturedLength(), LONGEST)];
                FrameMemory.getBytes(scratch.address(), frame);
                System.arraycopy(TO_US, 0, frame, 0, Math.min(6, frame.length));
                found.add(frame);
            }
        }
        catch (final UserException ignore)
        {
            // No frame at all in it: an empty or unrecognizable file.
        }
        return found;
    }

    private static void verify(final byte[] sent, final int mtu)
    {
        if (TestFrame.u16(sent, 12) == 0x86DD)
        {
            verifyIpv6(sent);
            return;
        }
        final int headerLength = (TestFrame.u8(sent, TestFrame.ETHERNET) & 0xF) * 4;
        final int totalLength = TestFrame.u16(sent, TestFrame.ETHERNET + 2);
        final int destination = TestFrame.u8(sent, TestFrame.ETHERNET + 16);
        assertEquals(0x0800, TestFrame.u16(sent, 12));
        assertEquals(4, TestFrame.u8(sent, TestFrame.ETHERNET) >> 4, "version");
        assertTrue(headerLength >= 20 && headerLength <= totalLength, "header length");
        assertEquals(sent.length - TestFrame.ETHERNET, totalLength, "total length");
        assertTrue(totalLength <= mtu, "MTU");
        assertEquals(0, TestFrame.checksumOf(sent, TestFrame.ETHERNET, headerLength), "checksum");
        assertTrue(TestFrame.u8(sent, TestFrame.ETHERNET + 8) > 0, "TTL");
        assertTrue(destination > 0 && destination != 127 && destination < 224, "destination " + destination);
    }

    private static void verifyIpv6(final byte[] sent)
    {
        final int source = TestFrame.u16(sent, TestFrame.ETHERNET + 8);
        final int destination = TestFrame.u16(sent, TestFrame.ETHERNET + 24);
        assertEquals(6, TestFrame.u8(sent, TestFrame.ETHERNET) >> 4, "version");
        assertEquals(sent.length - TestFrame6.PAYLOAD, TestFrame.u16(sent, TestFrame.ETHERNET + 4), "payload length");
        assertTrue(sent.length - TestFrame.ETHERNET <= 1500, "MTU");
        assertTrue(TestFrame.u8(sent, TestFrame.ETHERNET + 7) > 0, "hop limit");
        assertTrue(destination >> 8 != 0xFF && source >> 8 != 0xFF, "multicast");
        assertEquals(destination >> 6 == 0x3FA, source >> 6 == 0x3FA, "link-local only between link-local addresses");
    }
}

package org.fibnuma.fibnic.datapath;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Compares a router that divides frames into ordinary ones and exceptions with one that has exceptions only. */
class FrameClassifierPropertyTest
{
    private static final int[] LENGTHS = {0, 1, 8, 26, 500, 556, 557, 1400, 1480, 1481, 2000};
    private static final String[] DESTINATIONS = {
        "20.0.0.1", "20.1.0.1", "20.1.2.1", "20.1.2.129", "20.2.0.1", "20.3.0.1", "10.0.1.2", "10.0.2.2"};
    private static final String[] OTHER_DESTINATIONS = {
        "20.4.0.1", "20.6.0.1", "20.7.0.1", "20.8.0.1", "20.9.0.1", "10.0.0.1", "10.0.0.255", "10.0.1.9", "30.0.0.1",
        "0.0.0.1", "10.0.1.0", "127.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"};
    private static final String[] OTHER_SOURCES = {
        "0.0.0.0", "127.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "10.0.0.1", "10.0.1.1", "10.0.0.255",
        "10.0.2.255"};
    private static final String[] OPTIONS = {
        "07070400000000" + "01", "07070800000000" + "01", "07070500000000" + "01", "440c0501" + "00".repeat(8),
        "4408050000000000", "44080900" + "00000000", "440809f000000000", "440c05030a000101" + "00000000",
        "8307040a00010200", "8907040a00010200", "9e060000" + "01010000", "9e090000", "07", "0700000000000000"};
    private static final String[] REVERSE_PATH_SOURCES = {
        "10.0.0.2", "10.0.0.9", "20.0.0.1", "20.1.0.1", "20.1.2.129", "20.3.0.1", "20.4.0.1", "20.6.0.1", "20.7.0.1",
        "20.8.0.1", "10.0.1.2", "30.0.0.1", "10.0.0.1", "10.0.0.255"};
    private static final int UNUSUAL_KINDS = 14;
    private static final int[] IPV6_LENGTHS = {0, 1, 8, 26, 500, 1239, 1240, 1241, 1400, 1460, 1461, 2000};
    private static final String[] IPV6_DESTINATIONS = {
        "2001:db8:8000::1", "2001:db8:80ff:ffff:ffff:ffff:ffff:ffff", "2001:db8:8001::1", "2001:db8:8002::1",
        "2001:db8:8003::1", "2001:db8:1::2", "2001:db8:2::2"};
    private static final String[] OTHER_IPV6_DESTINATIONS = {
        "2001:db8:8004::1", "2001:db8:8005::1", "2001:db8:8006::1", "2001:db8:8007::1", "2001:db8:8008::1",
        "2001:db8:0::1", "2001:db8:1::9", "3001::1", "::", "::1", "::2", "::ffff:10.0.1.2", "64:ff9b::1", "fe80::1",
        "fec0::1", "ff02::1", "ff0e::1", "::a00:102"};
    private static final String[] OTHER_IPV6_SOURCES = {
        "::", "::1", "::2", "::ffff:10.0.1.2", "fe80::1", "febf:ffff::1", "fe7f::1", "fec0::1", "ff02::1",
        "2001:db8:0::1", "2001:db8:1::1", "64:ff9b::1"};
    private static final String[] EXTENSIONS = {
        "3a00010400000000" + "8000000000000001", "3a000000deadbeef" + "0100000000000000",
        "2c00010400000000" + "3a000001deadbeef" + "0100000000000000", "3a000009deadbeef" + "8000000000000000",
        "3a04000000000000" + "0000000000000000" + "00000000000000008900000000000000"};
    private static final int[] EXTENSION_TYPES = {0, 43, 44, 51, 60};
    private static final int UNUSUAL_IPV6_KINDS = 11;

    private TwinRouters routers;

    @BeforeProperty
    void before()
    {
        routers = new TwinRouters();
    }

    @AfterProperty
    void after()
    {
        routers.close();
    }

    @Property(tries = 1500)
    void shouldTreatEveryFrameAsAnExceptionIsTreated(
        @ForAll @Size(min = 1, max = 150) final List<Long> seeds,
        @ForAll @IntRange(max = 100) final int unusualPercent)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            frames.add(random.nextInt(100) < unusualPercent ? unusual(random, routers) : ordinary(random).bytes());
        }
        routers.assertSameFates(frames);
    }

    @Property(tries = 1500)
    void shouldTreatDamagedFramesAsExceptionsAreTreated(
        @ForAll @Size(min = 1, max = 20) final List<Long> seeds, @ForAll @IntRange(max = 3) final int damages)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            final byte[] frame = ordinary(random).bytes();
            for (int i = 0; i < damages; i++)
            {
                frame[random.nextInt(34)] = (byte)random.nextInt();
            }
            if (random.nextBoolean())
            {
                correctChecksum(frame);
            }
            frames.add(frame);
        }
        routers.assertSameFates(frames);
    }

    @Property(tries = 1500)
    void shouldCheckReversePathsAsOfExceptions(
        @ForAll @Size(min = 1, max = 150) final List<Long> seeds,
        @ForAll @IntRange(max = 30) final int unusualPercent,
        @ForAll final ReversePath reversePath,
        @ForAll final boolean forwarding)
    {
        routers.policy(new InterfacePolicy(forwarding, reversePath, true));
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            frames.add(random.nextInt(100) < unusualPercent ? unusual(random, routers) : ordinary(random)
                .source(REVERSE_PATH_SOURCES[random.nextInt(REVERSE_PATH_SOURCES.length)]).bytes());
        }
        routers.assertSameFates(frames);
    }

    @Property(tries = 1500)
    void shouldTreatFramesOfBothFamiliesAsExceptionsAreTreated(
        @ForAll @Size(min = 1, max = 150) final List<Long> seeds,
        @ForAll @IntRange(max = 100) final int ipv6Percent,
        @ForAll @IntRange(max = 100) final int unusualPercent)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            final boolean isUnusual = random.nextInt(100) < unusualPercent;
            if (random.nextInt(100) < ipv6Percent)
            {
                frames.add(isUnusual ? unusualIpv6(random) : ordinaryIpv6(random).bytes());
            }
            else
            {
                frames.add(isUnusual ? unusual(random, routers) : ordinary(random).bytes());
            }
        }
        routers.assertSameFates(frames);
    }

    @Property(tries = 1500)
    void shouldTreatDamagedIpv6FramesAsExceptionsAreTreated(
        @ForAll @Size(min = 1, max = 20) final List<Long> seeds, @ForAll @IntRange(max = 3) final int damages)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            final byte[] frame = ordinaryIpv6(random).bytes();
            for (int i = 0; i < damages; i++)
            {
                frame[random.nextInt(54)] = (byte)random.nextInt();
            }
            frames.add(frame);
        }
        routers.assertSameFates(frames);
    }

    @Property(tries = 300)
    void shouldLeaveEachFamilyToTheKernelWhereItDoesNotForwardIt(
        @ForAll @Size(min = 1, max = 150) final List<Long> seeds,
        @ForAll final boolean ipv4Forwarding,
        @ForAll final ReversePath reversePath,
        @ForAll final boolean ipv6Forwarding)
    {
        routers.policy(new InterfacePolicy(ipv4Forwarding, reversePath, ipv6Forwarding));
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            frames.add(random.nextBoolean() ? ordinaryIpv6(random).bytes() : ordinary(random).bytes());
        }
        routers.assertSameFates(frames);
    }

    static TestFrame6 ordinaryIpv6(final Random random)
    {
        return TestFrame6.ipv6()
            .destination(IPV6_DESTINATIONS[random.nextInt(IPV6_DESTINATIONS.length)])
            .trafficClass(random.nextInt(256))
            .flowLabel(random.nextInt(1 << 20))
            .nextHeader(random.nextInt(256))
            .hopLimit(2 + random.nextInt(254))
            .payload(IPV6_LENGTHS[random.nextInt(IPV6_LENGTHS.length)])
            .padding(random.nextInt(3) == 0 ? random.nextInt(27) : 0);
    }

    static byte[] unusualIpv6(final Random random)
    {
        final TestFrame6 frame = ordinaryIpv6(random);
        switch (random.nextInt(UNUSUAL_IPV6_KINDS))
        {
            case 0:
                return frame.hopLimit(random.nextInt(2)).bytes();
            case 1:
                return frame.to("33:33:00:00:00:01").bytes();
            case 2:
                return frame.to("02:00:00:00:01:01").bytes();
            case 3:
                return frame.version(random.nextInt(16)).bytes();
            case 4:
                return frame.payloadLength(random.nextInt(random.nextBoolean() ? 64 : 0x10000)).bytes();
            case 5:
                return Arrays.copyOf(frame.bytes(), random.nextInt(60));
            case 6:
                return frame.hopLimit(1).nextHeader(58).bytes();
            case 7:
                return frame.hopLimit(1).nextHeader(EXTENSION_TYPES[random.nextInt(EXTENSION_TYPES.length)])
                    .payload(TestFrame.hex(EXTENSIONS[random.nextInt(EXTENSIONS.length)])).bytes();
            case 8:
                return frame.source(OTHER_IPV6_SOURCES[random.nextInt(OTHER_IPV6_SOURCES.length)])
                    .destination(OTHER_IPV6_DESTINATIONS[random.nextInt(OTHER_IPV6_DESTINATIONS.length)]).bytes();
            case 9:
                return frame.source(OTHER_IPV6_SOURCES[random.nextInt(OTHER_IPV6_SOURCES.length)]).bytes();
            default:
                return frame.destination(OTHER_IPV6_DESTINATIONS[random.nextInt(OTHER_IPV6_DESTINATIONS.length)])
                    .bytes();
        }
    }

    static TestFrame ordinary(final Random random)
    {
        return TestFrame.ipv4()
            .destination(DESTINATIONS[random.nextInt(DESTINATIONS.length)])
            .identification(random.nextInt(0x10000))
            .trafficClass(random.nextInt(256))
            .ttl(2 + random.nextInt(254))
            .payload(LENGTHS[random.nextInt(LENGTHS.length)])
            .padding(random.nextInt(3) == 0 ? random.nextInt(27) : 0);
    }

    /** A source that shares a place of the filter with an address of the router. */
    private static int alikeOurs(final Random random, final TwinRouters routers)
    {
        int source = TestFrame.ip("20.0.0.0") + random.nextInt(1 << 24);
        while (!routers.classifying.interfaces.hostAddresses().mayContain(source))
        {
            source++;
        }
        return source;
    }

    static byte[] unusual(final Random random, final TwinRouters routers)
    {
        final TestFrame frame = ordinary(random);
        switch (random.nextInt(UNUSUAL_KINDS))
        {
            case 0:
                return frame.ttl(random.nextInt(2)).bytes();
            case 1:
                return frame.to("ff:ff:ff:ff:ff:ff").bytes();
            case 2:
                return frame.to("02:00:00:00:01:01").bytes();
            case 3:
                return frame.etherType(random.nextBoolean() ? 0x0806 : 0x86DD).bytes();
            case 4:
                return frame.options("01".repeat(4 * (1 + random.nextInt(10)))).bytes();
            case 5:
                return frame.version(random.nextInt(16)).ihl(random.nextInt(16)).bytes();
            case 6:
                return frame.checksum(random.nextInt(0x10000)).bytes();
            case 7:
                return frame.totalLength(random.nextInt(random.nextBoolean() ? 64 : 0x10000)).bytes();
            case 8:
                return frame.source(OTHER_SOURCES[random.nextInt(OTHER_SOURCES.length)]).bytes();
            case 9:
                return frame.flagsAndOffset(random.nextBoolean() ? 0x4000 : 0x2000).bytes();
            case 10:
                return Arrays.copyOf(frame.bytes(), random.nextInt(40));
            case 11:
                final String options = OPTIONS[random.nextInt(OPTIONS.length)];
                return frame.options(options + "00".repeat((8 - options.length() % 8) % 8 / 2)).bytes();
            case 12:
                return frame.source(alikeOurs(random, routers)).bytes();
            default:
                return frame.destination(OTHER_DESTINATIONS[random.nextInt(OTHER_DESTINATIONS.length)]).bytes();
        }
    }

    static void correctChecksum(final byte[] frame)
    {
        frame[TestFrame.ETHERNET + 10] = 0;
        frame[TestFrame.ETHERNET + 11] = 0;
        final int checksum = TestFrame.checksumOf(frame, TestFrame.ETHERNET, 20);
        frame[TestFrame.ETHERNET + 10] = (byte)(checksum >> 8);
        frame[TestFrame.ETHERNET + 11] = (byte)checksum;
    }
}

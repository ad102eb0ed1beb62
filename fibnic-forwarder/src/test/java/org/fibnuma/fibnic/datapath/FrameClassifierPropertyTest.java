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
        "20.4.0.1", "20.6.0.1", "20.7.0.1", "20.8.0.1", "10.0.0.1", "10.0.0.255", "10.0.1.9", "30.0.0.1", "0.0.0.1",
        "10.0.1.0", "127.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"};
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
            frames.add(random.nextInt(100) < unusualPercent ? unusual(random) : ordinary(random).bytes());
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
        routers.policy(new InterfacePolicy(forwarding, reversePath));
        final List<byte[]> frames = new ArrayList<>();
        for (final long seed : seeds)
        {
            final Random random = new Random(seed);
            frames.add(random.nextInt(100) < unusualPercent ? unusual(random) : ordinary(random)
                .source(REVERSE_PATH_SOURCES[random.nextInt(REVERSE_PATH_SOURCES.length)]).bytes());
        }
        routers.assertSameFates(frames);
    }

    private static TestFrame ordinary(final Random random)
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
    private int alikeOurs(final Random random)
    {
        int source = TestFrame.ip("20.0.0.0") + random.nextInt(1 << 24);
        while (routers.classifying.interfaces.hostAddresses().mayContain(source) == 0)
        {
            source++;
        }
        return source;
    }

    private byte[] unusual(final Random random)
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
                return frame.source(alikeOurs(random)).bytes();
            default:
                return frame.destination(OTHER_DESTINATIONS[random.nextInt(OTHER_DESTINATIONS.length)]).bytes();
        }
    }

    private static void correctChecksum(final byte[] frame)
    {
        frame[TestFrame.ETHERNET + 10] = 0;
        frame[TestFrame.ETHERNET + 11] = 0;
        final int checksum = TestFrame.checksumOf(frame, TestFrame.ETHERNET, 20);
        frame[TestFrame.ETHERNET + 10] = (byte)(checksum >> 8);
        frame[TestFrame.ETHERNET + 11] = (byte)checksum;
    }
}

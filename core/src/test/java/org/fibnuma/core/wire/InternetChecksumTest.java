package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class InternetChecksumTest
{
    @Test
    void shouldFollowEveryTtlDecrementByRecomputation()
    {
        // Sum of the nine other words x TTL 2..255; the protocol byte is part of the sum, so it is 0 here.
        for (int others = 0; others <= 0xFFFF; others++)
        {
            for (int ttl = 2; ttl <= 255; ttl++)
            {
                final int before = plainChecksum(others, ttl << 8);
                final int after = plainChecksum(others, (ttl - 1) << 8);
                final int updated = InternetChecksum.afterTtlDecrement(before);
                if (updated != after)
                {
                    assertEquals(after, updated, "others " + others + " ttl " + ttl);
                }
            }
        }
    }

    @Test
    void shouldLowerEveryTtlInAHeaderLikeRecomputation()
    {
        try (MemoryRegion region = MemoryRegion.ofBytes(64))
        {
            final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight().wrap(region.address());
            ip.versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5).protocol(0xFE);
            for (int others = 0; others <= 0xFFFF; others++)
            {
                ip.identification(others);
                for (int ttl = 1; ttl <= 255; ttl += ttl < 4 ? 1 : 63)
                {
                    ip.ttl(ttl).computeChecksum();
                    ip.decrementTtl();
                    final int updated = ip.checksum();
                    assertEquals(ttl - 1, ip.ttl());
                    assertEquals(0xFE, ip.protocol());
                    ip.computeChecksum();
                    assertEquals(ip.checksum(), updated, "identification " + others + " ttl " + ttl);
                }
            }
        }
    }

    @Test
    void shouldRefuseAHeaderOfZeros()
    {
        try (MemoryRegion region = MemoryRegion.ofBytes(64))
        {
            assertFalse(InternetChecksum.isRightOver20(region.address()));
        }
    }

    @Test
    void shouldFollowEveryWordChangeByRecomputation()
    {
        final Random random = new Random(1624);
        for (int i = 0; i < 2_000_000; i++)
        {
            // A header always has a non-zero word (its version), so the sum of the others is never 0.
            final int others = 1 + random.nextInt(0xFFFF);
            final int before = random.nextInt(0x10000);
            final int after = random.nextInt(0x10000);
            assertEquals(
                plainChecksum(others, after),
                InternetChecksum.afterWordChange(plainChecksum(others, before), before, after));
        }
    }

    @Test
    void shouldSumAnyLengthAtAnyAlignmentLikeTheDefinition()
    {
        final Random random = new Random(1071);
        try (MemoryRegion region = MemoryRegion.ofBytes(8192))
        {
            for (int i = 0; i < 20_000; i++)
            {
                final byte[] bytes = new byte[random.nextInt(1600)];
                random.nextBytes(bytes);
                final long address = region.address() + random.nextInt(64);
                FrameMemory.putBytes(address, bytes);
                assertEquals(definition(bytes), InternetChecksum.of(address, bytes.length));
            }
        }
    }

    @Test
    void shouldAcceptExactlyTheRightHeaderChecksum()
    {
        final Random random = new Random(20);
        try (MemoryRegion region = MemoryRegion.ofBytes(64))
        {
            final byte[] header = new byte[Ipv4HeaderFlyweight.MIN_LENGTH];
            for (int i = 0; i < 200; i++)
            {
                random.nextBytes(header);
                header[0] = 0x45;
                FrameMemory.putBytes(region.address(), header);
                new Ipv4HeaderFlyweight().wrap(region.address()).computeChecksum();
                assertTrue(InternetChecksum.isRightOver20(region.address()));
                final int right = FrameMemory.getShortBE(region.address() + Ipv4HeaderFlyweight.CHECKSUM_OFFSET);
                for (int wrong = 0; wrong <= 0xFFFF; wrong++)
                {
                    FrameMemory.putShortBE(region.address() + Ipv4HeaderFlyweight.CHECKSUM_OFFSET, wrong);
                    // 0x0000 and 0xFFFF are both zero in one's complement.
                    final boolean same = wrong % 0xFFFF == right % 0xFFFF;
                    assertEquals(same, InternetChecksum.isRightOver20(region.address()));
                    final long fault = InternetChecksum.faultOver20(region.address());
                    assertEquals(same, fault == 0);
                    assertEquals(0, fault & (1 << 19) - 1);
                }
            }
        }
    }

    private static int plainChecksum(final int others, final int word)
    {
        int sum = others + word;
        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return ~sum & 0xFFFF;
    }

    private static int definition(final byte[] bytes)
    {
        long sum = 0;
        for (int i = 0; i < bytes.length; i += 2)
        {
            sum += (bytes[i] & 0xFF) << 8 | (i + 1 < bytes.length ? bytes[i + 1] & 0xFF : 0);
        }
        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int)(~sum & 0xFFFF);
    }
}

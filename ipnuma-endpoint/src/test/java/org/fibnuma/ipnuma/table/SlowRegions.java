package org.fibnuma.ipnuma.table;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Regions over an array that follow the documentation literally, without optimization. */
final class SlowRegions
{
    final byte[] memory;
    private final long base;
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Set<Integer> revoked = new HashSet<>();
    private Integer zero;
    private BigInteger lastValue = BigInteger.ZERO;

    SlowRegions(final long base, final int length)
    {
        this.base = base;
        this.memory = new byte[length];
    }

    void add(final Region region)
    {
        regions.put(region.id(), region);
        revoked.remove(region.id());
    }

    boolean revoke(final int id)
    {
        if (zero != null && zero == id)
        {
            zero = null;
        }
        return regions.containsKey(id) && revoked.add(id);
    }

    void zero(final int id)
    {
        zero = id;
    }

    boolean isThere(final int id)
    {
        return regions.containsKey(id) && !revoked.contains(id);
    }

    int write(final long remoteAddress, final long key, final int source, final byte[] data, final int length)
    {
        final int status = status(RegionAccess.WRITE, remoteAddress, key, source, length);
        for (int i = 0; status == AccessStatus.OK && i < length; i++)
        {
            memory[index(remoteAddress) + i] = data[i];
        }
        return status;
    }

    int read(final long remoteAddress, final long key, final int source, final byte[] destination, final int length)
    {
        final int status = status(RegionAccess.READ, remoteAddress, key, source, length);
        for (int i = 0; i < length; i++)
        {
            destination[i] = status == AccessStatus.OK ? memory[index(remoteAddress) + i] : 0;
        }
        return status;
    }

    int atomic(
        final int operation,
        final long remoteAddress,
        final long key,
        final int source,
        final long operand,
        final long compare,
        final int width)
    {
        lastValue = BigInteger.ZERO;
        final int status = status(RegionAccess.ATOMIC, remoteAddress, key, source, width);
        if (status != AccessStatus.OK)
        {
            return status;
        }
        if (operation < 1 || operation > 3 || width != 4 && width != 8 ||
            BigInteger.valueOf(remoteAddress).mod(BigInteger.valueOf(width)).signum() != 0)
        {
            return AccessStatus.MISALIGNED;
        }
        final BigInteger modulus = BigInteger.ONE.shiftLeft(8 * width);
        final BigInteger before = number(index(remoteAddress), width);
        final BigInteger wanted = BigInteger.valueOf(operand).mod(modulus);
        final BigInteger after;
        if (operation == AtomicOperation.FETCH_ADD)
        {
            after = before.add(wanted).mod(modulus);
        }
        else if (operation == AtomicOperation.SWAP || before.equals(BigInteger.valueOf(compare).mod(modulus)))
        {
            after = wanted;
        }
        else
        {
            after = before;
        }
        store(index(remoteAddress), width, after);
        lastValue = before;
        return AccessStatus.OK;
    }

    long lastValue()
    {
        return lastValue.longValue();
    }

    private int status(final int access, final long remoteAddress, final long key, final int source, final int length)
    {
        final Region region = find(remoteAddress);
        if (region == null)
        {
            return AccessStatus.NO_REGION;
        }
        if (region.allow().stream().noneMatch(prefix -> contains(prefix, source)))
        {
            return AccessStatus.NO_ACCESS;
        }
        if (region.key() != key)
        {
            return AccessStatus.WRONG_KEY;
        }
        if (revoked.contains(region.id()))
        {
            return AccessStatus.REVOKED;
        }
        if ((region.access() & access) == 0)
        {
            return AccessStatus.NO_ACCESS;
        }
        final BigInteger end = BigInteger.valueOf(remoteAddress & 0xFFFF_FFFFL).add(BigInteger.valueOf(length));
        return length < 0 || end.compareTo(BigInteger.valueOf(region.length())) > 0 ?
            AccessStatus.OUT_OF_RANGE :
            AccessStatus.OK;
    }

    private Region find(final long remoteAddress)
    {
        final BigInteger number = new BigInteger(Long.toUnsignedString(remoteAddress));
        final BigInteger id = number.shiftRight(32);
        if (id.equals(BigInteger.ZERO))
        {
            return zero == null ? null : regions.get(zero);
        }
        return id.bitLength() > 16 ? null : regions.get(id.intValue());
    }

    private int index(final long remoteAddress)
    {
        return (int)(find(remoteAddress).address() - base + (remoteAddress & 0xFFFF_FFFFL));
    }

    private BigInteger number(final int index, final int width)
    {
        final byte[] bigEndian = new byte[width];
        for (int i = 0; i < width; i++)
        {
            final boolean littleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
            bigEndian[i] = memory[littleEndian ? index + width - 1 - i : index + i];
        }
        return new BigInteger(1, bigEndian);
    }

    private void store(final int index, final int width, final BigInteger value)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(memory).order(ByteOrder.nativeOrder());
        if (width == 8)
        {
            buffer.putLong(index, value.longValue());
        }
        else
        {
            buffer.putInt(index, value.intValue());
        }
    }

    private static boolean contains(final Ipv4Prefix prefix, final int source)
    {
        for (int bit = 0; bit < prefix.length(); bit++)
        {
            if ((prefix.address() >>> 31 - bit & 1) != (source >>> 31 - bit & 1))
            {
                return false;
            }
        }
        return true;
    }
}

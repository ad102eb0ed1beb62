package org.fibnuma.core.memory;

import org.agrona.UnsafeApi;

/**
 * Atomic and ordered access to native memory that several threads or processes share. Release stores become visible
 * after every earlier store of the thread; acquire loads see the stores before the release that they read. Values are
 * in the machine's byte order. Addresses must be aligned to the width of the access: an unaligned access is not atomic
 * and may end the process on some machines. Bounds are checked as in {@link FrameMemory}.
 */
public final class OrderedMemory
{
    private OrderedMemory()
    {
    }

    /** Stores the low 8 bits of a value with release semantics. */
    public static void putByteRelease(final long address, final int value)
    {
        check(address, Byte.BYTES);
        UnsafeApi.putByteRelease(null, address, (byte)value);
    }

    /** Stores the low 16 bits of a value with release semantics. */
    public static void putShortRelease(final long address, final int value)
    {
        check(address, Short.BYTES);
        UnsafeApi.putShortRelease(null, address, (short)value);
    }

    /** Stores four bytes with release semantics. */
    public static void putIntRelease(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putIntRelease(null, address, value);
    }

    /** Stores eight bytes with release semantics. */
    public static void putLongRelease(final long address, final long value)
    {
        check(address, Long.BYTES);
        UnsafeApi.putLongRelease(null, address, value);
    }

    /** Loads four bytes with acquire semantics. */
    public static int getIntAcquire(final long address)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getIntAcquire(null, address);
    }

    /** Loads eight bytes with acquire semantics. */
    public static long getLongAcquire(final long address)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getLongAcquire(null, address);
    }

    /** Adds to four bytes atomically, wrapping, and returns the previous value. */
    public static int getAndAddInt(final long address, final int operand)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getAndAddInt(null, address, operand);
    }

    /** Adds to eight bytes atomically, wrapping, and returns the previous value. */
    public static long getAndAddLong(final long address, final long operand)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getAndAddLong(null, address, operand);
    }

    /** Exchanges four bytes atomically and returns the previous value. */
    public static int getAndSetInt(final long address, final int value)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getAndSetInt(null, address, value);
    }

    /** Exchanges eight bytes atomically and returns the previous value. */
    public static long getAndSetLong(final long address, final long value)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getAndSetLong(null, address, value);
    }

    /** Stores four bytes atomically if the current value is the expected one, and returns the value before. */
    public static int compareAndExchangeInt(final long address, final int expected, final int value)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.compareAndExchangeInt(null, address, expected, value);
    }

    /** Stores eight bytes atomically if the current value is the expected one, and returns the value before. */
    public static long compareAndExchangeLong(final long address, final long expected, final long value)
    {
        check(address, Long.BYTES);
        return UnsafeApi.compareAndExchangeLong(null, address, expected, value);
    }

    private static void check(final long address, final int length)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.check(address, length);
        }
    }
}

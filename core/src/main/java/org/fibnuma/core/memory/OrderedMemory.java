package org.fibnuma.core.memory;

import org.agrona.UnsafeApi;

/**
 * Native memory that several threads or processes look at: stores that publish what was written before them, loads
 * that see what was published, and read-modify-write in one step. Values are in the byte order of the machine and
 * addresses aligned to the width of the access; an address that is not aligned loses the atomicity, on some machines
 * the process. Addresses are proved as {@link FrameMemory} does.
 */
public final class OrderedMemory
{
    private OrderedMemory()
    {
    }

    /**
     * Publishes one byte.
     *
     * @param address of the byte.
     * @param value   the low 8 bits of which are stored, after every earlier store of this thread.
     */
    public static void putByteRelease(final long address, final int value)
    {
        check(address, Byte.BYTES);
        UnsafeApi.putByteRelease(null, address, (byte)value);
    }

    /**
     * Publishes two bytes.
     *
     * @param address of the first, a multiple of 2.
     * @param value   the low 16 bits of which are stored, after every earlier store of this thread.
     */
    public static void putShortRelease(final long address, final int value)
    {
        check(address, Short.BYTES);
        UnsafeApi.putShortRelease(null, address, (short)value);
    }

    /**
     * Publishes four bytes.
     *
     * @param address of the first, a multiple of 4.
     * @param value   stored after every earlier store of this thread.
     */
    public static void putIntRelease(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putIntRelease(null, address, value);
    }

    /**
     * Publishes eight bytes.
     *
     * @param address of the first, a multiple of 8.
     * @param value   stored after every earlier store of this thread.
     */
    public static void putLongRelease(final long address, final long value)
    {
        check(address, Long.BYTES);
        UnsafeApi.putLongRelease(null, address, value);
    }

    /**
     * Four bytes, and with them everything that was stored before they were published.
     *
     * @param address of the first, a multiple of 4.
     * @return the bits.
     */
    public static int getIntAcquire(final long address)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getIntAcquire(null, address);
    }

    /**
     * Eight bytes, and with them everything that was stored before they were published.
     *
     * @param address of the first, a multiple of 8.
     * @return the bits.
     */
    public static long getLongAcquire(final long address)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getLongAcquire(null, address);
    }

    /**
     * Adds to four bytes in one step.
     *
     * @param address of the first, a multiple of 4.
     * @param operand to add, wrapping.
     * @return the value before.
     */
    public static int getAndAddInt(final long address, final int operand)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getAndAddInt(null, address, operand);
    }

    /**
     * Adds to eight bytes in one step.
     *
     * @param address of the first, a multiple of 8.
     * @param operand to add, wrapping.
     * @return the value before.
     */
    public static long getAndAddLong(final long address, final long operand)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getAndAddLong(null, address, operand);
    }

    /**
     * Exchanges four bytes in one step.
     *
     * @param address of the first, a multiple of 4.
     * @param value   to store.
     * @return the value before.
     */
    public static int getAndSetInt(final long address, final int value)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getAndSetInt(null, address, value);
    }

    /**
     * Exchanges eight bytes in one step.
     *
     * @param address of the first, a multiple of 8.
     * @param value   to store.
     * @return the value before.
     */
    public static long getAndSetLong(final long address, final long value)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getAndSetLong(null, address, value);
    }

    /**
     * Exchanges four bytes in one step where they are as expected.
     *
     * @param address  of the first, a multiple of 4.
     * @param expected what must stand there for anything to be stored.
     * @param value    to store then.
     * @return the value before, {@code expected} where it was stored.
     */
    public static int compareAndExchangeInt(final long address, final int expected, final int value)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.compareAndExchangeInt(null, address, expected, value);
    }

    /**
     * Exchanges eight bytes in one step where they are as expected.
     *
     * @param address  of the first, a multiple of 8.
     * @param expected what must stand there for anything to be stored.
     * @param value    to store then.
     * @return the value before, {@code expected} where it was stored.
     */
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

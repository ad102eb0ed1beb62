package org.fibnuma.fibnic.verify;

/**
 * A range of addresses for which the FIB does not say what it should.
 *
 * @param first    address, 0 to 2^32 - 1.
 * @param last     address, not below the first.
 * @param expected what the kernel's tables say, in words.
 * @param actual   what the workers do, in words.
 */
public record Difference(long first, long last, String expected, String actual)
{
    /**
     * Whether two ranges have an address in common.
     *
     * @param other range.
     * @return false where one ends before the other begins.
     */
    public boolean overlaps(final Difference other)
    {
        return first <= other.last && other.first <= last;
    }
}

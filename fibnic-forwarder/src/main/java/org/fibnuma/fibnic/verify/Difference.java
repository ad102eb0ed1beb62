package org.fibnuma.fibnic.verify;

/**
 * A range of addresses whose adjacency in the FIB is wrong.
 *
 * @param first    address, 0 to 2^32 - 1.
 * @param last     address, not below the first.
 * @param expected adjacency by the kernel's tables, as text.
 * @param actual   adjacency by the FIB, as text.
 */
public record Difference(long first, long last, String expected, String actual)
{
    /** Returns whether two ranges have an address in common. */
    public boolean overlaps(final Difference other)
    {
        return first <= other.last && other.first <= last;
    }
}

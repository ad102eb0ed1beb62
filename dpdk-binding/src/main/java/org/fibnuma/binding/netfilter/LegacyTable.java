package org.fibnuma.binding.netfilter;

import org.agrona.DirectBuffer;

import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;

import static org.fibnuma.binding.netfilter.LegacyTableLayout.ERROR_TARGET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.STANDARD_TARGET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.TARGET_DATA_OFFSET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.TARGET_NAME_OFFSET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.TARGET_NAME_SIZE;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.VERDICT_ACCEPT;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.VERDICT_OFFSET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.VERDICT_RETURN;

/** The rules of a table in the kernel's format, one after the other. Nothing is read outside them. */
final class LegacyTable
{
    private static final Set<String> HARMLESS_TARGETS = Set.of("LOG", "NFLOG");

    private final DirectBuffer entries;
    private final int start;
    private final int size;
    private final LegacyFamily family;

    /** Wraps the entries of a table: {@code size} bytes in a buffer from {@code start} on. */
    LegacyTable(final LegacyFamily family, final DirectBuffer entries, final int start, final int size)
    {
        this.family = family;
        this.entries = entries;
        this.start = start;
        this.size = size;
    }

    /**
     * Returns whether a chain can neither drop nor change a packet: its policy is accept, and all rules in it and in
     * chains to which it jumps are harmless.
     *
     * @param first  offset of its first rule among the entries.
     * @param policy offset of the entry with its policy.
     */
    boolean isHarmless(final int first, final int policy)
    {
        return isHarmless(first, policy, new HashSet<>());
    }

    private boolean isHarmless(final int first, final int policy, final Set<Integer> visited)
    {
        int offset = first;
        while (visited.add(offset))
        {
            if (!isEntry(offset))
            {
                return false;
            }
            final int target = target(offset);
            final int next = next(offset);
            final String name = name(target);
            if (ERROR_TARGET.equals(name))
            {
                return true;
            }
            final boolean standard = STANDARD_TARGET.equals(name);
            final int verdict = standard ? verdict(target) : 0;
            if (offset == policy)
            {
                return standard && verdict == VERDICT_ACCEPT;
            }
            if (standard ? !isHarmlessVerdict(verdict, policy, visited) : !HARMLESS_TARGETS.contains(name))
            {
                return false;
            }
            offset = next;
        }
        return true;
    }

    private boolean isHarmlessVerdict(final int verdict, final int policy, final Set<Integer> visited)
    {
        return verdict >= 0 ? isHarmless(verdict, policy, visited) :
            verdict == VERDICT_ACCEPT || verdict == VERDICT_RETURN;
    }

    /** Returns a digest of all entries, of each without the counters and the state before its matches. */
    long digest()
    {
        final CRC32C crc = new CRC32C();
        int entry = 0;
        while (isEntry(entry))
        {
            final int matches = entry + family.entrySize();
            update(crc, entry, matches - LegacyTableLayout.COUNTERS_SIZE);
            update(crc, matches, Math.min(size, next(entry)));
            entry = next(entry);
        }
        return crc.getValue();
    }

    private void update(final CRC32C crc, final int from, final int to)
    {
        for (int offset = from; offset < to; offset++)
        {
            crc.update(entries.getByte(start + offset));
        }
    }

    /** Returns whether there is an entry with a target at an offset. */
    boolean isEntry(final int offset)
    {
        return offset >= 0 && offset <= size - family.entrySize() &&
            target(offset) <= size - VERDICT_OFFSET - Integer.BYTES && next(offset) > offset;
    }

    /** Returns the offset of the target of an entry. Matches are before it. */
    int target(final int entry)
    {
        return entry + shortAt(entry + family.targetOffsetOffset());
    }

    /** Returns the offset of the entry after another. */
    int next(final int entry)
    {
        return entry + shortAt(entry + family.targetOffsetOffset() + Short.BYTES);
    }

    /** Returns the name of a target or match. */
    String name(final int target)
    {
        return text(target + TARGET_NAME_OFFSET, TARGET_NAME_SIZE);
    }

    /** Returns the verdict of a target with the name {@link LegacyTableLayout#STANDARD_TARGET}. */
    int verdict(final int target)
    {
        return entries.getInt(start + target + VERDICT_OFFSET);
    }

    /** Returns the name of the chain whose first rule is at an offset; empty if it is the chain of a hook. */
    String chain(final int first)
    {
        int entry = 0;
        while (isEntry(entry) && next(entry) < first)
        {
            entry = next(entry);
        }
        return isEntry(entry) && next(entry) == first && name(target(entry)).equals(ERROR_TARGET) ?
            text(target(entry) + TARGET_DATA_OFFSET, Math.min(TARGET_NAME_SIZE, first - target(entry) -
            TARGET_DATA_OFFSET)) : "";
    }

    /** Returns the buffer with the entries. */
    DirectBuffer buffer()
    {
        return entries;
    }

    /** Returns the place in {@link #buffer()} of an offset among the entries. */
    int position(final int offset)
    {
        return start + offset;
    }

    LegacyFamily family()
    {
        return family;
    }

    private String text(final int offset, final int size)
    {
        int length = 0;
        while (length < size && entries.getByte(start + offset + length) != 0)
        {
            length++;
        }
        return entries.getStringWithoutLengthAscii(start + offset, length);
    }

    /** Returns 16 bits at an offset, 0 to 65,535. */
    int shortAt(final int offset)
    {
        return entries.getShort(start + offset) & 0xFFFF;
    }
}

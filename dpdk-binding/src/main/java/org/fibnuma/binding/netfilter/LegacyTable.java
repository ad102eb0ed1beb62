package org.fibnuma.binding.netfilter;

import org.agrona.DirectBuffer;

import java.util.HashSet;
import java.util.Set;

import static org.fibnuma.binding.netfilter.LegacyTableLayout.ERROR_TARGET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.STANDARD_TARGET;
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
            if (offset < 0 || offset > size - family.entrySize())
            {
                return false;
            }
            final int offsets = offset + family.targetOffsetOffset();
            final int target = offset + shortAt(offsets);
            final int next = offset + shortAt(offsets + Short.BYTES);
            if (target > size - VERDICT_OFFSET - Integer.BYTES || next <= offset)
            {
                return false;
            }
            final String name = targetName(target);
            if (ERROR_TARGET.equals(name))
            {
                return true;
            }
            final boolean standard = STANDARD_TARGET.equals(name);
            final int verdict = standard ? entries.getInt(start + target + VERDICT_OFFSET) : 0;
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

    private String targetName(final int target)
    {
        final int name = start + target + TARGET_NAME_OFFSET;
        int length = 0;
        while (length < TARGET_NAME_SIZE && entries.getByte(name + length) != 0)
        {
            length++;
        }
        return entries.getStringWithoutLengthAscii(name, length);
    }

    private int shortAt(final int offset)
    {
        return entries.getShort(start + offset) & 0xFFFF;
    }
}

package org.fibnuma.binding.netfilter;

import java.util.HashMap;
import java.util.Map;

import static org.fibnuma.binding.netfilter.LegacyTableLayout.ERROR_TARGET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.STANDARD_TARGET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.TARGET_DATA_OFFSET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.TARGET_REVISION_OFFSET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.TARGET_SIZE_OFFSET;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.VERDICT_ACCEPT;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.VERDICT_DROP;
import static org.fibnuma.binding.netfilter.LegacyTableLayout.VERDICT_RETURN;

/**
 * Walks a chain of a legacy table as the packets of {@link PacketMatch} do, and finds the first rule on their paths
 * that acts on single packets.
 */
final class LegacyWalk
{
    private static final String DAMAGED = "a damaged rule";

    private final LegacyTable table;
    private final int policy;
    private final int protocol;
    /** Whether the packets that come to a chain all end there, by the offset of its first rule. */
    private final Map<Integer, Boolean> ends = new HashMap<>();
    private PacketFinding found;
    /** What the matches of the current rule compare that is different from packet to packet; null if nothing. */
    private String compared;

    private LegacyWalk(final LegacyTable table, final int policy, final int protocol)
    {
        this.table = table;
        this.policy = policy;
        this.protocol = protocol;
    }

    /**
     * Returns the first rule that acts on single packets; null if there is none.
     *
     * @param table    with the chain.
     * @param first    offset of the first rule of the hook's chain.
     * @param policy   offset of the entry with its policy.
     * @param protocol of the packets.
     */
    static PacketFinding find(final LegacyTable table, final int first, final int policy, final int protocol)
    {
        final LegacyWalk walk = new LegacyWalk(table, policy, protocol);
        walk.walk(first);
        return walk.found;
    }

    /** Returns whether all packets that come to a chain get a final verdict there. */
    private boolean walk(final int first)
    {
        final Boolean known = ends.putIfAbsent(first, false);
        if (known != null)
        {
            return known;
        }
        int entry = first;
        for (int number = 1; entry != policy; number++)
        {
            final boolean isDamaged = !table.isEntry(entry);
            if (!isDamaged && ERROR_TARGET.equals(table.name(table.target(entry))))
            {
                return false;
            }
            final PacketMatch match = isDamaged ? PacketMatch.PER_PACKET : matches(entry);
            if (match != PacketMatch.NO)
            {
                final String expression = isDamaged ? DAMAGED : perPacket(entry);
                if (expression != null)
                {
                    found = new PacketFinding(expression, table.chain(first), number);
                    return false;
                }
                final Passage passage = passage(entry);
                if (found != null)
                {
                    return false;
                }
                if (match == PacketMatch.YES && passage != Passage.GOES_ON)
                {
                    ends.put(first, passage == Passage.ENDS);
                    return passage == Passage.ENDS;
                }
            }
            entry = table.next(entry);
        }
        return false;
    }

    /** Returns what of a rule whose matches hold acts on single packets, or null. */
    private String perPacket(final int entry)
    {
        final int target = table.target(entry);
        final String name = table.name(target);
        if (!STANDARD_TARGET.equals(name))
        {
            final int data = target + TARGET_DATA_OFFSET;
            final int revision = table.buffer().getByte(table.position(target + TARGET_REVISION_OFFSET));
            final boolean isPerPacket = PacketMatch.isTargetPerPacket(
                name, revision, table.buffer(), table.position(data), table.next(entry) - data);
            return isPerPacket ? "-j " + name : compared;
        }
        final int verdict = table.verdict(target);
        if (verdict == table.next(entry))
        {
            return null;
        }
        return verdict >= 0 || verdict == VERDICT_ACCEPT || verdict == VERDICT_DROP || verdict == VERDICT_RETURN ?
            compared : "-j QUEUE";
    }

    /** Returns what happens to the packets for which the matches of a rule hold. */
    private Passage passage(final int entry)
    {
        final int target = table.target(entry);
        final String name = table.name(target);
        if (!STANDARD_TARGET.equals(name))
        {
            return name.equals("REJECT") ? Passage.ENDS : Passage.GOES_ON;
        }
        final int verdict = table.verdict(target);
        if (verdict < 0)
        {
            return verdict == VERDICT_RETURN ? Passage.RETURNS : Passage.ENDS;
        }
        // A rule without a target has the next rule for its verdict.
        if (verdict == table.next(entry))
        {
            return Passage.GOES_ON;
        }
        return walk(verdict) ? Passage.ENDS :
            table.family().isGoto(table.buffer(), table.position(entry)) ? Passage.RETURNS : Passage.GOES_ON;
    }

    private PacketMatch matches(final int entry)
    {
        final int target = table.target(entry);
        PacketMatch result = table.family().matches(table.buffer(), table.position(entry), protocol);
        compared = result == PacketMatch.PER_PACKET ? "the type of service" : null;
        int match = entry + table.family().entrySize();
        while (result != PacketMatch.NO && match <= target - TARGET_DATA_OFFSET)
        {
            final int size = table.shortAt(match + TARGET_SIZE_OFFSET);
            if (size < TARGET_DATA_OFFSET || match + size > target)
            {
                compared = DAMAGED;
                return PacketMatch.PER_PACKET;
            }
            final String name = table.name(match);
            final PacketMatch next = PacketMatch.xtables(name, protocol,
                table.buffer().getByte(table.position(match + TARGET_REVISION_OFFSET)), table.buffer(),
                table.position(match + TARGET_DATA_OFFSET), size - TARGET_DATA_OFFSET);
            if (next == PacketMatch.PER_PACKET)
            {
                compared = "-m " + name;
                if (!PacketMatch.isComparison(name))
                {
                    return next;
                }
            }
            result = result.and(next);
            match += size;
        }
        return result;
    }

    private enum Passage
    {
        /** A final verdict. */
        ENDS,
        /** Return to the chain that jumped here. */
        RETURNS,
        GOES_ON
    }
}

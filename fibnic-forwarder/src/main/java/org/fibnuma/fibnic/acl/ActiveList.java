package org.fibnuma.fibnic.acl;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.fibnic.fate.DropReason;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.stream.IntStream;

/**
 * An access list with the tables for its lookup and its counters. The tables are immutable. Each worker has counters of
 * its own, written opaque, so that any thread can read them at any time.
 */
public final class ActiveList
{
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int NOT_DROPPED = -1;

    private final AccessList list;
    private final AccessClassifier ipv4;
    private final AccessClassifier ipv6;
    private final int[] ipv4Rules;
    private final int[] ipv6Rules;
    private final boolean counts;
    /** By rule, the default at the end: drop reason, or NOT_DROPPED. */
    private final int[] reasons;
    /** By worker: frames and bytes of each rule, the default at the end. */
    private final long[][] counters;
    /** Counts that are added to the counters, null for none; any thread. */
    private volatile EarlierCounts earlier;

    /** Computes the tables. The counters continue those of the same rules of a replaced list, null for none. */
    ActiveList(final AccessList list, final int workers, final ActiveList replaced)
    {
        this.list = list;
        earlier = replaced == null ? null : EarlierCounts.of(list, replaced);
        ipv4Rules = rulesOf(false);
        ipv6Rules = rulesOf(true);
        ipv4 = classifier(ipv4Rules, false);
        ipv6 = classifier(ipv6Rules, true);
        counts = list.rules().stream().anyMatch(rule -> rule.action() == AccessAction.COUNT);
        reasons = IntStream.rangeClosed(0, list.rules().size()).map(rule -> reasonOf(list.actionOf(rule))).toArray();
        counters = new long[workers][2 * reasons.length];
    }

    private int[] rulesOf(final boolean isIpv6)
    {
        return IntStream.rangeClosed(0, list.rules().size())
            .filter(rule -> rule == list.rules().size() || list.rules().get(rule).isOf(isIpv6)).toArray();
    }

    private AccessClassifier classifier(final int[] rules, final boolean isIpv6)
    {
        return AccessClassifier.of(
            IntStream.of(rules).limit(rules.length - 1).mapToObj(list.rules()::get).toList(), isIpv6,
            AccessClassifier.MAX_PAIRS, AccessClassifier.MAX_RESULTS);
    }

    private static int reasonOf(final AccessAction action)
    {
        final DropReason reason = action.reason();
        return reason == null ? NOT_DROPPED : reason.id();
    }

    /** Returns the rules and their actions. */
    public AccessList list()
    {
        return list;
    }

    /** Returns the memory of the tables in bytes. */
    public long bytes()
    {
        return ipv4.bytes() + ipv6.bytes();
    }

    /** Returns the number of frames that a rule has matched, by its index; the number of rules for the default. */
    public long frames(final int rule)
    {
        return sum(2 * rule);
    }

    /** Returns the bytes, without FCS, of the frames of {@link #frames}. */
    public long bytes(final int rule)
    {
        return sum(2 * rule + 1);
    }

    private long sum(final int index)
    {
        long sum = 0;
        for (final long[] ofWorker : counters)
        {
            sum += (long)COUNT.getOpaque(ofWorker, index);
        }
        final EarlierCounts before = earlier;
        return before == null ? sum : sum + before.of(index);
    }

    /** Ends the use of the counters of the replaced list. No worker may count in it any more; one thread. */
    void settle()
    {
        final EarlierCounts before = earlier;
        earlier = before == null || before.from == null ? before : before.settled();
    }

    /**
     * Returns the rule that decides about a packet of either family. Counts nothing.
     *
     * @param keys of the calling thread, whose position 0 is overwritten.
     * @return index of the rule, the number of rules if none decides.
     */
    public int deciding(final AccessPacket packet, final AccessKeys keys)
    {
        keys.put(0, packet);
        return deciding(keys, packet.isIpv6());
    }

    /**
     * Returns the rule that decides about the first of some packets of one family. Counts and allocates nothing.
     *
     * @param frames indices of the packets in the batch, at least one.
     * @return index of the rule, the number of rules if none decides.
     */
    public int deciding(final FrameBatch batch, final FrameList frames, final boolean isIpv6, final AccessKeys keys)
    {
        if (isIpv6)
        {
            keys.readIpv6(batch, frames);
        }
        else
        {
            keys.readIpv4(batch, frames);
        }
        return deciding(keys, isIpv6);
    }

    private int deciding(final AccessKeys keys, final boolean isIpv6)
    {
        final AccessClassifier classifier = isIpv6 ? ipv6 : ipv4;
        final int[] rules = isIpv6 ? ipv6Rules : ipv4Rules;
        classifier.classify(keys, 1);
        int rule = keys.rules[0];
        while (isCounting(rules[rule]))
        {
            rule = classifier.next(keys, 0, rule + 1);
        }
        return rules[rule];
    }

    private boolean isCounting(final int rule)
    {
        return rule < list.rules().size() && list.rules().get(rule).action() == AccessAction.COUNT;
    }

    /**
     * Counts some packets of one family by rule and sets disposition DROP for those that are denied.
     *
     * @param frames indices of the packets in the batch.
     * @param worker number of the worker, from 0.
     * @return whether any packet is denied.
     */
    public boolean judge(
        final FrameBatch batch,
        final FrameList frames,
        final boolean isIpv6,
        final AccessKeys keys,
        final int worker)
    {
        final AccessClassifier classifier = isIpv6 ? ipv6 : ipv4;
        final int[] rules = isIpv6 ? ipv6Rules : ipv4Rules;
        final int count = frames.size();
        if (isIpv6)
        {
            keys.readIpv6(batch, frames);
        }
        else
        {
            keys.readIpv4(batch, frames);
        }
        classifier.classify(keys, count);
        final long[] ofWorker = counters[worker];
        if (counts)
        {
            for (int k = 0; k < count; k++)
            {
                keys.rules[k] = passCounting(classifier, rules, keys, k, ofWorker, batch.length(frames.get(k)));
            }
        }
        boolean denied = false;
        for (int k = 0; k < count; k++)
        {
            final int i = frames.get(k);
            final int rule = rules[keys.rules[k]];
            count(ofWorker, rule, batch.length(i));
            if (reasons[rule] != NOT_DROPPED)
            {
                batch.drop(i, reasons[rule]);
                denied = true;
            }
        }
        return denied;
    }

    /** Counts the matching rules that only count, and returns the position in {@code rules} of the deciding one. */
    private int passCounting(
        final AccessClassifier classifier,
        final int[] rules,
        final AccessKeys keys,
        final int k,
        final long[] ofWorker,
        final int bytes)
    {
        int rule = keys.rules[k];
        while (isCounting(rules[rule]))
        {
            count(ofWorker, rules[rule], bytes);
            rule = classifier.next(keys, k, rule + 1);
        }
        return rule;
    }

    /**
     * Counts of a list that another one has replaced, by rule of the new list.
     *
     * @param from  the replaced list, null if no worker counts in it any more.
     * @param same  by rule of the new list: the same rule of the replaced one, or {@link AccessList#NO_RULE}.
     * @param sums  if {@code from} is null: frames and bytes of each rule of the new list.
     */
    private record EarlierCounts(ActiveList from, int[] same, long[] sums)
    {
        static EarlierCounts of(final AccessList list, final ActiveList replaced)
        {
            return new EarlierCounts(replaced, list.sameRulesIn(replaced.list), null);
        }

        long of(final int index)
        {
            if (from == null)
            {
                return sums[index];
            }
            final int rule = same[index / 2];
            return rule == AccessList.NO_RULE ? 0 : from.sum(2 * rule + index % 2);
        }

        EarlierCounts settled()
        {
            return new EarlierCounts(null, null, IntStream.range(0, 2 * same.length).mapToLong(this::of).toArray());
        }
    }

    private static void count(final long[] ofWorker, final int rule, final int bytes)
    {
        COUNT.setOpaque(ofWorker, 2 * rule, ofWorker[2 * rule] + 1);
        COUNT.setOpaque(ofWorker, 2 * rule + 1, ofWorker[2 * rule + 1] + bytes);
    }
}

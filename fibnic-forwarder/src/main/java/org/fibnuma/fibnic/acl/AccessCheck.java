package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds rules of a list that no packet reaches, and rules without which every packet gets the same action. Both are
 * found exactly from the classes of packets that the {@link AccessClassifier} has computed, up to
 * {@link #MOST_COMBINATIONS} of them. Beyond that, and for rules that only count, a rule is found unreachable only if
 * one earlier rule matches all its packets.
 */
public final class AccessCheck
{
    /** Some seconds for lists of thousands of rules. */
    static final long MOST_COMBINATIONS = 1 << 24;
    private static final int NONE = -1;

    private final AccessList list;
    private final BitSet deciding = new BitSet();
    private final BitSet needed = new BitSet();
    private boolean isExact = true;

    /**
     * A rule that can be removed.
     *
     * @param rule        index of the rule, from 0.
     * @param unreachable true if no packet reaches it; false if the packets that do get the same action without it.
     * @param covering    index of an earlier rule that matches all its packets, or -1.
     */
    public record Finding(int rule, boolean unreachable, int covering)
    {
        /** Returns the finding as a sentence with rule numbers from 1. */
        public String text()
        {
            return "rule " + (rule + 1) + (!unreachable ?
                " is redundant: the rules after it and the default do the same with its packets" :
                covering == NONE ? " is unreachable: the rules before it together match all its packets" :
                " is unreachable: rule " + (covering + 1) + " matches all its packets");
        }
    }

    /** Compares the rules of a list. */
    public AccessCheck(final AccessList list)
    {
        this.list = list;
        visit(false);
        visit(true);
    }

    private void visit(final boolean isIpv6)
    {
        final int[] rules = IntStream.range(0, list.rules().size())
            .filter(rule -> list.rules().get(rule).isOf(isIpv6))
            .filter(rule -> list.rules().get(rule).action() != AccessAction.COUNT).toArray();
        final AccessClassifier classifier = AccessClassifier.ofAllMatches(
            IntStream.of(rules).mapToObj(list.rules()::get).toList(), isIpv6);
        isExact &= classifier.visitMatches(MOST_COMBINATIONS, (first, second) ->
        {
            if (first < rules.length)
            {
                deciding.set(rules[first]);
                final AccessAction next = second < rules.length ?
                    list.rules().get(rules[second]).action() : list.defaultAction();
                if (next != list.rules().get(rules[first]).action())
                {
                    needed.set(rules[first]);
                }
            }
        });
    }

    /** Returns whether all findings are known; if not, some may be missing. */
    public boolean isExact()
    {
        return isExact;
    }

    /** Returns the rules that can be removed, each without the others, in their order. */
    public List<Finding> findings()
    {
        final List<Finding> findings = new ArrayList<>();
        for (int rule = 0; rule < list.rules().size(); rule++)
        {
            final boolean counts = list.rules().get(rule).action() == AccessAction.COUNT;
            final boolean isKnown = isExact && !counts;
            if (!isKnown || !deciding.get(rule))
            {
                final int covering = covering(rule);
                if (isKnown || covering != NONE)
                {
                    findings.add(new Finding(rule, true, covering));
                }
            }
            else if (!needed.get(rule))
            {
                findings.add(new Finding(rule, false, NONE));
            }
        }
        return findings;
    }

    /** Returns the first earlier rule that decides about all packets of a rule, or NONE. */
    private int covering(final int rule)
    {
        final AccessRule inner = list.rules().get(rule);
        for (int earlier = 0; earlier < rule; earlier++)
        {
            final AccessRule outer = list.rules().get(earlier);
            if (outer.action() != AccessAction.COUNT &&
                (!inner.ipv4() || outer.covers(inner, false)) && (!inner.ipv6() || outer.covers(inner, true)))
            {
                return earlier;
            }
        }
        return NONE;
    }
}

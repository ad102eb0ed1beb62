package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Removes rules that cannot be the first match from the sets of an {@link AccessClassifier}. It stores which rules of
 * one family cover which others, field by field. A rule covers another in a field if every value of the field that
 * matches the other matches it too.
 * <p>
 * Let a set hold the rules that some fields of a packet match. If it has a rule that decides, and a later rule that the
 * first covers in all other fields, every packet that matches the later one matches the first. The later rule is then
 * removed: fewer distinct sets remain, and the tables for pairs of them are smaller.
 * <p>
 * The first match of a packet is in all its sets after the removal, because a rule that would remove it would match the
 * packet and be earlier. The same holds for the first match behind rules that only count, which remove nothing.
 */
final class RuleCoverage
{
    /** Words compared at most, about a second; the sets after that keep their rules. */
    private static final long MOST_COMPARISONS = 1L << 30;

    private final int words;
    private final int ruleCount;
    /** By field and rule: the rules that it covers in the field; rules with the same condition share an array. */
    private final List<long[][]> covered = new ArrayList<>();
    private final boolean[] decides;
    private long comparisons;

    RuleCoverage(final List<AccessRule> rules)
    {
        ruleCount = rules.size();
        words = RuleSets.wordsOf(ruleCount);
        decides = new boolean[ruleCount];
        for (int rule = 0; rule < ruleCount; rule++)
        {
            decides[rule] = rules.get(rule).action() != AccessAction.COUNT;
        }
    }

    /**
     * Adds the next field.
     *
     * @param rules     as in the constructor.
     * @param condition of a rule on the field; rules with equal conditions match the same values.
     * @param covers    whether the first rule covers the second in the field.
     */
    void add(
        final List<AccessRule> rules,
        final Function<AccessRule, Object> condition,
        final BiPredicate<AccessRule, AccessRule> covers)
    {
        final Map<Object, AccessRule> examples = new LinkedHashMap<>();
        final Map<Object, long[]> rulesOf = new LinkedHashMap<>();
        for (int rule = 0; rule < ruleCount; rule++)
        {
            final Object key = condition.apply(rules.get(rule));
            examples.putIfAbsent(key, rules.get(rule));
            rulesOf.computeIfAbsent(key, absent -> new long[words])[rule / Long.SIZE] |= 1L << rule;
        }
        final Map<Object, long[]> coveredBy = new LinkedHashMap<>();
        examples.forEach((key, outer) ->
        {
            final long[] all = new long[words];
            examples.forEach((innerKey, inner) ->
            {
                if (covers.test(outer, inner))
                {
                    final long[] ofInner = rulesOf.get(innerKey);
                    for (int w = 0; w < words; w++)
                    {
                        all[w] |= ofInner[w];
                    }
                }
            });
            coveredBy.put(key, all);
        });
        final long[][] byRule = new long[ruleCount][];
        for (int rule = 0; rule < ruleCount; rule++)
        {
            byRule[rule] = coveredBy.get(condition.apply(rules.get(rule)));
        }
        covered.add(byRule);
    }

    /**
     * Removes rules from a set that cannot be the first match of a packet.
     *
     * @param set    the rules that the values of some fields match.
     * @param fields one bit for each of these fields, in the order of {@link #add}.
     */
    void reduce(final long[] set, final int fields)
    {
        for (int w = 0; w < words && comparisons < MOST_COMPARISONS; w++)
        {
            long left = set[w];
            while (left != 0)
            {
                final int rule = w * Long.SIZE + Long.numberOfTrailingZeros(left);
                if (decides[rule])
                {
                    removeCovered(set, rule, fields);
                }
                left = set[w] & ~1L << rule;
            }
        }
    }

    private void removeCovered(final long[] set, final int rule, final int fields)
    {
        final int first = rule / Long.SIZE;
        comparisons += words - first;
        for (int w = first; w < words; w++)
        {
            long removed = w == first ? ~1L << rule : ~0L;
            removed &= set[w];
            for (int field = 0; field < covered.size() && removed != 0; field++)
            {
                if ((fields >>> field & 1) == 0)
                {
                    removed &= covered.get(field)[rule][w];
                }
            }
            set[w] &= ~removed;
        }
    }
}

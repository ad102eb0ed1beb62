package org.fibnuma.fibnic.acl;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An ordered list of rules; the first rule that a packet matches decides, apart from those with
 * {@link AccessAction#COUNT}.
 *
 * @param name          unique in the router.
 * @param rules         in their order, at most {@link #MAX_RULES}.
 * @param defaultAction for packets that no rule decides; not {@link AccessAction#COUNT}.
 */
public record AccessList(String name, List<AccessRule> rules, AccessAction defaultAction)
{
    /** Beyond this the sets of rules of an {@link AccessClassifier} could take more than some hundred megabytes. */
    public static final int MAX_RULES = 16_384;

    /** No rule, among indices of rules. */
    public static final int NO_RULE = -1;

    /** Copies the rules. */
    public AccessList
    {
        rules = List.copyOf(rules);
    }

    /**
     * Returns the rule that decides about a packet of either family, by comparing one rule after the other.
     *
     * @return index of the rule, the number of rules if none decides.
     */
    public int deciding(final AccessPacket packet)
    {
        int i = 0;
        while (i < rules.size() && (rules.get(i).action() == AccessAction.COUNT || !rules.get(i).matches(packet)))
        {
            i++;
        }
        return i;
    }

    /** Returns whether another list has the same rules in the same order and the same default action. */
    public boolean judgesAs(final AccessList other)
    {
        return defaultAction == other.defaultAction && rulesWithoutLines().equals(other.rulesWithoutLines());
    }

    /**
     * Returns for each rule of this list the index of the same rule in another list, {@link #NO_RULE} if that has none.
     * Of several equal rules, the first of this list is the same as the first of the other, the second as the second.
     * The last element is for the defaults, which are the same if their actions are.
     */
    public int[] sameRulesIn(final AccessList other)
    {
        final Map<AccessRule, Deque<Integer>> indexes = new HashMap<>();
        final List<AccessRule> others = other.rulesWithoutLines();
        for (int i = 0; i < others.size(); i++)
        {
            indexes.computeIfAbsent(others.get(i), rule -> new ArrayDeque<>()).add(i);
        }
        final int[] same = new int[rules.size() + 1];
        final List<AccessRule> own = rulesWithoutLines();
        for (int i = 0; i < own.size(); i++)
        {
            final Deque<Integer> found = indexes.get(own.get(i));
            same[i] = found == null || found.isEmpty() ? NO_RULE : found.poll();
        }
        same[own.size()] = defaultAction == other.defaultAction ? others.size() : NO_RULE;
        return same;
    }

    private List<AccessRule> rulesWithoutLines()
    {
        return rules.stream().map(AccessRule::withoutLine).toList();
    }

    /** Returns the action of a rule by its index; the default action for the number of rules. */
    public AccessAction actionOf(final int rule)
    {
        return rule < rules.size() ? rules.get(rule).action() : defaultAction;
    }
}

package org.fibnuma.fibnic.metrics;

/**
 * Matches of a rule of an access list.
 *
 * @param list   name of the list.
 * @param rule   number of the rule from 1, "default", or "other" for all rules beyond the limit of series.
 * @param frames that matched.
 * @param bytes  in these frames.
 */
record RuleSample(String list, String rule, long frames, long bytes)
{
}

package org.fibnuma.fabric.turns;

/**
 * What a method decided.
 *
 * @param allowed the turns that routes may take.
 * @param escape  a spanning tree all of whose turns are allowed, or null where the method promises none.
 * @param order   in words, in which order it decided; the outcome depends on it.
 */
public record TurnPlan(TurnSet allowed, EscapeTree escape, String order)
{
}

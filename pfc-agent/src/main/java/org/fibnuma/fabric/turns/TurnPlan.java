package org.fibnuma.fabric.turns;

/**
 * The result of a method.
 *
 * @param allowed the allowed turns.
 * @param escape  a spanning tree whose turns are all allowed, or null if the method does not guarantee one.
 * @param order   description of the order of decisions, on which the result depends.
 */
public record TurnPlan(TurnSet allowed, EscapeTree escape, String order)
{
}

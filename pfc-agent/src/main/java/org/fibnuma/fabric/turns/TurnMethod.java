package org.fibnuma.fabric.turns;

/** A way to choose the turns that routes may take. What comes out is to be proved by who uses it. */
public interface TurnMethod
{
    /**
     * Chooses.
     *
     * @param traffic what would pass each turn if none were forbidden.
     * @return the turns.
     */
    TurnPlan plan(TurnTraffic traffic);
}

package org.fibnuma.fabric.turns;

/** Chooses the turns that routes may use. The caller has to prove the result. */
public interface TurnMethod
{
    /**
     * Chooses the turns.
     *
     * @param traffic of each turn if none were forbidden.
     * @return the turns.
     */
    TurnPlan plan(TurnTraffic traffic);
}

package org.fibnuma.fabric.turns;

/** Chooses the turns that routes may use. The caller has to prove the result. */
public interface TurnMethod
{
    /** {@return the chosen turns; the traffic is that of each turn if none were forbidden} */
    TurnPlan plan(TurnTraffic traffic);
}

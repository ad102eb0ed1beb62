package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.EnumKey;

/**
 * How inputs compete for outputs in a slot. The paper has only the rotation among the queues of an input; throughput
 * and the number of pauses depend on the rest.
 */
public enum Arbitration
{
    /**
     * The heads of all queues of an input compete. Every free output chooses the head that has waited longest. An input
     * chosen by several outputs serves its queues in rotation. The other outputs choose again, for as many rounds as an
     * input has queues.
     */
    ALL_HEADS,
    /**
     * An input requests one output: that of the next queue in rotation which is not empty. Every output chooses the
     * request that has waited longest. An input that was not chosen repeats its request in the next slot.
     */
    ONE_REQUEST;

    /** {@return the arbitration of a name} Throws IllegalArgumentException with all names if it is unknown. */
    public static Arbitration of(final String key)
    {
        return EnumKey.parse(Arbitration.class, "arbitration", key);
    }

    /** {@return the name in commands and JSON, in lower case} */
    public String key()
    {
        return EnumKey.of(this);
    }
}

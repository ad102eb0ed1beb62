package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.EnumKey;

/**
 * How inputs compete for outputs in a slot. The paper names round robin among the queues of an input and nothing else;
 * throughput and the number of pauses depend on it.
 */
public enum Arbitration
{
    /**
     * The heads of all queues of an input compete. Every free output chooses the head that has waited longest; an input
     * chosen by several outputs serves its queues in rotation; the others choose again, for as many rounds as an input
     * has queues.
     */
    ALL_HEADS,
    /**
     * An input requests one output: that of the next queue in rotation which is not empty. Every output chooses the
     * request that has waited longest; an input that was not chosen repeats its request in the next slot.
     */
    ONE_REQUEST;

    /**
     * Parses a name.
     *
     * @param key all-heads or one-request.
     * @return the arbitration.
     * @throws IllegalArgumentException listing all names, for any other text.
     */
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

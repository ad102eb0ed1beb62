package org.fibnuma.core.port;

/**
 * Result of enabling flow control in a device's MAC.
 *
 * @param outcome whether it is enabled.
 * @param reason  why not, in a few words; empty if it is enabled.
 */
public record FlowControlAnswer(Outcome outcome, String reason)
{
    /** The device sends and obeys pause frames from now on. */
    public static final FlowControlAnswer DONE = new FlowControlAnswer(Outcome.DONE, "");

    /** Whether flow control was enabled. */
    public enum Outcome
    {
        /** It is enabled. */
        DONE,
        /** It is not possible at this moment, for example while the link negotiates; the caller may try again. */
        NOT_NOW,
        /** The device does not support it. */
        NOT_POSSIBLE
    }

    /** Makes the answer that flow control is not possible at this moment, with the reason in a few words. */
    public static FlowControlAnswer notNow(final String reason)
    {
        return new FlowControlAnswer(Outcome.NOT_NOW, reason);
    }

    /** Makes the answer that the device does not support flow control, with the reason in a few words. */
    public static FlowControlAnswer notPossible(final String reason)
    {
        return new FlowControlAnswer(Outcome.NOT_POSSIBLE, reason);
    }
}

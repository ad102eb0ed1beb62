package org.fibnuma.core.port;

/**
 * What a device said when its MAC was asked for flow control.
 *
 * @param outcome whether it does it.
 * @param reason  why not, in a few words; empty where it does.
 */
public record FlowControlAnswer(Outcome outcome, String reason)
{
    /** The device sends and obeys pauses from now on. */
    public static final FlowControlAnswer DONE = new FlowControlAnswer(Outcome.DONE, "");

    /** Whether a device does what it was asked for. */
    public enum Outcome
    {
        /** It does. */
        DONE,
        /** It could not at this moment, as while its link negotiates: ask again. */
        NOT_NOW,
        /** It never can. */
        NOT_POSSIBLE
    }

    /**
     * The device could not at this moment.
     *
     * @param reason in a few words.
     * @return the answer.
     */
    public static FlowControlAnswer notNow(final String reason)
    {
        return new FlowControlAnswer(Outcome.NOT_NOW, reason);
    }

    /**
     * The device cannot.
     *
     * @param reason in a few words.
     * @return the answer.
     */
    public static FlowControlAnswer notPossible(final String reason)
    {
        return new FlowControlAnswer(Outcome.NOT_POSSIBLE, reason);
    }
}

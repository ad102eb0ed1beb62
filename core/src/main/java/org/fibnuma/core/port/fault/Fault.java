package org.fibnuma.core.port.fault;

/** Faults that a {@code fault:} port can cause. */
public enum Fault
{
    LOSS("loss"),
    /** The frame is duplicated. */
    DUPLICATION("dup"),
    /** The frame is delayed by up to {@link DelayLine#REORDER_NS} more than others. */
    REORDERING("reorder"),
    /** One to eight bits of the frame are changed at random positions. */
    CORRUPTION("corrupt");

    private final String label;

    Fault(final String label)
    {
        this.label = label;
    }

    /** Returns the name in a description and for the user, in lower case. */
    public String label()
    {
        return label;
    }
}

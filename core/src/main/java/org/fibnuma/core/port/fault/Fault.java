package org.fibnuma.core.port.fault;

/** What may be done to a frame. */
public enum Fault
{
    /** It is lost. */
    LOSS("loss"),
    /** It comes twice. */
    DUPLICATION("dup"),
    /** It comes up to {@link DelayLine#REORDER_NS} later than its turn. */
    REORDERING("reorder"),
    /** One to eight of its bits are changed, anywhere in it. */
    CORRUPTION("corrupt");

    private final String label;

    Fault(final String label)
    {
        this.label = label;
    }

    /**
     * Its name in a description, and for people.
     *
     * @return lower case.
     */
    public String label()
    {
        return label;
    }
}

package org.fibnuma.fibnic.stage;

/** The lists that {@code FrameClassifier} divides a batch into. */
public enum FrameClass
{
    /** Not classified yet. */
    NONE(""),
    /** Ordinary IPv4. */
    ORDINARY_IPV4("ordinary IPv4"),
    /** Ordinary IPv6. */
    ORDINARY_IPV6("ordinary IPv6"),
    /** All other frames. */
    EXCEPTION("exception"),
    /** Exception that the stages for IPv6 process. */
    EXCEPTION_IPV6("exception");

    private static final FrameClass[] BY_ID = values();

    private final String label;

    FrameClass(final String label)
    {
        this.label = label;
    }

    /** Returns the class with an {@link #ordinal()}, null if there is none. */
    public static FrameClass of(final int id)
    {
        return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
    }

    /** Returns the name for output, empty for {@link #NONE}. */
    public String label()
    {
        return label;
    }

    /** Returns whether the stages for IPv6 process the frame; undefined for {@link #EXCEPTION}. */
    public boolean isIpv6()
    {
        return this == ORDINARY_IPV6 || this == EXCEPTION_IPV6;
    }
}

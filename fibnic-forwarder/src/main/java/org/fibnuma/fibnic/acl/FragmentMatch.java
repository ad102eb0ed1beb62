package org.fibnuma.fibnic.acl;

/** The fragments that a rule matches. */
public enum FragmentMatch
{
    /** Fragments and whole packets. */
    ANY("any", 0b111),
    /** Whole packets only. */
    NONE("none", 1 << AccessKeys.WHOLE),
    /** First fragments, which have the ports. */
    FIRST("first", 1 << AccessKeys.FIRST_FRAGMENT),
    /** All fragments but the first, which have no ports. */
    LATER("later", 1 << AccessKeys.LATER_FRAGMENT);

    private final String key;
    private final int states;

    FragmentMatch(final String key, final int states)
    {
        this.key = key;
        this.states = states;
    }

    /** Returns the name in the configuration. */
    public String key()
    {
        return key;
    }

    /** Returns whether a state of {@link AccessKeys} matches; its bit {@link AccessKeys#NO_TRANSPORT} is ignored. */
    boolean matches(final int state)
    {
        return (states & 1 << (state & ~AccessKeys.NO_TRANSPORT)) != 0;
    }
}

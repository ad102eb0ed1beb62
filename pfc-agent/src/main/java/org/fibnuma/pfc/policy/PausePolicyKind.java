package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The policies by the names that configuration and commands give them. */
public enum PausePolicyKind
{
    /** {@link OnOffPolicy}. */
    POOC("pooc"),
    /** {@link CounterPolicy}. */
    CDPTC("cdptc"),
    /** {@link DrainTimePolicy}. */
    DRAIN("drain");

    private final String key;

    PausePolicyKind(final String key)
    {
        this.key = key;
    }

    /**
     * The policy of a name.
     *
     * @param key as {@link #key()} returns it.
     * @return the policy.
     * @throws IllegalArgumentException naming all of them for any other text.
     */
    public static PausePolicyKind of(final String key)
    {
        for (final PausePolicyKind kind : values())
        {
            if (kind.key.equals(key))
            {
                return kind;
            }
        }
        throw new IllegalArgumentException("\"" + key + "\" is no policy; one of " +
            Arrays.stream(values()).map(PausePolicyKind::key).collect(Collectors.joining(", ")));
    }

    /**
     * Its name for people, files and commands.
     *
     * @return lower case.
     */
    public String key()
    {
        return key;
    }

    /**
     * A policy for one ingress port.
     *
     * @param settings of the port.
     * @param backlog  of the port, counted by the caller before it tells the policy.
     * @param output   to the port's peer.
     * @return the policy, owned by the thread that owns the backlog.
     */
    public PausePolicy create(final PauseSettings settings, final PriorityBacklog backlog, final PauseOutput output)
    {
        final SentPauses sent = new SentPauses(settings, output);
        switch (this)
        {
            case POOC:
                return new OnOffPolicy(settings, backlog, sent);
            case CDPTC:
                return new CounterPolicy(settings, backlog, sent);
            default:
                return new DrainTimePolicy(settings, backlog, sent);
        }
    }
}

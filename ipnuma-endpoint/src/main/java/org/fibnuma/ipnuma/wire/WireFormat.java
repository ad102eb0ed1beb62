package org.fibnuma.ipnuma.wire;

/** Datagram format of a peer, from its configuration. */
public enum WireFormat
{
    /** Reliable, with region keys: the format between two Fibnuma endpoints. */
    FIBNUMA("fibnuma", true),
    /** The 10-gigabit adapter of the thesis: one write in a datagram, no retransmission. */
    IPNUMA_10G("ipnuma-10g", false),
    /** The gigabit adapter: several compressed writes in a datagram, no retransmission. */
    IPNUMA_1G("ipnuma-1g", false),
    /** NetTLP. Requests are sent as LibTLP sends them to an adapter. */
    NETTLP("nettlp", false),
    /** NetTLP. Requests are sent as an adapter sends them to LibTLP's pseudo memory, the program psmem. */
    NETTLP_PSMEM("nettlp-psmem", false);

    private final String label;
    private final boolean keyed;

    WireFormat(final String label, final boolean keyed)
    {
        this.label = label;
        this.keyed = keyed;
    }

    /** Returns the name in the configuration, such as {@code ipnuma-10g}. */
    public String label()
    {
        return label;
    }

    /** Returns whether datagrams contain the key of a region. Otherwise only regions without a key can be accessed. */
    public boolean isKeyed()
    {
        return keyed;
    }

    /**
     * Returns the format with a name from the configuration. Throws {@link IllegalArgumentException} if there is none.
     */
    public static WireFormat of(final String label)
    {
        for (final WireFormat format : values())
        {
            if (format.label.equals(label))
            {
                return format;
            }
        }
        throw new IllegalArgumentException(
            "not a wire format: \"" + label + "\"; there are fibnuma, ipnuma-10g, ipnuma-1g, nettlp and nettlp-psmem");
    }
}

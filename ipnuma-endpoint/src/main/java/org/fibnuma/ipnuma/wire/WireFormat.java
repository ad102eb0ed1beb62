package org.fibnuma.ipnuma.wire;

/** How a peer speaks; a setting of each peer. */
public enum WireFormat
{
    /** Reliable, with keys: the format between two of our endpoints. */
    FIBNUMA("fibnuma", true),
    /** The 10-gigabit adapter of the thesis: one write in a datagram, nothing repeated. */
    IPNUMA_10G("ipnuma-10g", false),
    /** The gigabit adapter: several compressed writes in a datagram, nothing repeated. */
    IPNUMA_1G("ipnuma-1g", false),
    /** NetTLP; requests are sent as LibTLP sends them to an adapter. */
    NETTLP("nettlp", false),
    /** NetTLP; requests are sent as an adapter sends them to LibTLP's pseudo memory, the program psmem. */
    NETTLP_PSMEM("nettlp-psmem", false);

    private final String label;
    private final boolean keyed;

    WireFormat(final String label, final boolean keyed)
    {
        this.label = label;
        this.keyed = keyed;
    }

    /**
     * The word of the configuration.
     *
     * @return such as {@code ipnuma-10g}.
     */
    public String label()
    {
        return label;
    }

    /**
     * Whether its datagrams carry the key of a region.
     *
     * @return false where only regions without a key can be reached.
     */
    public boolean isKeyed()
    {
        return keyed;
    }

    /**
     * The format of a word in the configuration.
     *
     * @param label such as {@code ipnuma-10g}.
     * @return the format.
     * @throws IllegalArgumentException naming the word where it is none.
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

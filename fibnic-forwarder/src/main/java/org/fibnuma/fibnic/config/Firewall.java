package org.fibnuma.fibnic.config;

import java.util.Locale;

/** What the router does on a host that filters or translates forwarded packets. */
public enum Firewall
{
    /** The kernel judges connections; the router forwards the packets of those that it has accepted. */
    FOLLOW,
    /** The router does not start, and leaves frames to the kernel where filters appear later. */
    REFUSE,
    /** Forwarded frames bypass the filters. */
    BYPASS;

    /** Returns the name in the configuration file, in lower case. */
    String key()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

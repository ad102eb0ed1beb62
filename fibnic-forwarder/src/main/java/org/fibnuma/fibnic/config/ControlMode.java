package org.fibnuma.fibnic.config;

import java.util.Locale;

/** Source of addresses, routes and neighbours. */
public enum ControlMode
{
    /** The kernel, followed by rtnetlink. */
    NETLINK,
    /** FRR's zebra for routes, by FPM; the kernel for links, addresses and neighbours, by rtnetlink. */
    FPM,
    /** The configuration file. ARP is not answered: other hosts need static neighbours too. */
    STATIC;

    /** Returns whether links, addresses and neighbours are those of the kernel. */
    public boolean followsKernel()
    {
        return this != STATIC;
    }

    /** Returns the name in the configuration file, in lower case. */
    public String key()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

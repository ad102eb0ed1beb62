package org.fibnuma.fibnic.config;

import java.util.Locale;

/** Where addresses, routes and neighbours come from. */
public enum ControlMode
{
    /** From the kernel, live, by rtnetlink. */
    NETLINK,
    /** From the configuration file, constant. ARP is not answered: other hosts need static neighbours too. */
    STATIC;

    /** Returns the name in the configuration file, in lower case. */
    public String key()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}

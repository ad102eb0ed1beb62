package org.fibnuma.core.kernel;

/** A set of address families. */
public record AddressFamilies(boolean ipv4, boolean ipv6)
{
    /** No family. */
    public static final AddressFamilies NONE = new AddressFamilies(false, false);

    /** Returns whether all packets of a scope are of these families. */
    public boolean cover(final HostRestriction.Scope scope)
    {
        return (ipv4 || !scope.ipv4()) && (ipv6 || !scope.ipv6());
    }
}

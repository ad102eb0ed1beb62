package org.fibnuma.core.wire;

/** IP protocol numbers (Assigned Internet Protocol Numbers registry). */
public final class IpProtocol
{
    /** RFC 792. */
    public static final int ICMP = 1;
    /** RFC 9293. */
    public static final int TCP = 6;
    /** RFC 768. */
    public static final int UDP = 17;

    private IpProtocol()
    {
    }
}

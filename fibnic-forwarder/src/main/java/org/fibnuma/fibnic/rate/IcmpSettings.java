package org.fibnuma.fibnic.rate;

/**
 * Settings of ICMP errors that change while workers send them. One thread changes all in one step; any thread reads.
 */
public final class IcmpSettings
{
    private volatile Values values = Values.DEFAULT;

    /**
     * The settings at one time.
     *
     * @param inboundAddress whether the source of ICMP errors is an address of the ingress interface, not of the route
     *                       to the sender ({@code net.ipv4.icmp_errors_use_inbound_ifaddr}).
     * @param ttl            of ICMP errors, 1 to 255 ({@code net.ipv4.ip_default_ttl}).
     * @param limitsTooBig   whether errors about packets that are too big count towards the rate limit. In the kernel
     *                       they do not, because path MTU discovery needs them.
     * @param limitedTypes   one bit for each ICMP type that counts towards the limit ({@code net.ipv4.icmp_ratemask}).
     * @param limitedIpv6    one bit for each ICMPv6 type below 64 that counts ({@code net.ipv6.icmp.ratemask}).
     */
    public record Values(boolean inboundAddress, int ttl, boolean limitsTooBig, int limitedTypes, long limitedIpv6)
    {
        /** Without a kernel: 64 is the default of Linux, and all errors are limited. */
        public static final Values DEFAULT = new Values(false, 64, true, -1, -1);
    }

    /** Changes the settings. */
    public void change(final Values changed)
    {
        values = changed;
    }

    /** Returns whether the source of errors is an address of the ingress interface. */
    public boolean usesInboundAddress()
    {
        return values.inboundAddress;
    }

    /** Returns the TTL of ICMP errors. */
    public int ttl()
    {
        return values.ttl;
    }

    /** Returns whether an ICMP error counts towards the rate limit. */
    public boolean isLimited(final int type, final boolean isTooBig)
    {
        final Values now = values;
        return isTooBig ? now.limitsTooBig : (now.limitedTypes >>> type & 1) != 0;
    }

    /** Returns whether an ICMPv6 error, whose type is below 64, counts towards the rate limit. */
    public boolean isIpv6Limited(final int type, final boolean isTooBig)
    {
        final Values now = values;
        return isTooBig ? now.limitsTooBig : (now.limitedIpv6 >>> type & 1) != 0;
    }
}

package org.fibnuma.fibnic.config;

/**
 * Choices about the packets that the router forwards. Sections are those of RFC 1812.
 *
 * @param looseSourceRoutes whether frames with a loose source route are forwarded (section 5.3.13.4), not dropped.
 * @param oldBroadcasts     whether frames to {prefix, 0} of a connected network are forwarded as to a host (section
 *                          4.2.3.1), not dropped.
 * @param redirects         with {@link ControlMode#STATIC} whether ICMP and ICMPv6 redirects are sent (section 5.2.7.2,
 *                          RFC 4861 section 8.2). With other modes true: IPv4 has the kernel's setting, IPv6 none.
 * @param ipv6              whether the router forwards IPv6 transit; otherwise the kernel forwards it.
 * @param kernelMartians    whether IPv4 addresses of 0/8 and 240/4 are unicast addresses as in the kernel, not martians
 *                          (section 5.3.7).
 */
public record ForwardingConfig(
    boolean looseSourceRoutes, boolean oldBroadcasts, boolean redirects, boolean ipv6, boolean kernelMartians)
{
    /** The default of send_redirects in Linux. */
    static final boolean DEFAULT_REDIRECTS = true;
}

package org.fibnuma.fibnic.config;

/**
 * Choices that RFC 1812 leaves to a router.
 *
 * @param looseSourceRoutes whether frames with a loose source route are forwarded (section 5.3.13.4), not dropped.
 * @param oldBroadcasts     whether frames to {prefix, 0} of a connected network are forwarded as to a host (section
 *                          4.2.3.1), not dropped.
 * @param redirects         of {@link ControlMode#STATIC}: whether ICMP redirects are sent (section 5.2.7.2); else the
 *                          kernel's setting is used.
 */
public record ForwardingConfig(boolean looseSourceRoutes, boolean oldBroadcasts, boolean redirects)
{
    /** Linux's default of send_redirects. */
    static final boolean DEFAULT_REDIRECTS = true;
}

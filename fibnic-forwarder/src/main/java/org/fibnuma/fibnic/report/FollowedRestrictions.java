package org.fibnuma.fibnic.report;

import org.fibnuma.core.kernel.HostRestriction;

import java.util.List;

/**
 * What the router does about the restrictions of the host for forwarded packets.
 *
 * @param bypassed restrictions that forwarded frames bypass.
 * @param left     restrictions whose frames are left to the kernel, which applies them.
 */
public record FollowedRestrictions(List<HostRestriction> bypassed, List<HostRestriction> left)
{
    /** Of a host that restricts nothing. */
    public static final FollowedRestrictions NONE = new FollowedRestrictions(List.of(), List.of());
}
